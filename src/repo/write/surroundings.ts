import type { BranchName, Hash, MemoryId, Scope } from "../../core/base/index.js";
import { byCodeUnit, laneOf, type MemoryRecord, type Tip } from "../../core/ledger/index.js";
import { comparesBeliefs, isInjected, type Neighbourhood, NOTHING_NEAR } from "../../gate/index.js";
import { facet, frequencyOf, nearest, Scene, select, termsOf, WorkingView } from "../../index/index.js";
import type { Caller } from "../caller.js";
import type { Views } from "../live/views.js";
import type { Entry } from "../read/entries.js";
import type { Reader } from "../read/reader.js";

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
