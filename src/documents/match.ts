import { canonical, isBlank, type JsonObject, type MemoryId } from "../core/base/index.js";
import type { MemoryRecord } from "../core/ledger/index.js";
import { positionsFor } from "../memories/index.js";
import { giveWay } from "../repo/index.js";
import type { DocNode, Placed } from "./ast.js";
import { derivedId } from "./derived-id.js";
import { textOfNode } from "./node-text.js";

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
      const text = textOfNode(record);
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

/** Words of a text as a bag; letters of scripts without spaces count one by one. */
function bagOf(text: string): Map<string, number> {
  const bag = new Map<string, number>();
  for (const [word] of text
    .toLowerCase()
    .matchAll(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}_]+/gu))
    bag.set(word, (bag.get(word) ?? 0) + 1);
  return bag;
}

const sizeOf = (bag: ReadonlyMap<string, number>): number => {
  let size = 0;
  for (const count of bag.values()) size += count;
  return size;
};

/** How much of two texts is shared, 0 to 1: twice the common words over all words. The same from both sides. */
function similarity(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  const total = sizeOf(a) + sizeOf(b);
  if (total === 0) return 1;
  let shared = 0;
  for (const [word, count] of a) shared += Math.min(count, b.get(word) ?? 0);
  return (2 * shared) / total;
}

/** A word that so many texts have among their rarest no longer distinguishes them; without a limit it would cost the square. */
const COMMON = 500;

interface Pair<A, B> {
  readonly before: A;
  readonly after: B;
  readonly score: number;
}

/**
 * Every pair of at least `floor` similarity, best first. Two texts that are alike must share one of their rarest words, so
 * only texts that do are compared: thousands against thousands stay cheap.
 */
function similarPairs<A extends { readonly text: string }, B extends { readonly text: string }>(
  before: readonly A[],
  after: readonly B[],
  floor: number,
): Pair<A, B>[] {
  const olds = before.map((item) => ({ item, bag: bagOf(item.text) }));
  const news = after.map((item) => ({ item, bag: bagOf(item.text) }));
  const frequency = new Map<string, number>();
  for (const { bag } of [...olds, ...news])
    for (const word of bag.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const rare = (bag: ReadonlyMap<string, number>): string[] => {
    const words = [...bag].sort(
      ([a], [b]) => (frequency.get(a) ?? 0) - (frequency.get(b) ?? 0) || (a < b ? -1 : a > b ? 1 : 0),
    );
    // A partner shares at least floor / (2 - floor) of the words; it cannot lack more than the rest.
    let room = sizeOf(bag) * (1 - floor / (2 - floor));
    const first: string[] = [];
    for (const [word, count] of words) {
      first.push(word);
      room -= count;
      if (room < 0) break;
    }
    return first;
  };
  const index = new Map<string, number[]>();
  for (const [at, { bag }] of olds.entries())
    for (const word of rare(bag)) {
      const list = index.get(word);
      if (list) list.push(at);
      else index.set(word, [at]);
    }
  const pairs: Pair<A, B>[] = [];
  for (const { item, bag } of news) {
    const seen = new Set<number>();
    for (const word of rare(bag))
      if ((index.get(word)?.length ?? 0) <= COMMON) for (const at of index.get(word) ?? []) seen.add(at);
    for (const at of seen) {
      const old = olds[at] as (typeof olds)[number];
      const score = similarity(old.bag, bag);
      if (score >= floor) pairs.push({ before: old.item, after: item, score });
    }
  }
  return pairs.sort((a, b) => b.score - a.score);
}

export interface Step {
  readonly id: MemoryId;
  readonly node: DocNode;
  readonly parent: MemoryId | undefined;
  readonly position: string | undefined;
  /** What is stored under the id now. */
  readonly before: MemoryRecord | undefined;
  readonly isChanged: boolean;
  readonly isMoved: boolean;
}

export interface Plan {
  /** Parents before children: whatever is written finds its parent in place. */
  readonly steps: readonly Step[];
  /** Children before parents. */
  readonly removed: readonly MemoryRecord[];
}

interface Target {
  readonly parent: MemoryId | undefined;
  /** The stored root and everything below it, parents first; empty for a new tree. */
  readonly stored: readonly MemoryRecord[];
  /** A record anywhere in the scope, for nodes that come from another tree. */
  lookup(id: MemoryId): MemoryRecord | undefined;
  /** Was it made by reading a document? Only those are forgotten when the document no longer has them. */
  isOurs(record: MemoryRecord): boolean;
}

/** Which memory each node of a tree, parents first, is. */
export const idsOf = (
  list: readonly Placed[],
  root: MemoryId,
  stored: readonly MemoryRecord[],
): Promise<MemoryId[]> => new Matcher(list, root, stored).run();

/** What has to happen so that the stored tree becomes this one, its nodes having these ids. */
export function planTree(list: readonly Placed[], ids: readonly MemoryId[], target: Target): Plan {
  const known = new Map(target.stored.map((record) => [record.id, record]));
  const before = ids.map((id) => known.get(id) ?? target.lookup(id));
  const parents = list.map(({ parent }) => (parent === undefined ? target.parent : ids[parent]));
  const positions = places(
    list.map(({ parent }) => parent),
    before,
    parents,
  );
  const steps = list.map(({ node }, at): Step => {
    const [id, was, parent] = [ids[at] as MemoryId, before[at], parents[at]];
    // The root keeps the place it has among its siblings.
    const position = at === 0 ? (was?.parent === parent ? was?.position : undefined) : positions[at];
    const isMoved = was !== undefined && (was.parent !== parent || was.position !== position);
    return {
      id,
      node,
      parent,
      position,
      before: was,
      isChanged: was !== undefined && !saysSame(was, node),
      isMoved,
    };
  });
  const used = new Set(ids);
  const removed = target.stored
    .filter((record) => !used.has(record.id) && target.isOurs(record))
    .toReversed();
  return { steps, removed };
}

function places(
  parentIndex: readonly (number | undefined)[],
  before: readonly (MemoryRecord | undefined)[],
  parents: readonly (MemoryId | undefined)[],
): (string | undefined)[] {
  const siblings = new Map<number, number[]>();
  for (const [at, parent] of parentIndex.entries()) {
    if (parent === undefined) continue;
    const list = siblings.get(parent);
    if (list) list.push(at);
    else siblings.set(parent, [at]);
  }
  const positions: (string | undefined)[] = new Array(parentIndex.length);
  for (const list of siblings.values()) {
    const current = list.map((at) => (before[at]?.parent === parents[at] ? before[at]?.position : undefined));
    for (const [index, position] of positionsFor(current).entries())
      positions[list[index] as number] = position;
  }
  return positions;
}

/** Does a stored node say what the document says? Where it hangs is another question. */
export function saysSame(record: MemoryRecord, { type, text, attributes, tags }: DocNode): boolean {
  return (
    record.type === type &&
    record.text === text &&
    isAlike(record.attributes ?? {}, attributes) &&
    isAlike(record.tags ?? [], [...new Set(tags)].sort())
  );
}

/** Are these the same JSON, in whatever order their keys stand? Without writing it out, for thousands of nodes. */
function isAlike(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b))
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, at) => isAlike(item, b[at]))
    );
  const [left, right] = [a as JsonObject, b as JsonObject];
  const isCovered = (one: JsonObject, other: JsonObject) =>
    Object.keys(one).every((key) => one[key] === undefined || Object.hasOwn(other, key));
  return isCovered(right, left) && Object.keys(left).every((key) => isAlike(left[key], right[key]));
}
