import type { Hash } from "../base/index.js";
import type { Storage } from "../storage/index.js";
import { ByteSearch } from "./byte-search.js";
import { type Piece, piecesOf } from "./needles.js";

/** What a search of all bytes of the store, past everything that gives them a meaning, has found of erased texts. */
export interface ErasureReceipt {
  /** Nothing of them is left, but what other memories or messages say themselves. */
  readonly clean: boolean;
  readonly bytes: number;
  readonly files: readonly string[];
  /** How many pieces of text were looked for, each in several spellings. */
  readonly pieces: number;
  /** Where something was found that nothing stored accounts for. */
  readonly left: readonly string[];
  /** Of these, what was kept of the store from before an upgrade: it goes when `compact` is told to drop it. */
  readonly old: readonly string[];
  /** Objects that say the same in part, and were not asked to go: a thousand at most, for phrases that everybody uses. */
  readonly elsewhere: readonly Hash[];
}

/** `ids` are those of erased memories; `named` tells whether a record with one of them is still somewhere. */
export async function searchErased(
  storage: Storage,
  texts: Iterable<string>,
  ids: Iterable<string> = [],
): Promise<ErasureReceipt & { readonly named: boolean }> {
  const pieces = piecesOf(texts);
  const spelt = pieces.flatMap((piece) => piece.spellings.map((spelling) => ({ piece, spelling })));
  const names = [...ids].map((id) => Buffer.from(`"id":${JSON.stringify(id)}`));
  const search = new ByteSearch([...spelt.map(({ spelling }) => spelling), ...names]);
  let named = false;
  const places = new Map<Spelt, Set<string>>();
  const files = new Set<string>();
  const old = new Set<string>();
  let bytes = 0;
  for await (const part of storage.raw()) {
    if (!files.has(part.name)) search.restart();
    files.add(part.name);
    if (part.isOld) old.add(part.name);
    bytes += part.bytes.length;
    search.feed(part.bytes);
    for (const at of search.found) {
      const found = spelt[at];
      if (found) note(places, found, part.name);
      else named = true;
    }
    search.found.clear();
  }
  const { elsewhere, accounted } = await accountFor(storage, [...places.keys()]);
  const left = new Set<string>();
  for (const [{ piece }, names] of places)
    if (!accounted.has(piece)) for (const name of names) left.add(name);
  return {
    clean: left.size === 0,
    bytes,
    files: [...files],
    pieces: pieces.length,
    left: [...left],
    old: [...left].filter((name) => old.has(name)),
    elsewhere,
    named,
  };
}

const MOST_ELSEWHERE = 1_000;

/** A piece in one of its spellings. */
interface Spelt {
  readonly piece: Piece;
  readonly spelling: Buffer;
}

function note(places: Map<Spelt, Set<string>>, spelt: Spelt, name: string): void {
  const known = places.get(spelt);
  if (known) known.add(name);
  else places.set(spelt, new Set([name]));
}

/** Which of the pieces some object that is still stored says itself, in a spelling that was found. */
async function accountFor(storage: Storage, found: readonly Spelt[]) {
  const elsewhere = new Set<Hash>();
  const accounted = new Set<Piece>();
  if (found.length === 0) return { elsewhere: [], accounted };
  const wanted = new Set(found.map(({ piece }) => piece)).size;
  const containing = found.map(({ spelling }) => spelling);
  const search = new ByteSearch(containing);
  for await (const { hash, bytes } of storage.scan({ kinds: ["memory", "note"], containing })) {
    search.restart();
    search.feed(bytes);
    if (search.found.size === 0) continue;
    if (elsewhere.size < MOST_ELSEWHERE) elsewhere.add(hash);
    for (const at of search.found) accounted.add(found[at]!.piece);
    search.found.clear();
    if (elsewhere.size >= MOST_ELSEWHERE && accounted.size === wanted) break;
  }
  return { elsewhere: [...elsewhere], accounted };
}
