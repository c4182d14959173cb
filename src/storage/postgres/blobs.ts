import { blobInRam } from "../plain-file.js";
import type { Blobs, OpenBlob } from "../port.js";
import type { Run } from "./server.js";

/** Rows of this size are read and sent in pieces that neither side has to hold twice. */
const PART = 4 << 20;

const READ = {
  name: "blob",
  text: "SELECT bytes FROM palimpsest.blobs WHERE store = $1 AND name = $2 AND part = $3",
};
/** Only beside a store that is there. */
const WRITE = {
  name: "blob_put",
  text: `INSERT INTO palimpsest.blobs (store, name, part, bytes)
    SELECT store, $2, $3, $4 FROM palimpsest.stores WHERE store = $1 ON CONFLICT DO NOTHING`,
};
const REMOVE = { name: "blob_remove", text: "DELETE FROM palimpsest.blobs WHERE store = $1 AND name = $2" };
const LIST = {
  name: "blob_list",
  text: `SELECT name, (extract(epoch FROM now() - max(written)) * 1000)::float8 AS age FROM palimpsest.blobs
    WHERE store = $1 GROUP BY name`,
};

/** A name is published elsewhere when all parts are there; the checksum of an image tells if one is missing. */
export function blobsOf(
  read: <T>(absent: T, work: (run: Run, store: string) => Promise<T>) => Promise<T>,
): Blobs {
  return {
    open: (name) =>
      read<OpenBlob | undefined>(undefined, async (run, store) => {
        const parts: Buffer[] = [];
        for (;;) {
          const { rows } = await run<{ bytes: Buffer }>(READ, [store, name, parts.length]);
          if (rows[0]) parts.push(rows[0].bytes);
          if (parts.length === 0) return undefined;
          if (!rows[0] || rows[0].bytes.length < PART) return blobInRam(new Uint8Array(Buffer.concat(parts)));
        }
      }),
    write: (name, pieces) =>
      read(undefined, async (run, store) => {
        let part = 0;
        for (const bytes of partsOf(pieces)) await run(WRITE, [store, name, part++, bytes]);
      }),
    remove: (name) =>
      read(undefined, async (run, store) => {
        await run(REMOVE, [store, name]);
      }),
    list: () =>
      read<{ name: string; ageMs: number }[]>([], async (run, store) => {
        const { rows } = await run<{ name: string; age: number }>(LIST, [store]);
        return rows.map(({ name, age }) => ({ name, ageMs: age }));
      }),
  };
}

/** Cut anew: whole parts, and a last one that is smaller, if need be empty. Each is good until the next is asked for. */
function* partsOf(pieces: readonly Uint8Array[]): Generator<Buffer> {
  const part = Buffer.allocUnsafe(PART);
  let used = 0;
  for (const piece of pieces)
    for (let from = 0; from < piece.length; ) {
      const taken = piece.subarray(from, from + PART - used);
      part.set(taken, used);
      from += taken.length;
      used += taken.length;
      if (used < PART) continue;
      yield part;
      used = 0;
    }
  yield part.subarray(0, used);
}
