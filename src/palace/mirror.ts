import { type Hash, hashValue, type MemoryId, type Scope } from "../core/base/index.js";
import { plainCorpus, rank } from "../index/index.js";
import { analyse, detectLanguage, parseQuery, queryTokens } from "../language/index.js";
import { parsePlaceName } from "../memories/index.js";
import { type DrawerFile, type FileEntry, parseDrawer } from "./drawer-file.js";

/** What one version of a memory said in its file when both were last the same. */
export interface Kept {
  readonly hash: Hash;
  readonly said: string;
}

/** The state of a mirror after its last synchronisation: the base against which edits of either side are seen. */
export interface MirrorBase {
  readonly v: 1;
  readonly scope: Scope;
  readonly branch: string;
  /** A commit of the store that it mirrors. */
  readonly at?: Hash;
  readonly rooms: Readonly<
    Record<string, Kept & { readonly dir: string; readonly name: string; readonly hasFile: boolean }>
  >;
  readonly drawers: Readonly<
    Record<string, Kept & { readonly path: string; readonly name: string; readonly room: string }>
  >;
  readonly entries: Readonly<Record<string, Kept & { readonly home: string }>>;
  readonly identity?: Kept;
  readonly config?: Kept;
}

export const emptyBase = (scope: Scope, branch: string): MirrorBase => ({
  v: 1,
  scope,
  branch,
  rooms: {},
  drawers: {},
  entries: {},
});

/** Fingerprint of what a file says of one thing. */
export const saidBy = (text: string): string => hashValue("content", text).slice(0, 16);

export const ROOMS = "rooms";
export const README = "README";
export const IDENTITY_FILE = "identity.txt";
export const CONFIG_FILE = "config/mempalace.yaml";

/** A room or drawer as the files want it. Without an id it is new, or was lost from the base. */
export interface WantedPlace {
  readonly path: string;
  readonly id?: MemoryId;
  readonly name: string;
  readonly body: string;
  /** Ids are those of the base, each claimed once; another id that a file names is `hint`. */
  readonly entries: readonly (FileEntry & { readonly hint?: string })[];
}

export interface WantedRoom extends Pick<WantedPlace, "id" | "name"> {
  readonly dir: string;
  readonly readme?: WantedPlace;
  readonly drawers: readonly WantedPlace[];
}

/** What the files of a mirror say, matched with what they said last time. */
export interface Wanted {
  readonly rooms: readonly WantedRoom[];
  /** What was there last time and is in no file now. */
  readonly gone: { readonly entries: MemoryId[]; readonly drawers: MemoryId[]; readonly rooms: MemoryId[] };
  readonly problems: readonly { readonly path: string; readonly reason: string }[];
}

interface Read {
  readonly path: string;
  readonly dir: string;
  readonly stem: string;
  readonly file: DrawerFile;
  readonly name: string;
}

/** Finds out which file is which drawer, and which line which entry, after people moved, renamed and edited them. */
export function matchFiles(
  base: MirrorBase,
  files: ReadonlyMap<string, string>,
  unreadable: readonly string[] = [],
): Wanted {
  const problems: { path: string; reason: string }[] = [];
  const read: Read[] = [];
  for (const [path, text] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [, dir, stem] = /^rooms\/([^/]+)\/([^/]+)\.md$/.exec(path) ?? [];
    // A file that was emptied, by a crash or a slip, takes nothing away: a person who means it deletes the file.
    if (dir === undefined || stem === undefined || text.trim() === "") continue;
    try {
      read.push(readOne(base, path, dir, parsePlaceName(stem), text));
    } catch (error) {
      problems.push({ path, reason: (error as Error).message });
    }
  }
  const drawerOf = claimDrawers(
    base,
    read.filter(({ stem }) => stem !== README),
  );
  const roomOf = claimRooms(base, read, drawerOf);
  const entries = claimEntries(base, read, drawerOf, roomOf);
  const place = (one: Read, id: MemoryId | undefined, name: string): WantedPlace => ({
    path: one.path,
    ...(id !== undefined && { id }),
    name,
    body: one.file.body,
    entries: entries.get(one) ?? [],
  });
  const dirs = [...new Set(read.map(({ dir }) => dir))];
  const rooms = dirs.map((dir): WantedRoom => {
    const id = roomOf.get(dir);
    const name = nameNow(id === undefined ? undefined : base.rooms[id], dir, (known) => known.dir);
    const inside = read.filter((one) => one.dir === dir);
    const readme = inside.find(({ stem }) => stem === README);
    return {
      dir,
      ...(id !== undefined && { id }),
      name,
      ...(readme && { readme: place(readme, id, name) }),
      drawers: inside
        .filter(({ stem }) => stem !== README)
        .map((one) => {
          const drawer = drawerOf.get(one);
          const known = drawer === undefined ? undefined : base.drawers[drawer];
          return place(one, drawer, known ? nameNow(known, one.stem, ({ path }) => stemOf(path)) : one.name);
        }),
    };
  });
  const silent = silentPlaces(base, files, unreadable);
  const inSilent = Object.keys(base.entries).filter((id) => silent.has(base.entries[id]?.home as string));
  const claimed = new Set([...[...entries.values()].flat().map(({ id }) => id), ...inSilent]);
  const drawersThere = new Set<string>([...drawerOf.values(), ...silent]);
  const roomsOfSilent = [...silent].map((id) => base.drawers[id]?.room ?? id);
  const roomsThere = new Set<string>([...roomOf.values(), ...roomsOfSilent]);
  const missing = (known: object, there: ReadonlySet<string | undefined>): MemoryId[] =>
    Object.keys(known).filter((id) => !there.has(id)) as MemoryId[];
  return {
    rooms,
    problems,
    gone: {
      entries: missing(base.entries, claimed),
      drawers: missing(base.drawers, drawersThere),
      // A room without a file left no trace that could be missing.
      rooms: missing(base.rooms, roomsThere).filter(
        (id) => base.rooms[id]?.hasFile || Object.values(base.drawers).some(({ room }) => room === id),
      ),
    },
  };
}

