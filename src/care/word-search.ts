import { type Hash, isHash, type JsonObject, latePattern } from "../core/base/index.js";
import {
  CHECKOUTS,
  type Commit,
  ERASED,
  HEADS,
  type MemoryRecord,
  type Operation,
  STAGING,
  snapshotInfo,
  TAGS,
} from "../core/ledger/index.js";
import { seesOperation } from "../history/index.js";
import { seesStaged } from "../memories/index.js";
import { SCRATCH, scratchOwner } from "../palace/index.js";
import { type Context, changesVisibly, type Reader, type RowSight, rowSight } from "../repo/index.js";
import type { ObjectKind, Ref, RefMove, StoredObject } from "../storage/index.js";
import type { Doomed } from "./erase-target.js";
import type { WordPlace } from "./receipt.js";

/** Something stored that says the words. */
export interface Found extends Saying {
  readonly in: "memory" | "note" | "history" | "ref" | "side";
  /** The hash of an object, the name of a ref, the key of a note beside the truth. */
  readonly source: string;
  /** Of a memory. */
  readonly record?: MemoryRecord;
}

export interface WordsFound {
  /** What the session sees of it. */
  readonly seen: readonly Found[];
  /** Words that something in the store says, seen or not. */
  readonly said: ReadonlySet<string>;
}

/** All kinds but nodes, which hold hashes only: what is new is searched too. */
const KINDS: readonly ObjectKind[] = ["memory", "changeset", "commit", "note", "operation", "tombstone"];

interface Held {
  readonly hash: Hash;
  readonly kind: ObjectKind;
  readonly value: unknown;
  readonly sayings: readonly Saying[];
}

/**
 * Looks for words in everything that a store can say, whatever kind of thing it is: objects, names of refs and what is said
 * of them, notes beside the truth. Asked again it reads only what was written since; what was erased is for a new one.
 */
export class WordSearch {
  readonly #reader: Reader;
  readonly #context: Context;
  readonly #words: readonly Word[];
  readonly #spelt: readonly (readonly [word: Word, spelling: string])[];
  readonly #held: Held[] = [];
  readonly #said = new Set<string>();
  readonly #sees: Sighted;
  #seq = 0;

  constructor(reader: Reader, context: Context, words: readonly Word[]) {
    this.#reader = reader;
    this.#context = context;
    this.#sees = new Sighted(reader, context);
    this.#words = words.filter(({ text }) => text !== "");
    this.#spelt = this.#words.map((word) => [word, insideJson(word.text)]);
  }

