import { type Hash, idKey, type MemoryId, type Scope, scopeKey } from "../../core/base/index.js";
import {
  type Counters,
  clears,
  parentLink,
  type Sensitivity,
  sensitivityOf,
  type Tip,
  topicLink,
} from "../../core/ledger/index.js";
import { ChildEnds } from "../read/child-ends.js";
import { type Entry, linkedEntries, loadEntry } from "../read/entries.js";
import type { Reader } from "../read/reader.js";
import { recordAt, rowAt } from "../read/versions.js";

/**
 * The live memories of a head with uncommitted writes laid over them: loaded when asked for, changed in RAM, and
 * able to take back what was changed since the last settled point.
 */
export class WorkingState {
  readonly #reader: Reader;
  readonly #start: Tip;
  readonly #entries = new Map<string, Entry | null>();
  readonly #children = new Map<string, Map<MemoryId, Entry>>();
  readonly #childrenLoaded = new Set<string>();
  readonly #topics = new Map<string, MemoryId>();
  readonly #gone = new Map<string, Counters>();
  readonly #put = new Set<string>();
  readonly #ends: ChildEnds;
  #undo: (() => void)[] = [];

  constructor(reader: Reader, start: Tip) {
    this.#reader = reader;
    this.#start = start;
    this.#ends = new ChildEnds(reader.ends?.at === start.hash ? reader.ends.ends : undefined);
  }

  async entry(scope: Scope, id: MemoryId): Promise<Entry | undefined> {
    const key = keyOf(scope, id);
    const known = this.#entries.get(key);
    if (known !== undefined) return known ?? undefined;
    const entry = await loadEntry(this.#reader, this.#start, scopeKey(scope), idKey(id));
    this.#entries.set(key, entry ?? null);
    return entry;
  }

  async children(scope: Scope, parent: MemoryId): Promise<ReadonlyMap<MemoryId, Entry>> {
    const key = keyOf(scope, parent);
    const found = this.#siblings(key);
    if (this.#childrenLoaded.has(key)) return found;
    this.#childrenLoaded.add(key);
    for (const { record } of await linkedEntries(this.#reader, this.#start, parentLink(scope, parent))) {
      const current = await this.entry(scope, record.id);
      if (current?.record.parent === parent) found.set(record.id, current);
    }
    return found;
  }

  /** The place of the last child of a parent that a clearance sees, `id` left out of account. */
  async lastPlace(
    scope: Scope,
    parent: MemoryId,
    clearance: Sensitivity,
    id: MemoryId,
  ): Promise<string | undefined> {
    const key = keyOf(scope, parent);
    const known = this.#ends.after(key, clearance, id);
    if (known) return known.position;
    const children = [...(await this.children(scope, parent)).values()].map(({ record }) => record);
    this.#ends.learn(key, children);
    return children
      .filter((record) => record.id !== id && clears(clearance, sensitivityOf(record)))
      .reduce<string | undefined>(
        (last, { position = "" }) => (last === undefined || position > last ? position : last),
        undefined,
      );
  }

  async topicHolder(scope: Scope, topic: string): Promise<Entry | undefined> {
    const known = this.#topics.get(keyOf(scope, topic));
    const held = async (ids: readonly MemoryId[]) => {
      for (const id of ids) {
        const current = await this.entry(scope, id);
        if (current?.record.topic === topic) return current;
      }
      return undefined;
    };
    const linked = async (newest?: number) =>
      (await linkedEntries(this.#reader, this.#start, topicLink(scope, topic), newest)).map(
        ({ record }) => record.id,
      );
    // Nearly always the last writer of a topic holds it; its history may be long.
    return (
      (await held(known === undefined ? [] : [known])) ??
      (await held(await linked(1))) ??
      (await held(await linked()))
    );
  }

  /** What the counters of a key stand at: of its live version, or of a forgotten one. */
  async counters(scope: Scope, id: MemoryId): Promise<Counters | undefined> {
    const live = await this.entry(scope, id);
    if (live) return countersOf(live);
    const here = this.#gone.get(keyOf(scope, id));
    if (here) return here;
    const erased = await this.erasedHash(scope, id);
    return rowAt(this.#reader, this.#start, scopeKey(scope), idKey(id), erased);
  }

  /** The hash that the state holds where nothing can be read any more, because it was erased. */
  async erasedHash(scope: Scope, id: MemoryId): Promise<Hash | undefined> {
    if (this.#reader.epoch === 0 || this.#put.has(keyOf(scope, id))) return undefined;
    return recordAt(this.#reader, this.#start, scopeKey(scope), idKey(id));
  }

  /** Puts an entry under its key and among its siblings; null forgets. */
  put(before: Entry | undefined, after: Entry | null): void {
    const { scope, id, topic } = (after ?? (before as Entry)).record;
    const key = keyOf(scope, id);
    const isFirst = !this.#put.has(key);
    this.#put.add(key);
    const move = (from: Entry | null | undefined, to: Entry | null) => {
      this.#entries.set(key, to);
      if (from?.record.parent) this.#siblings(keyOf(scope, from.record.parent)).delete(id);
      if (to?.record.parent) this.#siblings(keyOf(scope, to.record.parent)).set(id, to);
    };
    if (topic !== undefined) this.#topics.set(keyOf(scope, topic), id);
    if (!after && before) this.#gone.set(key, { ...countersOf(before), version: before.version + 1 });
    this.#undo.push(() => {
      move(after, before ?? null);
      if (isFirst) this.#put.delete(key);
    });
    move(before, after);
    if (after?.record.parent) this.#ends.add(keyOf(scope, after.record.parent), after.record);
  }

  /** This state is stored under a commit: a state that goes on from there need not look at siblings again. */
  passOn(at: Hash): void {
    this.#reader.ends = { at, ends: this.#ends.passedOn() };
  }

  /** What was put so far stays. */
  settle(): void {
    this.#undo = [];
  }

  /** Takes back what was put since the last `settle`. */
  takeBack(): void {
    for (const step of this.#undo.reverse()) step();
    this.#undo = [];
  }

  #siblings(key: string): Map<MemoryId, Entry> {
    const known = this.#children.get(key);
    if (known) return known;
    const siblings = new Map<MemoryId, Entry>();
    this.#children.set(key, siblings);
    return siblings;
  }
}

const keyOf = (scope: Scope, name: string): string => `${scope}\n${name}`;

export const countersOf = ({ version, created, record }: Entry): Counters => ({
  version,
  created,
  sensitivity: sensitivityOf(record),
});
