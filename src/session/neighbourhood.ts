import type { BranchName, MemoryId, Scope } from "../base/index.js";
import { scopeKey } from "../base/index.js";
import type { Neighbourhood } from "../gate/index.js";
import { type MemoryRecord, scopeEntries, stateDiff, type Tip } from "../ledger/index.js";
import type { Context } from "./context.js";
import { type Entry, isExpired } from "./entries.js";
import type { Reader } from "./reader.js";
import { ScopeIndex } from "./scope-index.js";

/** A scope is read once, at most this many of its memories; from then on its index follows every commit. */
const FIRST_READ = 5_000;
/** A head further away than this is not followed but read anew. */
const FAR = 5_000;

/** The scopes of one branch that have been written to, as of a head. */
interface Base {
  tip: Tip;
  readonly scopes: Map<Scope, ScopeIndex>;
}
const bases = new WeakMap<Reader, Map<BranchName, Base>>();

/** What a draft changed, over the index of the head it was made on. */
export class Surroundings {
  readonly #reader: Reader;
  readonly #branch: BranchName;
  readonly #start: Tip;
  readonly #changed = new Map<Scope, { readonly ids: Set<MemoryId>; readonly index: ScopeIndex }>();
  readonly #newBeliefs = new Map<Context["recent"], number>();

  constructor(reader: Reader, branch: BranchName, start: Tip) {
    this.#reader = reader;
    this.#branch = branch;
    this.#start = start;
  }

  /** Told of every change of the draft, and of every change taken back. */
  move(before: Entry | null | undefined, after: Entry | null): void {
    const { scope, id } = ((after ?? before) as Entry).record;
    const { ids, index } = this.#changes(scope);
    ids.add(id);
    if (after) index.put(after.record);
    else index.remove(id);
  }

  countBelief({ recent }: Context): void {
    this.#newBeliefs.set(recent, (this.#newBeliefs.get(recent) ?? 0) + 1);
  }

  /** What the writer may see around a write to this scope, read beforehand so that the gate can ask at once. */
  async seenBy(context: Context, scope: Scope, now: string): Promise<Neighbourhood> {
    const base = await this.#baseOf(scope);
    const { ids, index } = this.#changes(scope);
    const isMeant = (record: MemoryRecord) => context.sight.seesRecord(record) && !isExpired({ record }, now);
    const isOld = (record: MemoryRecord) => !ids.has(record.id) && isMeant(record);
    const both = (find: (from: ScopeIndex) => MemoryRecord[]) => [
      ...find(base).filter(isOld),
      ...find(index).filter(isMeant),
    ];
    let last: { readonly text: string; readonly found: MemoryRecord[] } | undefined;
    return {
      nearest: (_, text, limit) => {
        if (last?.text !== text)
          last = {
            text,
            found: [...index.nearest(text, limit, isMeant), ...base.nearest(text, limit, isOld)],
          };
        return last.found;
      },
      count: () => base.count + index.count,
      frequency: (_, word) => base.frequency(word) + index.frequency(word),
      slot: (_, subject, predicate) => both((from) => from.slot(subject, predicate)),
      injectedCount: () =>
        base.injectedCount + index.injectedCount < context.rules.capacity
          ? 0
          : both((from) => from.injected()).length,
      injected: (_, limit) =>
        both((from) => from.injected())
          .sort((a, b) => Number(a.tier === "canon") - Number(b.tier === "canon"))
          .slice(0, limit),
      served: (text) => context.served.find(text),
      recentBeliefs: () => context.recent.count() + (this.#newBeliefs.get(context.recent) ?? 0),
    };
  }

  /** After the draft is durable: the index goes on from where it led. */
  settle(tip: Tip): void {
    for (const [recent, count] of this.#newBeliefs) recent.add(count);
    const base = bases.get(this.#reader)?.get(this.#branch);
    if (base?.tip.hash !== this.#start.hash) return;
    for (const [scope, { ids, index }] of this.#changed) {
      const known = base.scopes.get(scope);
      if (!known) continue;
      for (const id of ids) {
        const record = index.get(id);
        if (record) known.put(record);
        else known.remove(id);
      }
    }
    base.tip = tip;
  }

  #changes(scope: Scope) {
    const known = this.#changed.get(scope);
    if (known) return known;
    const changes = { ids: new Set<MemoryId>(), index: new ScopeIndex() };
    this.#changed.set(scope, changes);
    return changes;
  }

  async #baseOf(scope: Scope): Promise<ScopeIndex> {
    const base = await followed(this.#reader, this.#branch, this.#start);
    const known = base.scopes.get(scope);
    if (known) return known;
    const index = await readScope(this.#reader, base.tip, scope);
    base.scopes.set(scope, index);
    return index;
  }
}

/** The index of a branch, brought to this head. A head that it has passed already was lost to another writer. */
async function followed(reader: Reader, branch: BranchName, tip: Tip): Promise<Base> {
  const branches = bases.get(reader) ?? new Map<BranchName, Base>();
  bases.set(reader, branches);
  const base = branches.get(branch);
  if (base && base.tip.commit.generation >= tip.commit.generation) return base;
  const { changes } = base
    ? await reader.read([base.tip, tip], (source) => stateDiff(base.tip.commit.root, tip.commit.root, source))
    : { changes: [] };
  if (!base || changes.length > FAR) {
    const fresh: Base = { tip, scopes: new Map() };
    branches.set(branch, fresh);
    return fresh;
  }
  const hashes = changes.flatMap(({ before, after }) => [before, after].filter((hash) => hash !== undefined));
  const records = await reader.values("memory", hashes);
  for (const { before, after } of changes) {
    const [was, is] = [before && records.get(before), after && records.get(after)];
    if (was) base.scopes.get(was.scope)?.remove(was.id);
    if (is) base.scopes.get(is.scope)?.put(is);
  }
  base.tip = tip;
  return base;
}

async function readScope(reader: Reader, tip: Tip, scope: Scope): Promise<ScopeIndex> {
  const index = new ScopeIndex();
  const { entries } = await reader.read([tip], (source) =>
    scopeEntries(tip.commit.root, scopeKey(scope), source),
  );
  const records = await reader.values(
    "memory",
    entries.slice(0, FIRST_READ).map(([, record]) => record),
  );
  for (const record of records.values()) index.put(record);
  return index;
}
