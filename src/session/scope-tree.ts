import { type MemoryId, type Scope, scopeKey } from "../base/index.js";
import { type MemoryRecord, parentLink, stateDiff, type Tip } from "../ledger/index.js";
import type { Context } from "./context.js";
import type { Draft } from "./draft.js";
import { visibleRecords } from "./find.js";
import { inOrder } from "./placing.js";
import type { Reader } from "./reader.js";

/**
 * What a session sees of one scope as trees, for whoever has to look at thousands of nodes. It is read once and then
 * follows the head by the difference of two states, so that a whole folder of files costs one read of the scope.
 */
export class ScopeTree {
  readonly #context: Context;
  readonly #scope: Scope;
  readonly #records = new Map<MemoryId, MemoryRecord>();
  readonly #children = new Map<MemoryId, Set<MemoryId>>();
  #tip: Tip | undefined;

  constructor(context: Context, scope: Scope) {
    this.#context = context;
    this.#scope = scope;
  }

  /** Brings it to this head. */
  async follow(reader: Reader, tip: Tip): Promise<void> {
    const from = this.#tip;
    this.#tip = tip;
    if (from?.hash === tip.hash) return;
    if (!from) {
      for (const { record } of await visibleRecords(this.#context, reader, tip, this.#scope))
        this.#put(record);
      return;
    }
    const { changes } = await reader.read([from, tip], (source) =>
      stateDiff(from.commit.root, tip.commit.root, source),
    );
    const here = changes.filter(({ scope }) => scope === scopeKey(this.#scope));
    const hashes = here.flatMap(({ before, after }) => [before, after].filter((hash) => hash !== undefined));
    const records = await reader.values("memory", hashes);
    for (const { before, after } of here) {
      const [was, is] = [before && records.get(before), after && records.get(after)];
      if (was) this.#drop(was.id);
      if (is && this.#context.sight.seesRecord(is)) this.#put(is);
    }
  }

  get(id: MemoryId): MemoryRecord | undefined {
    return this.#records.get(id);
  }

  all(): Iterable<MemoryRecord> {
    return this.#records.values();
  }

  /** A record and everything below it, parents first, siblings in order. */
  below(id: MemoryId): MemoryRecord[] {
    const root = this.#records.get(id);
    const found: MemoryRecord[] = [];
    const seen = new Set<MemoryId>();
    const waiting = root ? [root] : [];
    for (let at = waiting.pop(); at; at = waiting.pop()) {
      if (seen.has(at.id)) continue;
      seen.add(at.id);
      found.push(at);
      const children = [...(this.#children.get(at.id) ?? [])].map((child) => ({
        record: this.#records.get(child) as MemoryRecord,
      }));
      for (const { record } of inOrder(children).toReversed()) waiting.push(record);
    }
    return found;
  }

  #put(record: MemoryRecord): void {
    this.#drop(record.id);
    this.#records.set(record.id, record);
    if (record.parent === undefined) return;
    const siblings = this.#children.get(record.parent);
    if (siblings) siblings.add(record.id);
    else this.#children.set(record.parent, new Set([record.id]));
  }

  #drop(id: MemoryId): void {
    const parent = this.#records.get(id)?.parent;
    this.#records.delete(id);
    if (parent !== undefined) this.#children.get(parent)?.delete(id);
  }
}

/** Does anything hang, or has anything ever hung, below this memory? */
export async function mayHaveChildren(draft: Draft, scope: Scope, id: MemoryId): Promise<boolean> {
  return (await draft.reader.storage.touchLinked(parentLink(scope, id), 1)).length > 0;
}
