import {
  type BranchName,
  type Hash,
  idKey,
  type MemoryId,
  type Scope,
  scopeKey,
} from "../../core/base/index.js";
import {
  byCodeUnit,
  type Counters,
  clears,
  laneOf,
  type MemoryRecord,
  parentLink,
  type Sensitivity,
  sensitivityOf,
  type Tip,
  topicLink,
} from "../../core/ledger/index.js";
import { comparesBeliefs, isInjected, type Neighbourhood, NOTHING_NEAR } from "../../gate/index.js";
import { facet, frequencyOf, nearest, Scene, select, termsOf, WorkingView } from "../../index/index.js";
import type { Caller } from "../caller.js";
import type { Views } from "../live/views.js";
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

/** How many neighbours are compared word by word. */
const NEIGHBOURS = 8;

type Step = { readonly before: Entry | undefined; readonly after: Entry | null } | { readonly commit: Hash };

/**
 * What the writes of a draft are compared with: the view of the head it was made on, and its own writes on top. It is
 * made when a belief is judged; a draft that writes none never asks for a view.
 */
export class Surroundings {
  readonly #reader: Reader;
  readonly #branch: BranchName;
  readonly #start: Tip;
  #made: { readonly views: Views; readonly working: WorkingView } | undefined;
  /** What was written before there was a view. */
  #steps: Step[] = [];
  /** Beliefs that are not stored yet. */
  readonly #own = new Map<Hash, MemoryRecord>();
  readonly #newBeliefs = new Map<Caller["recent"], number>();

  constructor(reader: Reader, branch: BranchName, start: Tip) {
    this.#reader = reader;
    this.#branch = branch;
    this.#start = start;
  }

  put(before: Entry | undefined, after: Entry | null): void {
    if (after && laneOf(after.record.type) === "belief") this.#own.set(after.hash, after.record);
    this.#do({ before, after });
  }

  /** What was put so far is part of a commit. */
  settle(commit: Hash): void {
    this.#do({ commit });
  }

  takeBack(): void {
    this.#made?.working.takeBack();
    this.#steps.length = this.#steps.findLastIndex((step) => "commit" in step) + 1;
  }

  countBelief({ recent }: Caller): void {
    this.#newBeliefs.set(recent, (this.#newBeliefs.get(recent) ?? 0) + 1);
  }

  /** A belief that the writer sees in a scope and that says a text word for word. */
  async saying(context: Caller, scope: Scope, text: string, now: string): Promise<MemoryId | undefined> {
    const { view } = await this.#working(context.views);
    const scene = new Scene(view, context.sight, Date.parse(now), scope);
    const near = nearest(scene, text, NEIGHBOURS + 1).map(({ doc }) => view.doc(doc).hash);
    const read = await this.#records(near);
    return near.map((hash) => read.get(hash)).find((record) => record?.text === text)?.id;
  }

  /** What the writer may see around a belief, read beforehand so that the gate need not wait. */
  of(context: Caller, record: MemoryRecord, now: string): Neighbourhood | Promise<Neighbourhood> {
    const { recent, served } = context;
    const find = (shown: string) => served.find(shown);
    const recentBeliefs = () => recent.count() + (this.#newBeliefs.get(recent) ?? 0);
    if (!comparesBeliefs(context.rules)) return { ...NOTHING_NEAR, served: find, recentBeliefs };
    return this.#around(context, record, now).then((near) => ({ ...near, served: find, recentBeliefs }));
  }

  async #around(
    context: Caller,
    record: MemoryRecord,
    now: string,
  ): Promise<Omit<Neighbourhood, "served" | "recentBeliefs">> {
    const { view } = await this.#working(context.views);
    const scene = new Scene(view, context.sight, Date.parse(now), record.scope);
    const { triple, text } = record;
    const near = nearest(scene, text, NEIGHBOURS + 1).map(({ doc }) => doc);
    const held = triple ? select(scene, [facet.bySlot(triple.subject, triple.predicate)]) : [];
    const always = isInjected(record) ? select(scene, [facet.ALWAYS]) : [];
    const isFull = always.length >= context.rules.capacity;
    const wanted = [near, held, isFull ? always : []].map((docs) => docs.map((doc) => view.doc(doc)));
    const read = await this.#records(wanted.flat().map(({ hash }) => hash));
    const [nearRecords, slot, injected] = wanted.map((docs) =>
      docs.flatMap(({ hash }) => read.get(hash) ?? []),
    );
    const termOf = termsOf(text);
    return {
      nearest: nearRecords!,
      slot: slot!,
      count: scene.totals.count,
      frequency: (word) => frequencyOf(scene, termOf(word)),
      injectedCount: always.length,
      injected: injected!.sort((a, b) =>
        byCodeUnit(a.tier === "canon" ? "1" : "0", b.tier === "canon" ? "1" : "0"),
      ),
    };
  }

  /** After the draft is durable: readers go on from the view it led to. */
  publish(tip: Tip): void {
    for (const [recent, count] of this.#newBeliefs) recent.add(count);
    for (const [hash, record] of this.#own) this.#reader.remember(hash, record);
    // A merge may give a memory it did not touch another last version; only following finds that out.
    if (tip.commit.parents.length > 1) return;
    this.#made?.views.advance(this.#branch, this.#start, tip, this.#made.working.view);
  }

  #do(step: Step): void {
    if (!this.#made) this.#steps.push(step);
    else if ("commit" in step) this.#made.working.settle(step.commit);
    else this.#made.working.put(step.before, step.after);
  }

  async #working(views: Views): Promise<WorkingView> {
    if (this.#made) return this.#made.working;
    const working = await views.use(this.#branch, this.#start, (view) => new WorkingView(view));
    this.#made = { views, working };
    for (const step of this.#steps.splice(0)) this.#do(step);
    return working;
  }

  async #records(hashes: readonly Hash[]): Promise<ReadonlyMap<Hash, MemoryRecord>> {
    const stored = hashes.filter((hash) => !this.#own.has(hash));
    if (stored.length === 0) return this.#own;
    const read = await this.#reader.values("memory", stored);
    return { get: (hash: Hash) => this.#own.get(hash) ?? read.get(hash) } as ReadonlyMap<Hash, MemoryRecord>;
  }
}