/** Places whose files say nothing, because they were emptied or cannot be read: not having seen is not being gone. */
function silentPlaces(
  base: MirrorBase,
  files: ReadonlyMap<string, string>,
  unreadable: readonly string[],
): Set<string> {
  const isEmpty = (path: string): boolean =>
    files.get(path)?.trim() === "" ||
    unreadable.some((other) => path === other || path.startsWith(`${other}/`));
  const drawers = Object.keys(base.drawers).filter((id) => isEmpty(base.drawers[id]?.path as string));
  const rooms = Object.keys(base.rooms).filter((id) =>
    isEmpty(`${ROOMS}/${base.rooms[id]?.dir}/${README}.md`),
  );
  return new Set([...drawers, ...rooms]);
}

function readOne(base: MirrorBase, path: string, dir: string, stem: string, text: string): Read {
  const { id } = parseDrawer(text, "");
  const atPath = Object.values(base.drawers).find((one) => one.path === path);
  const known =
    stem === README
      ? (id !== undefined && base.rooms[id]) || Object.values(base.rooms).find((one) => one.dir === dir)
      : (id !== undefined && base.drawers[id]) || atPath;
  const heading = /^[^\S\r\n\u2028\u2029]*#[ \t](.*)$/m.exec(text)?.[1]?.trim() ?? "";
  const own = stem === README ? dir : stem;
  const name = known ? known.name : stemKey(fileStem(heading)) === stemKey(own) ? heading : own;
  return { path, dir, stem, file: parseDrawer(text, name), name: usable(name) ? name : own };
}

function usable(name: string): boolean {
  try {
    return parsePlaceName(name) === name;
  } catch {
    return false;
  }
}

const stemOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1, -".md".length);

/** The name stays unless somebody gave the file or folder another one. */
function nameNow<T extends { readonly name: string }>(
  known: T | undefined,
  stem: string,
  was: (known: T) => string,
): string {
  return known && was(known) === stem ? known.name : stem;
}

/** By the id in the file, the one at its old path first; a file that lost its id is known by its path. */
function claimDrawers(base: MirrorBase, read: readonly Read[]): Map<Read, MemoryId> {
  const claimed = new Map<Read, MemoryId>();
  const taken = new Set<string>();
  const claim = (one: Read, id: string | undefined): void => {
    if (id === undefined || !Object.hasOwn(base.drawers, id) || taken.has(id) || claimed.has(one)) return;
    taken.add(id);
    claimed.set(one, id as MemoryId);
  };
  for (const one of read)
    if (one.file.id !== undefined && base.drawers[one.file.id]?.path === one.path) claim(one, one.file.id);
  for (const one of read) claim(one, one.file.id);
  const byPath = new Map(Object.entries(base.drawers).map(([id, { path }]) => [path, id]));
  for (const one of read) if (one.file.id === undefined) claim(one, byPath.get(one.path));
  return claimed;
}

/** A folder is the room it was, else the room whose id is in it, else the room that most of its drawers came from. */
function claimRooms(
  base: MirrorBase,
  read: readonly Read[],
  drawerOf: ReadonlyMap<Read, MemoryId>,
): Map<string, MemoryId> {
  const claimed = new Map<string, MemoryId>();
  const dirs = new Set(read.map(({ dir }) => dir));
  const known = Object.entries(base.rooms);
  for (const [id, { dir }] of known) if (dirs.has(dir)) claimed.set(dir, id as MemoryId);
  const isFree = (id: string | undefined): id is MemoryId =>
    id !== undefined && Object.hasOwn(base.rooms, id) && ![...claimed.values()].includes(id as MemoryId);
  for (const { dir, stem, file } of read)
    if (stem === README && !claimed.has(dir) && isFree(file.id)) claimed.set(dir, file.id);
  for (const one of read) {
    const from = base.drawers[drawerOf.get(one) ?? ""]?.room;
    if (!claimed.has(one.dir) && isFree(from)) claimed.set(one.dir, from);
  }
  return claimed;
}

