import type { Hash } from "../core/base/index.js";
import type { Commit, MemoryRecord, Operation } from "../core/ledger/index.js";
import { CHECKOUTS, ERASED, HEADS, STAGING, snapshotInfo, TAGS } from "../core/ledger/index.js";
import { seesOperation } from "../history/index.js";
import { seesStaged } from "../memories/index.js";
import { SCRATCH, scratchOwner } from "../palace/index.js";
import type { Context, Reader } from "../repo/index.js";
import { changesVisibly, type RowSight, rowSight } from "../repo/index.js";
import type { ObjectKind, Ref, StoredObject } from "../storage/index.js";
import { insideJson, type Saying, sayingsIn, type Word } from "./word-values.js";

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
class Sighted {
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

  /** An operation that is seen may have moved what waits out of sight as well: then the name of that is not told. */
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
