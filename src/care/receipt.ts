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
  /** Objects that say the same in part, and were not asked to go. */
  readonly elsewhere: readonly Hash[];
}

/** `ids` are those of erased memories; `named` tells whether a record with one of them is still somewhere. */
export async function searchErased(
  storage: Storage,
  texts: Iterable<string>,
  ids: Iterable<string> = [],
): Promise<ErasureReceipt & { readonly named: boolean }> {
  const pieces = piecesOf(texts);
  const owners = pieces.flatMap((piece) => piece.spellings.map(() => piece));
  const names = [...ids].map((id) => Buffer.from(`"id":${JSON.stringify(id)}`));
  const search = new ByteSearch([...pieces.flatMap(({ spellings }) => spellings), ...names]);
  let named = false;
  const places = new Map<Piece, Set<string>>();
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
      const owner = owners[at];
      if (owner) note(places, owner, part.name);
      else named = true;
    }
    search.found.clear();
  }
  const { elsewhere, accounted } = await accountFor(storage, [...places.keys()]);
  const left = new Set<string>();
  for (const [piece, names] of places) if (!accounted.has(piece)) for (const name of names) left.add(name);
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

function note(places: Map<Piece, Set<string>>, piece: Piece, name: string): void {
  const known = places.get(piece);
  if (known) known.add(name);
  else places.set(piece, new Set([name]));
}

/** Which of the pieces some object that is still stored says itself. */
async function accountFor(storage: Storage, found: readonly Piece[]) {
  const elsewhere = new Set<Hash>();
  const accounted = new Set<Piece>();
  if (found.length === 0) return { elsewhere: [], accounted };
  const owners = found.flatMap((piece) => piece.spellings.map(() => piece));
  const search = new ByteSearch(found.flatMap(({ spellings }) => spellings));
  for await (const { hash, bytes } of storage.scan({ kinds: ["memory", "note"] })) {
    search.restart();
    search.feed(bytes);
    if (search.found.size === 0) continue;
    elsewhere.add(hash);
    for (const at of search.found) accounted.add(owners[at]!);
    search.found.clear();
  }
  return { elsewhere: [...elsewhere], accounted };
}