/** Each id belongs to one line: the one where it was, else the first that names it. Copies are new entries. */
function claimEntries(
  base: MirrorBase,
  read: readonly Read[],
  drawerOf: ReadonlyMap<Read, MemoryId>,
  roomOf: ReadonlyMap<string, MemoryId>,
): Map<Read, (FileEntry & { readonly hint?: string })[]> {
  const homeOf = (one: Read) => (one.stem === README ? roomOf.get(one.dir) : drawerOf.get(one));
  const owner = new Map<string, FileEntry>();
  for (const atHome of [true, false])
    for (const one of read)
      for (const entry of one.file.entries) {
        const { id } = entry;
        if (id === undefined || owner.has(id) || !Object.hasOwn(base.entries, id)) continue;
        if (!atHome || base.entries[id]?.home === homeOf(one)) owner.set(id, entry);
      }
  return new Map(
    read.map((one) => [
      one,
      one.file.entries.map((entry) => {
        const { id, text } = entry;
        if (id === undefined) return { text };
        return owner.get(id) === entry ? { id, text } : { text, hint: id };
      }),
    ]),
  );
}

/** A text among a few, and how well it answers a question. */
export interface Match {
  /** Its place in the list given. */
  readonly at: number;
  /** What the ranker gives it; comparable within one answer only. */
  readonly score: number;
  /** Of the words asked for that are no function words, the share that it holds, 0 to 1. */
  readonly coverage: number;
}

interface Matchable {
  readonly title?: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly time?: number;
}

/**
 * The texts of a small collection that hold at least one word of the question, best first. The ranker is that of search;
 * its own judgement rests on statistics that few texts do not give, so that coverage is shown instead.
 */
export function matchTexts(texts: readonly Matchable[], question: string, limit: number): Match[] {
  if (texts.length === 0) return [];
  const corpus = plainCorpus(texts);
  const query = parseQuery(question);
  const asked = corpus.languages.map((language) => tellingTerms(query.text, language));
  if (asked.every((terms) => terms.size === 0)) return [];
  const { hits } = rank(corpus, query, { limit: Math.max(limit, CLOSER_LOOK), useConfidence: false });
  return hits
    .map(({ doc, score }) => ({ at: doc, score, coverage: coverageOf(texts[doc] as Matchable, asked) }))
    .filter(({ coverage }) => coverage > 0)
    .sort((a, b) => b.coverage - a.coverage || b.score - a.score || a.at - b.at)
    .slice(0, limit);
}

const CLOSER_LOOK = 20;

const tellingTerms = (text: string, language: string): Set<string> =>
  new Set(
    queryTokens(text, [language])
      .filter(({ stop }) => !stop)
      .map(({ term }) => term),
  );

/** A question is read in every language of the collection; the reading that fits best counts. */
function coverageOf({ title = "", text }: Matchable, asked: readonly ReadonlySet<string>[]): number {
  const language = detectLanguage(text)?.code ?? "en";
  const held = new Set([...analyse(title, language), ...analyse(text, language)].map(({ term }) => term));
  const share = (terms: ReadonlySet<string>): number =>
    terms.size === 0 ? 0 : [...terms].filter((term) => held.has(term)).length / terms.size;
  return Math.max(...asked.map(share));
}

/** Windows opens a device, not a file, under these names, whatever extension follows. */
const DEVICE = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(?:\.|$)/i;
const LONGEST_BYTES = 100;

/**
 * A name as part of a path: letters, digits, dots, dashes and underscores, never able to mean another place. What is left
 * of a name that says nothing, or something else than it should, is replaced by its hash.
 */
function fileStem(name: string): string {
  const plain = name
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, "-")
    .replace(/\.{2,}/g, ".")
    .replace(/^[.\-\p{M}]+|(?<![.-])[.-]+$/gu, "");
  const isUsable = plain !== "" && !DEVICE.test(plain) && Buffer.byteLength(plain) <= LONGEST_BYTES;
  return isUsable ? plain : `name-${shortDigest(name)}`;
}

/** Is it a name that `fileStem` leaves as it is? Others are not read: they are not ours, or traps. */
export const isFileStem = (stem: string): boolean => fileStem(stem) === stem.normalize("NFC");

/** File systems differ in what they take for the same name; this takes all for the same that any does. */
export const stemKey = (stem: string): string =>
  stem.normalize("NFKC").toLowerCase().toUpperCase().normalize("NFC");

/** Stems for several names in one folder: names that some file system would take for the same get their ids' hash. */
export function distinctStems(
  things: readonly { readonly id: string; readonly name: string }[],
  reserved: readonly string[] = [],
): Map<string, string> {
  const counts = new Map<string, number>(reserved.map((stem) => [stemKey(stem), 1]));
  for (const { name } of things) {
    const key = stemKey(fileStem(name));
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return new Map(
    things.map(({ id, name }) => {
      const stem = fileStem(name);
      const isAlone = (counts.get(stemKey(stem)) as number) === 1;
      return [id, isAlone ? stem : `${stem.slice(0, 60).replace(/(?<![.-])[.-]+$/, "")}-${shortDigest(id)}`];
    }),
  );
}

const shortDigest = (text: string): string => hashValue("content", text).slice(0, 8);
