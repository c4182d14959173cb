import type { Run, Server } from "./server.js";

const READ = { name: "side", text: "SELECT value FROM palimpsest.side WHERE store = $1 AND key = $2" };
const SOME = {
  name: "sides",
  text: "SELECT key, value FROM palimpsest.side WHERE store = $1 AND key >= $2 AND key < $3 ORDER BY key",
};
/** Only beside a store that is there. */
const INSERT = `INSERT INTO palimpsest.side SELECT store, $2, $3 FROM palimpsest.stores WHERE store = $1
  ON CONFLICT (store, key)`;
const SET = { name: "side_set", text: `${INSERT} DO UPDATE SET value = excluded.value` };
const ADD = { name: "side_add", text: `${INSERT} DO NOTHING` };
const SWAP = {
  name: "side_swap",
  text: "UPDATE palimpsest.side SET value = $3 WHERE store = $1 AND key = $2 AND value = $4",
};
const DELETE = { name: "side_delete", text: "DELETE FROM palimpsest.side WHERE store = $1 AND key = $2" };
const TAKE = { name: "side_take", text: `${DELETE.text} AND value = $3` };

export async function readSide(run: Run, store: string, key: string): Promise<string | undefined> {
  const { rows } = await run<{ value: string }>(READ, [store, key]);
  return rows[0]?.value;
}

export async function readSides(run: Run, store: string, prefix: string): Promise<Map<string, string>> {
  const { rows } = await run<{ key: string; value: string }>(SOME, [store, prefix, `${prefix}\u{10ffff}`]);
  return new Map(rows.map(({ key, value }) => [key, value]));
}

/** A caller that asks again because an answer was lost, and finds the note as it wanted it, has set it. */
export const writeSide = (
  server: Server,
  store: string,
  key: string,
  value: string | null,
  expect: Expected,
) =>
  server.persist(async (isAgain) => {
    if (await change(server.once, store, key, value, expect)) return true;
    return isAgain && ((await readSide(server.once, store, key)) ?? null) === value;
  });

type Expected = string | null | undefined;

/** Each case is one statement. */
async function change(run: Run, store: string, key: string, value: string | null, expect: Expected) {
  const changed = async (statement: typeof SET, ...values: string[]): Promise<boolean> =>
    (await run(statement, [store, key, ...values])).rowCount === 1;
  if (value === null) {
    if (expect === undefined) await changed(DELETE);
    if (typeof expect === "string") return changed(TAKE, expect);
    return expect === undefined || (await readSide(run, store, key)) === undefined;
  }
  if (expect === undefined) return changed(SET, value);
  return expect === null ? changed(ADD, value) : changed(SWAP, value, expect);
}
