import { canonical, isBlank, type JsonObject, type MemoryId } from "../core/base/index.js";
import type { MemoryRecord } from "../core/ledger/index.js";
import { giveWay } from "../repo/index.js";
import { derivedId } from "./derived-id.js";
import type { DocNode, Placed } from "./node.js";
import { saidNow } from "./said-now.js";
import { similarPairs } from "./similarity.js";

/** From here on two texts are versions of one. */
const ALIKE = 0.8;

interface Waiting {
  readonly at: number;
  readonly node: DocNode;
  readonly text: string;
}

type Said = Pick<DocNode, "type" | "text"> & { readonly attributes?: JsonObject | undefined };

/** What two nodes of equal text share that are the same, best first. Without text their attributes tell them apart. */
const SAME: readonly ((said: Said, parent: MemoryId | undefined) => string | undefined)[] = [
  (said, parent) => (isBlank(said.text) ? `${said.type}\n${parent}\n${about(said)}` : undefined),
  (said) => (isBlank(said.text) && about(said) !== "{}" ? `${said.type}\n${about(said)}` : undefined),
  ({ type }, parent) => `${type}\n${parent}`,
  ({ type, text }) => (isBlank(text) ? undefined : type),
];
const about = ({ attributes }: Said): string => canonical(attributes ?? {});

/**
 * Decides which stored node each node of a tree is. A node that names its id is that one. Of the others, one with
 * equal content is the same; then one with the same title below the same parent; then the most similar text. What is
 * left is new, and its id follows from its content and place.
 */
export class Matcher {
  readonly ids: (MemoryId | undefined)[];
  readonly #list: readonly Placed[];
  readonly #free: Map<MemoryId, MemoryRecord>;
  readonly #taken = new Set<string>();
  /** How many equal siblings have an id already: a million of them must not count from zero each. */
  readonly #occurrences = new Map<string, number>();

  constructor(list: readonly Placed[], root: MemoryId, stored: readonly MemoryRecord[]) {
    this.#list = list;
    this.ids = list.map(({ node, parent }) =>
      parent === undefined ? root : (node.id as MemoryId | undefined),
    );
    // A second node with an id that is taken already is a copy that forgot to change it.
    const seen = new Set<string>([root]);
    for (const [at, id] of this.ids.entries())
      if (at > 0 && id !== undefined) {
        if (seen.has(id)) this.ids[at] = undefined;
        seen.add(id);
      }
    this.#free = new Map(stored.filter(({ id }) => !seen.has(id)).map((record) => [record.id, record]));
    for (const id of seen) this.#taken.add(id);
    for (const { id } of stored) this.#taken.add(id);
  }

  /** Others have their turn meanwhile: a small file may hold tens of thousands of nodes. */
  async run(): Promise<MemoryId[]> {
    if (this.#free.size > 0) await this.#matchStored();
    for (const [at, { node, parent }] of this.#list.entries()) {
      if (this.ids[at] === undefined)
        this.ids[at] = this.#newId(node, this.ids[parent as number] as MemoryId);
      const pause = giveWay();
      if (pause) await pause;
    }
    return this.ids as MemoryId[];
  }

  async #matchStored(): Promise<void> {
    await this.#byContent();
    await this.#byPlace();
    this.#bySimilarity();
  }

  #take(at: number, id: MemoryId): void {
    this.ids[at] = id;
    this.#free.delete(id);
  }

  #unmatched(): Waiting[] {
    return this.#list.flatMap(({ node }, at) =>
      this.ids[at] === undefined ? [{ at, node, text: node.text }] : [],
    );
  }

  /** Equal content belongs together, first where the parents do too, then in order. */
  async #byContent(): Promise<void> {
    const byText = new Map<string, Queues<MemoryRecord>>();
    for (const record of this.#free.values()) {
      const text = saidNow(record);
      const queues = byText.get(text) ?? new Queues<MemoryRecord>();
      byText.set(text, queues);
      for (const keyOf of SAME) {
        const key = keyOf({ ...record, text }, record.parent);
        if (key !== undefined) queues.add(key, record);
      }
      const pause = giveWay();
      if (pause) await pause;
    }
    const isFree = ({ id }: MemoryRecord) => this.#free.has(id);
    for (const keyOf of SAME)
      for (const { at, node } of this.#unmatched()) {
        const key = keyOf(node, this.#parentOf(at));
        const found = key === undefined ? undefined : byText.get(node.text)?.take(key, isFree);
        if (found) this.#take(at, found.id);
        const pause = giveWay();
        if (pause) await pause;
      }
  }

  /** A headline that kept its title and its place was edited, however much of its text is new. */
  async #byPlace(): Promise<void> {
    const places = new Queues<MemoryRecord>();
    for (const record of this.#free.values())
      places.add(JSON.stringify([record.parent, record.type, record.attributes?.TITLE]), record);
    for (const { at, node } of this.#unmatched()) {
      if (typeof node.attributes.TITLE !== "string") continue;
      const key = JSON.stringify([this.#parentOf(at), node.type, node.attributes.TITLE]);
      const found = places.take(key, ({ id }) => this.#free.has(id));
      if (found) this.#take(at, found.id);
      const pause = giveWay();
      if (pause) await pause;
    }
  }

  #bySimilarity(): void {
    if (this.#free.size === 0) return;
    const pairs = similarPairs([...this.#free.values()], this.#unmatched(), ALIKE);
    for (const { before, after } of pairs)
      if (before.type === after.node.type && this.#free.has(before.id) && this.ids[after.at] === undefined)
        this.#take(after.at, before.id);
  }

  #parentOf(at: number): MemoryId | undefined {
    const { parent } = this.#list[at] as Placed;
    return parent === undefined ? undefined : this.ids[parent];
  }

  #newId({ type, text }: DocNode, parent: MemoryId): MemoryId {
    const alike = `${parent}\n${type}\n${text}`;
    for (let occurrence = this.#occurrences.get(alike) ?? 0; ; occurrence++) {
      const id = derivedId(parent, type, text, occurrence);
      if (this.#taken.has(id)) continue;
      this.#taken.add(id);
      this.#occurrences.set(alike, occurrence + 1);
      return id;
    }
  }
}

/** Lists by key, each taken from the front; what is no longer wanted is left out. */
class Queues<T> {
  readonly #queues = new Map<string, { readonly items: T[]; next: number }>();

  add(key: string, item: T): void {
    const queue = this.#queues.get(key);
    if (queue) queue.items.push(item);
    else this.#queues.set(key, { items: [item], next: 0 });
  }

  take(key: string, isWanted: (item: T) => boolean): T | undefined {
    const queue = this.#queues.get(key);
    while (queue && queue.next < queue.items.length) {
      const item = queue.items[queue.next++] as T;
      if (isWanted(item)) return item;
    }
    return undefined;
  }
}
