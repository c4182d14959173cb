import type { MemoryId } from "../base/index.js";
import { fold, isInjected, read, slotKey } from "../gate/index.js";
import { laneOf, type MemoryRecord } from "../ledger/index.js";

/** How many entries of word lists one question may look at, so that its cost does not grow with the store. */
const BUDGET = 400;

/** The beliefs of one scope by their words, texts, slots, and whether they are always injected. */
export class ScopeIndex {
  readonly #records = new Map<MemoryId, MemoryRecord>();
  readonly #words = new Map<string, Set<MemoryId>>();
  readonly #texts = new Map<string, Set<MemoryId>>();
  readonly #slots = new Map<string, Set<MemoryId>>();
  /** Those longest unchanged come first. */
  readonly #injected = new Set<MemoryId>();

  get(id: MemoryId): MemoryRecord | undefined {
    return this.#records.get(id);
  }

  put(record: MemoryRecord): void {
    this.remove(record.id);
    if (laneOf(record.type) !== "belief") return;
    this.#records.set(record.id, record);
    for (const [map, key] of this.#keys(record)) add(map, key, record.id);
    if (isInjected(record)) this.#injected.add(record.id);
  }

  remove(id: MemoryId): void {
    const record = this.#records.get(id);
    if (!record) return;
    this.#records.delete(id);
    this.#injected.delete(id);
    for (const [map, key] of this.#keys(record)) drop(map, key, id);
  }

  #keys({ text, triple }: MemoryRecord): [Map<string, Set<MemoryId>>, string][] {
    const { key, content } = read(text);
    const keys: [Map<string, Set<MemoryId>>, string][] = [[this.#texts, key]];
    for (const word of content) keys.push([this.#words, word]);
    if (triple) keys.push([this.#slots, slotKey(triple.subject, triple.predicate)]);
    return keys;
  }

  /** Those with the same text, then those that share the rarest words, best first. */
  nearest(text: string, limit: number, isMeant: (record: MemoryRecord) => boolean): MemoryRecord[] {
    const scores = new Map<MemoryId, number>();
    for (const id of this.#texts.get(fold(text)) ?? []) scores.set(id, Number.POSITIVE_INFINITY);
    const lists = [...read(text).content].flatMap((word) => this.#words.get(word) ?? []);
    let budget = BUDGET;
    for (const ids of lists.sort((a, b) => a.size - b.size)) {
      const weight = 1 / Math.sqrt(ids.size);
      for (const id of ids) {
        if (budget-- <= 0) break;
        scores.set(id, (scores.get(id) ?? 0) + weight);
      }
    }
    return best(scores, limit * 2)
      .map((id) => this.#records.get(id) as MemoryRecord)
      .filter(isMeant)
      .slice(0, limit);
  }

  get count(): number {
    return this.#records.size;
  }

  frequency(word: string): number {
    return this.#words.get(word)?.size ?? 0;
  }

  slot(subject: string, predicate: string): MemoryRecord[] {
    return this.#all(this.#slots.get(slotKey(subject, predicate)));
  }

  injected(): MemoryRecord[] {
    return this.#all(this.#injected);
  }

  get injectedCount(): number {
    return this.#injected.size;
  }

  #all(ids: ReadonlySet<MemoryId> | undefined): MemoryRecord[] {
    return [...(ids ?? [])].map((id) => this.#records.get(id) as MemoryRecord);
  }
}

/** The ids with the highest scores, best first, without sorting all of them. */
function best(scores: ReadonlyMap<MemoryId, number>, limit: number): MemoryId[] {
  const top: [MemoryId, number][] = [];
  for (const entry of scores) {
    if (top.length === limit && entry[1] <= (top.at(-1)?.[1] ?? 0)) continue;
    const at = top.findIndex(([, score]) => score < entry[1]);
    top.splice(at < 0 ? top.length : at, 0, entry);
    if (top.length > limit) top.pop();
  }
  return top.map(([id]) => id);
}

function add(map: Map<string, Set<MemoryId>>, key: string, id: MemoryId): void {
  const ids = map.get(key);
  if (ids) ids.add(id);
  else map.set(key, new Set([id]));
}

function drop(map: Map<string, Set<MemoryId>>, key: string, id: MemoryId): void {
  const ids = map.get(key);
  ids?.delete(id);
  if (ids?.size === 0) map.delete(key);
}
