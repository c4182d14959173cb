import { type Hash, isBlank } from "../core/base/index.js";
import type { Beyond, Storage } from "../storage/index.js";
import { ByteSearch } from "./byte-search.js";

/** What a search of all bytes of the store, past everything that gives them a meaning, has found of erased texts. */
export interface ErasureReceipt {
  /** Nothing of them is left, but what other memories or messages say themselves; and nothing is where nobody looked. */
  readonly clean: boolean;
  readonly bytes: number;
  readonly files: readonly string[];
  /** How many pieces of text were looked for, each in several spellings. */
  readonly pieces: number;
  /** Where something was found that nothing stored accounts for. */
  readonly left: readonly string[];
  /** Of these, what was kept of the store from before an upgrade: it goes when `compact` is asked to drop it. */
  readonly old: readonly string[];
  /** Objects that say the same in part, and were not asked to go: a thousand at most, for phrases that everybody uses. */
  readonly elsewhere: readonly Hash[];
  /** Where the words that were asked still stand, and how they go from there. */
  readonly standing: readonly WordPlace[];
  /** Where bytes may lie that the store can neither search nor clear, and how they go from there. */
  readonly beyond: readonly Beyond[];
  /** Did the session that asked see all of the store? What was hidden neither went nor is mentioned: there the words may still stand. */
  readonly isWhole: boolean;
  /** Files that others made of the store, wherever they are: nobody has looked there. */
  readonly outside: readonly Beyond[];
}

/** Where words stand that were to go, and how they go from there. */
export interface WordPlace {
  /** What kind of place: "tags of a memory", "name of a branch", … */
  readonly place: string;
  /** Which one: the id of a memory, the name of a branch or of an agent. */
  readonly name: string;
  readonly how: string;
}

/** What is looked for in the bytes. */
export interface Sought {
  /** What erased memories said. */
  readonly texts: Iterable<string>;
  /** Words that were asked to go, which may be shorter. */
  readonly words?: Iterable<string>;
  /** Of erased memories: the answer tells whether a record with one of them is still somewhere. */
  readonly ids?: Iterable<string>;
  /** Are such words reported of files beside the store too, when something stored says them, which not everybody may see? */
  readonly beside?: boolean;
  /** Of what was found, what something stored says that is neither a memory nor a message. */
  readonly said?: (found: readonly string[]) => Promise<ReadonlySet<string>>;
}