  /** `coming` are objects that are about to be written by this session. */
  async find(coming: readonly StoredObject[] = []): Promise<WordsFound> {
    if (this.#words.length === 0) return { seen: [], said: new Set() };
    const { storage } = this.#reader;
    const containing = this.#spelt.map(([, spelling]) => Buffer.from(spelling));
    for await (const { seq, ...object } of storage.scan({ kinds: KINDS, after: this.#seq, containing })) {
      this.#seq = seq;
      const held = this.#heldIn(object);
      if (held) this.#held.push(held);
    }
    const seen = [...(await this.#seenOf(this.#held)), ...(await this.#inRefs()), ...(await this.#besides())];
    for (const object of coming) {
      const held = KINDS.includes(object.kind) && this.#heldIn(object);
      if (held) seen.push(...foundIn({ ...held, sayings: await this.#sees.sayings(held) }));
    }
    return { seen, said: this.#said };
  }

  #heldIn({ hash, kind, bytes }: StoredObject): Held | undefined {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
    const value = this.#parsed(text);
    const sayings = [...sayingsIn(value, this.#words)].filter(
      ({ word, path }) => !(kind === "memory" && word.isName && OWN_NAMES.has(path[0] as string)),
    );
    return sayings.length > 0 ? { hash, kind, value, sayings } : undefined;
  }

  /** Undefined where the words are not, or what is damaged: then the search of all bytes tells of it. */
  #parsed(json: string): unknown {
    const there = this.#spelt.filter(([, spelling]) => json.includes(spelling));
    if (there.length === 0) return undefined;
    try {
      const value: unknown = JSON.parse(json);
      for (const [{ text }] of there) this.#said.add(text);
      return value;
    } catch {
      return undefined;
    }
  }

  async #seenOf(held: readonly Held[]): Promise<Found[]> {
    if (held.some(({ kind }) => kind !== "memory")) await this.#sees.learn();
    const found: Found[] = [];
    for (const one of held)
      if (await this.#sees.object(one))
        found.push(...foundIn({ ...one, sayings: await this.#sees.sayings(one) }));
    return found;
  }

  async #inRefs(): Promise<Found[]> {
    const found: Found[] = [];
    for (const [name, ref] of await this.#reader.storage.refs("")) {
      if (name.startsWith(ERASED)) continue;
      const value = { name: spoken(name), meta: ref.meta };
      this.#parsed(JSON.stringify([name, ref.meta]));
      const sayings = [...sayingsIn(value, this.#words)];
      if (sayings.length > 0 && (await this.#seesRef(name, ref)))
        found.push(...sayings.map((saying) => ({ ...saying, in: "ref" as const, source: name })));
    }
    return found;
  }

  /** Names and purposes are everybody's; where an agent works, and what it keeps for itself, is its own. */
  async #seesRef(name: string, { target, meta }: Ref): Promise<boolean> {
    const { agent, sight } = this.#context;
    if (sight.isWhole) return true;
    if (name.startsWith(STAGING)) return seesStaged(this.#context, target);
    if (name.startsWith(CHECKOUTS)) return name === CHECKOUTS + agent;
    if (name.startsWith("snapshots/")) {
      const { label, agent: owner } = snapshotInfo(meta);
      return label !== undefined || owner === agent;
    }
    return name.startsWith(HEADS) || name.startsWith(TAGS);
  }

  async #besides(): Promise<Found[]> {
    const { agent, sight } = this.#context;
    const found: Found[] = [];
    for (const [key, text] of await this.#reader.storage.sides("")) {
      const value = jsonOr(text);
      this.#parsed(JSON.stringify([key, value]));
      const isOwn = (pad: string | undefined) => pad !== undefined && scratchOwner(pad) === agent;
      const sayings = [...sayingsIn({ key, value }, this.#words)].filter(
        // The list of all pads has a line for each.
        ({ path }) => sight.isWhole || isOwn(key === SCRATCH ? path[1] : key),
      );
      found.push(...sayings.map((saying) => ({ ...saying, in: "side" as const, source: key })));
    }
    return found;
  }
}

/** What a memory is called itself. */
const OWN_NAMES = new Set(["id", "topic"]);

/** The part of a ref's name that somebody chose. */
function spoken(name: string): string {
  const [kind = "", second = "", ...rest] = name.split("/");
  return kind === "snapshots" || kind === "staging" ? second : [second, ...rest].join("/");
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

const foundIn = ({ hash, kind, value, sayings }: Held): Found[] =>
  sayings.map((saying) => ({
    ...saying,
    in: kind === "memory" || kind === "note" ? kind : "history",
    source: hash,
    ...(kind === "memory" && { record: value as MemoryRecord }),
  }));

/** What of the history a session may know. */
export class Sighted {
  readonly #reader: Reader;
  readonly #context: Context;
  readonly #visible: RowSight;
  #seq = 0;
  /** Commits that wait or waited: they are seen only as a whole. */
  readonly #staged = new Set<Hash>();
  readonly #namers = new Map<
    Hash,
    { readonly kind: ObjectKind; readonly hash: Hash; readonly value: object }[]
  >();

  constructor(reader: Reader, context: Context) {
    this.#reader = reader;
    this.#context = context;
    this.#visible = rowSight(context);
  }

  /** Which commits and operations name a note, and which commits wait beside a branch. */
  async learn(): Promise<void> {
    if (this.#context.sight.isWhole) return;
    for await (const { hash, kind, bytes, seq } of this.#reader.storage.scan({
      kinds: ["commit", "operation"],
      after: this.#seq,
      containing: [Buffer.from('"note":"'), Buffer.from(STAGING)],
    })) {
      this.#seq = seq;
      const value = jsonOr(Buffer.from(bytes).toString()) as Commit | Operation;
      const { note } = value;
      if (note !== undefined)
        this.#namers.set(note, [...(this.#namers.get(note) ?? []), { kind, hash, value }]);
      if ("refs" in value)
        for (const { name, before, after } of value.refs)
          if (name.startsWith(STAGING))
            for (const commit of [before, after]) if (commit) this.#staged.add(commit);
    }
  }

  /** A commit or an operation of which a note says something. */
  async namer({ hash, kind }: Pick<Held, "hash" | "kind">): Promise<boolean> {
    await this.learn();
    if (kind !== "operation" || this.#context.sight.isWhole) return this.object({ hash, kind, value: {} });
    const value = (await this.#reader.values("operation", [hash])).get(hash);
    return value !== undefined && this.object({ hash, kind, value });
  }

  async object({ hash, kind, value }: Pick<Held, "hash" | "kind" | "value">): Promise<boolean> {
    const { sight, author } = this.#context;
    if (sight.isWhole) return true;
    if (kind === "memory") return sight.seesRecord(value as MemoryRecord);
    if (kind === "operation") {
      const operation = value as Operation;
      return seesOperation(this.#context, operation, this.#visible);
    }
    if (kind === "commit") return this.#commit(hash);
    if (kind === "note") return this.#note(hash);
    return (value as Partial<Commit>).author?.id === author.id;
  }

  /** An operation that is seen may have moved what waits out of sight as well: then the name of that is not given. */
  async sayings({ kind, value, sayings }: Held): Promise<readonly Saying[]> {
    if (kind !== "operation" || this.#context.sight.isWhole) return sayings;
    const hidden = new Set<string>();
    for (const { name, before, after } of (value as Operation).refs) {
      const commit = after ?? before;
      if (name.startsWith(STAGING) && commit && !(await seesStaged(this.#context, commit))) hidden.add(name);
    }
    return sayings.filter(({ path, value: name }) => path[0] !== "refs" || !hidden.has(name));
  }

  async #commit(hash: Hash): Promise<boolean> {
    if (this.#staged.has(hash)) return seesStaged(this.#context, hash);
    return changesVisibly(this.#reader, hash, this.#visible);
  }

  async #note(hash: Hash): Promise<boolean> {
    for (const namer of this.#namers.get(hash) ?? []) if (await this.object(namer)) return true;
    return false;
  }
}

/** Words that are looked for in everything a store says. */
export interface Word {
  readonly text: string;
  /** Only as a whole value: a short name is a part of many words that do not mean it. */
  readonly isWhole: boolean;
  /** What an erased memory was called: what others are called themselves is theirs. */
  readonly isName: boolean;
}

/** Characters from which on words are hardly a part of others by chance. */
const TELLING = 8;

export const wordOf = (text: string): Word => ({ text, isWhole: false, isName: false });
export const nameWord = (text: string): Word => ({ text, isWhole: text.length < TELLING, isName: true });

/** A value that says the words, and the names of the fields that lead to it. */
interface Saying {
  readonly word: Word;
  readonly path: readonly string[];
  readonly value: string;
}

/** Fields that hold one of a few words of ours, or bytes that mean nothing: but not where callers choose the fields. */
const OURS = new Set(
  "v salt textDigest tier lifetime sensitivity trust op verb status kind generation time created".split(" "),
);
/** Below these callers choose names, and numbers may be what they wanted to say. */
const FREE = new Set(["attributes", "meta", "value", "data", "base", "cost", "verdict"]);
/** Ids of our own making and hashes, whole or the beginning that we show, have digits and letters in a row by chance. */
const MADE = latePattern(
  "g",
)`(?<![0-9A-Za-z])(?:(?:mem|topic|obs|snap)-[0-9a-f-]{12,}|[0-9a-f]{64}|(?=[a-f]{0,11}\d)(?=\d{0,11}[a-f])[0-9a-f]{12})(?![0-9A-Za-z])`;
const TIME = latePattern("")`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`;

/** Every value and every name of a field, as deep as they lie, that says one of the words. */
function* sayingsIn(value: unknown, words: readonly Word[]): Generator<Saying> {
  yield* inside(value, words, [], false);
}

function* inside(
  value: unknown,
  words: readonly Word[],
  path: readonly string[],
  isFree: boolean,
): Generator<Saying> {
  if (typeof value === "string") yield* saying(value, words, path);
  else if (typeof value === "number" && isFree) yield* saying(String(value), words, path);
  else if (Array.isArray(value)) for (const item of value) yield* inside(item, words, path, isFree);
  else if (typeof value === "object" && value !== null)
    for (const [key, item] of Object.entries(value)) {
      if (isFree) yield* saying(key, words, [...path, key]);
      else if (OURS.has(key)) continue;
      yield* inside(item, words, [...path, key], isFree || FREE.has(key));
    }
}

function* saying(value: string, words: readonly Word[], path: readonly string[]): Generator<Saying> {
  // Hashes and times of ours have digits in a row by chance.
  if (isHash(value) || (TIME().test(value) && !path.includes("attributes"))) return;
  for (const word of words) if (says(value, word)) yield { word, path, value };
}

export function says(value: string, { text, isWhole }: Word): boolean {
  if (isWhole) return value === text;
  return value.includes(text) && (text.length >= TELLING || value.replace(MADE(), "\0").includes(text));
}

/** As it stands in JSON. */
const insideJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** A receipt is read by people: a word that everybody uses stands in more places than anybody looks at. */
const MOST_PLACES = 1_000;

/** Each place once, in an order that follows from what they are. */
export function placesIn(found: readonly Found[]): WordPlace[] {
  const places = new Map<string, WordPlace>();
  for (const one of found) {
    const place = placeOf(one);
    places.set(`${place.place}\n${place.name}`, place);
  }
  const sorted = [...places].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return sorted.slice(0, MOST_PLACES).map(([, place]) => place);
}

const HISTORY =
  "the history says it for good, because its hashes rest on it: `pal export` what is to stay and `pal import` it into a new store";

function placeOf(found: Found): WordPlace {
  if (found.in === "memory") return ofMemory(found);
  if (found.in === "note") return ofNote(found);
  if (found.in === "ref") return ofRef(found);
  if (found.in === "side") return ofSide(found);
  const field = found.path.at(-1) === "id" ? "author" : (found.path.findLast((key) => key !== "name") ?? "");
  return { place: `${FIELDS[field] ?? field} in the history`, name: found.value, how: HISTORY };
}

const FIELDS: { readonly [field: string]: string } = { refs: "name of a ref", branch: "name of a branch" };

function ofMemory({ record, path }: Found): WordPlace {
  const { scope = "", id = "" } = record ?? {};
  const field = path.join(".");
  return {
    place: `${field} of a memory, in some version`,
    name: `${id} (${scope})`,
    how: `\`pal erase ${id} --scope ${scope}\``,
  };
}

const ofNote = ({ path, source, word }: Found): WordPlace => ({
  place: `${path[0] === "meta" ? "data" : path[0] === "why" ? "reason" : path[0]} of a commit or an operation`,
  name: source.slice(0, 12),
  how: `\`pal erase --containing ${JSON.stringify(word.text)}\``,
});

function ofRef({ source, path }: Found): WordPlace {
  const isName = path[0] === "name";
  if (source.startsWith(TAGS) && isName) {
    const name = source.slice(TAGS.length);
    return { place: "name of a tag", name, how: `\`pal tag --delete ${name}\`, then what the history says` };
  }
  if (source.startsWith(HEADS) && isName) {
    const name = source.slice(HEADS.length);
    const how = `\`pal rename-branch ${name} <new-name>\`, then what the history says`;
    return { place: "name of a branch", name, how };
  }
  const field = path.slice(1).join(".");
  const how = CLEARED.has(field) ? "`pal erase --containing` it" : HISTORY;
  return { place: isName ? "name of a ref" : `${field} of a ref`, name: source, how };
}

/** What is said of a ref in words; the rest are names that others lead to. */
export const CLEARED: ReadonlySet<string> = new Set(["purpose", "persona", "label"]);

const ofSide = ({ source }: Found): WordPlace => ({
  place: "scratchpad or other note beside the memories",
  name: source,
  how: "`pal scratch clear` of its agent and session, or `pal erase --containing` it",
});

/** What else an erasure looks for than memories: the words that were asked, or else what the memories were called. */
export function wordsOf(containing: string | undefined, doomed: readonly Doomed[]): Word[] {
  if (containing !== undefined) return [wordOf(containing)];
  const names = doomed.flatMap(({ record: { id, topic } }) => (topic === undefined ? [id] : [id, topic]));
  return [...new Set(names)].map(nameWord);
}

/** What goes with the words, outside of memories. */
export interface GoingWords {
  /** What was said of commits and operations. */
  readonly notes: ReadonlySet<Hash>;
  /** Keys of scratchpads. */
  readonly pads: ReadonlySet<string>;
  /** Names of refs of which something else is said, or nothing, from now on. */
  readonly described: ReadonlySet<string>;
  readonly words: readonly Word[];
}

export const NO_WORDS: GoingWords = { notes: new Set(), pads: new Set(), described: new Set(), words: [] };

/** Of what the session sees: notes, scratchpads, and what is said of branches and snapshots. Names stay what they are. */
export function goingWords({ seen }: WordsFound, words: readonly Word[]): GoingWords {
  const of = <T extends string>(isMeant: (one: Found) => boolean): ReadonlySet<T> =>
    new Set(seen.filter(isMeant).map(({ source }) => source as T));
  return {
    notes: of((one) => one.in === "note"),
    pads: of((one) => one.in === "side" && one.source.startsWith(`${SCRATCH}/`)),
    described: of(
      (one) =>
        one.in === "ref" && !one.source.startsWith(STAGING) && CLEARED.has(one.path.slice(1).join(".")),
    ),
    words,
  };
}

/** A snapshot that has a label is kept for good; it still has one. */
const LABEL = "erased";

/** Moves that say of refs what was said, without the words. */
export async function describedAnew(
  { storage }: Reader,
  { described, words }: GoingWords,
): Promise<RefMove[]> {
  const moves: RefMove[] = [];
  for (const name of described) {
    const ref = await storage.ref(name);
    if (!ref?.meta) continue;
    const isGone = (value: unknown) => typeof value === "string" && words.some((word) => says(value, word));
    const kept = Object.entries(ref.meta).flatMap(([key, value]): [string, JsonObject[string]][] => {
      if (!CLEARED.has(key) || !isGone(value)) return [[key, value]];
      return key === "label" ? [[key, LABEL]] : [];
    });
    moves.push({ name, expect: ref.target, next: { target: ref.target, meta: Object.fromEntries(kept) } });
  }
  return moves;
}

/** Heads move by commits too: one move for each ref, that says both. */
export function withDescriptions(moves: readonly RefMove[], described: readonly RefMove[]): RefMove[] {
  const byName = new Map(described.map((move) => [move.name, move]));
  const heads = moves.map((move) => {
    const meta = byName.get(move.name)?.next?.meta;
    if (!meta || !move.next || !move.name.startsWith(HEADS)) return move;
    byName.delete(move.name);
    return { ...move, next: { ...move.next, meta } };
  });
  return [...heads, ...byName.values()];
}

/** For the log: of what something else is said now, and where it stays, or where the commits before this one left it. */
export const stayingAt = (moves: readonly RefMove[], { described }: GoingWords): RefMove[] =>
  moves.flatMap(({ name, next }) =>
    next && described.has(name) ? [{ name, expect: next.target, next: { target: next.target } }] : [],
  );