export async function searchErased(
  storage: Storage,
  { texts, words = [], ids = [], beside = false, said = async () => new Set() }: Sought,
): Promise<Omit<ErasureReceipt, "standing" | "isWhole"> & { readonly named: boolean }> {
  const asked = piecesOfWords(words);
  const askedFor = new Set(asked);
  const pieces = [...new Map([...piecesOf(texts), ...asked].map((piece) => [piece.text, piece])).values()];
  const spelt = pieces.flatMap((piece) => piece.spellings.map((spelling) => ({ piece, spelling })));
  const names = [...ids].map((id) => Buffer.from(`"id":${JSON.stringify(id)}`));
  const needles = [...spelt.map(({ spelling }) => spelling), ...names];
  const search = new ByteSearch(needles, leastOf(needles));
  let named = false;
  const places = new Map<Spelt, Set<string>>();
  const files = new Set<string>();
  const old = new Set<string>();
  const strange = new Set<string>();
  let bytes = 0;
  for await (const part of storage.raw()) {
    if (!files.has(part.name)) search.restart();
    files.add(part.name);
    if (part.isOld) old.add(part.name);
    if (!part.isStored) strange.add(part.name);
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
  const open = [...new Set([...places.keys()].map(({ piece }) => piece))].filter(
    (one) => !accounted.has(one),
  );
  const spoken = open.length > 0 ? await said(open.map(({ text }) => text)) : new Set<string>();
  for (const piece of open) if (spoken.has(piece.text)) accounted.add(piece);
  const left = new Set<string>();
  for (const [{ piece }, names] of places)
    for (const name of names)
      if (!accounted.has(piece) || (beside && strange.has(name) && askedFor.has(piece))) left.add(name);
  const beyond = (await storage.beyond?.()) ?? [];
  return {
    clean: left.size === 0 && beyond.length === 0,
    bytes,
    files: [...files],
    pieces: pieces.length,
    left: [...left],
    old: [...left].filter((name) => old.has(name)),
    elsewhere,
    beyond,
    outside: OUTSIDE,
    named,
  };
}

const OUTSIDE: readonly Beyond[] = [
  {
    place: "backups, images, exports and clones",
    how: "remove them, or restore with --tombstones and make them anew",
  },
  { place: "the folder of a palace", how: "`pal palace sync` takes out what memories said" },
  {
    place: "documents that were ingested, and transcripts and logs of agents",
    how: "they are not ours to change",
  },
];

/** Looking for short words costs more, so it is done only where there are any. */
const leastOf = (needles: readonly Uint8Array[]): number =>
  Math.max(LEAST_WORD, Math.min(8, ...needles.map(({ length }) => length)));

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
  if (found.length === 0) return { elsewhere: [] as Hash[], accounted };
  const wanted = new Set(found.map(({ piece }) => piece)).size;
  const containing = found.map(({ spelling }) => spelling);
  const search = new ByteSearch(containing, leastOf(containing));
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

/** Characters of a piece: short enough to lie on one page of a file, long enough to be nobody else's by chance. */
const PIECE = 32;
const LEAST = 8;

/** A part of a text, and how it may be spelt in a file. */
interface Piece {
  readonly text: string;
  readonly spellings: readonly Buffer[];
}

/** Fewer bytes than these stand in hashes and vectors by chance. */
const LEAST_WORD = 6;

/** What was asked for is looked for where it is shorter too. */
function piecesOfWords(words: Iterable<string>): Piece[] {
  return [...new Set(words)].flatMap((text) =>
    text.length >= LEAST || isBlank(text)
      ? piecesOf([text])
      : [{ text, spellings: spell(text, LEAST_WORD) }].filter(({ spellings }) => spellings.length > 0),
  );
}

/** Texts are searched for in pieces, because files cut long ones where a page ends. Very short ones and blanks mean nothing. */
export function piecesOf(texts: Iterable<string>): Piece[] {
  const pieces = new Map<string, Piece>();
  for (const text of texts)
    for (const part of cut(text))
      if (!isBlank(part) && !pieces.has(part)) pieces.set(part, { text: part, spellings: spell(part) });
  return [...pieces.values()];
}

function* cut(text: string): Generator<string> {
  if (text.length < LEAST) return;
  for (let at = 0; at + PIECE < text.length; at += PIECE) yield text.slice(at, at + PIECE).toWellFormed();
  yield text.slice(-PIECE).toWellFormed();
}

/** As UTF-8, as UTF-8 inside JSON, as UTF-16, and inside base64 at each of its three phases. */
function spell(text: string, least = LEAST): Buffer[] {
  const plain = Buffer.from(text);
  const quoted = Buffer.from(JSON.stringify(text).slice(1, -1));
  const written = quoted.equals(plain) ? [plain] : [plain, quoted];
  const coded = [Buffer.from(text, "utf16le"), ...[0, 1, 2].map((phase) => insideBase64(plain, phase))];
  return [
    ...written.filter(({ length }) => length >= least),
    ...coded.filter(({ length }) => length >= LEAST),
  ];
}

/** The characters of base64 that follow from these bytes alone, when so many others come before them. */
function insideBase64(bytes: Buffer, before: number): Buffer {
  const encoded = Buffer.concat([Buffer.alloc(before), bytes])
    .toString("base64")
    .replace(/=+$/, "");
  const isCut = (before + bytes.length) % 3 !== 0;
  return Buffer.from(encoded.slice(before === 0 ? 0 : before + 1, isCut ? -1 : undefined));
}
