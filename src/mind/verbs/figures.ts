import { type BranchName, type Hash, type Timestamp, timestamp } from "../../core/base/index.js";
import type { Tip } from "../../core/ledger/index.js";
import { Scene, select } from "../../index/index.js";
import type { At, Context, Reader } from "../../repo/index.js";
import type { FiguresOptions } from "../options.js";
import { type VaultStats, vaultStats } from "./vault-stats.js";

/** Everything that can be counted about what a session sees. */
export interface Figures extends VaultStats {
  /** How many of the memories that live now were there at each of some times, oldest first. */
  readonly growth: readonly { readonly time: Timestamp; readonly memories: number }[];
  readonly byAuthor: Readonly<Record<string, number>>;
  /** Where they came from; absent when there are too many to read them for it. */
  readonly bySource?: Readonly<Record<string, number>>;
  /** Memories of each branch. */
  readonly byBranch: Readonly<Record<string, number>>;
}

const POINTS = 48;
const MOST_READ = 20_000;
const MOST_BRANCHES = 50;
const PAGE = 1_000;

export async function figures(at: At, { full = false, onProgress }: FiguresOptions): Promise<Figures> {
  const { context, reader, tip, now } = at;
  const stats = await vaultStats(at);
  const isRead = full || stats.memories <= MOST_READ;
  const seen = await look(context, tip, now, isRead);
  return {
    ...stats,
    growth: growthOf(seen.created, seen.latest),
    byAuthor: sorted(seen.authors),
    ...(isRead && { bySource: await sourcesOf(reader, seen.hashes, onProgress) }),
    byBranch: await branchesOf(context, now),
  };
}

/** What the view tells without a memory being read. */
function look({ views, branch, sight }: Context, tip: Tip, now: string, withHashes: boolean) {
  return views.use(branch, tip, (view) => {
    const docs = select(new Scene(view, sight, Date.parse(now)), []);
    const created = new Float64Array(docs.length);
    const authors = new Map<string, number>();
    const hashes: Hash[] = [];
    let latest = 0;
    for (const [at, number] of docs.entries()) {
      const doc = view.doc(number);
      created[at] = doc.created;
      latest = Math.max(latest, doc.updated);
      if (withHashes) hashes.push(doc.hash);
      authors.set(doc.author.id, (authors.get(doc.author.id) ?? 0) + 1);
    }
    return { created: created.sort(), authors, hashes, latest };
  });
}

/** Up to the last change of what is seen: when somebody else wrote last is none of the session's business. */
function growthOf(created: Float64Array, now: number): Figures["growth"] {
  const first = created[0];
  if (first === undefined) return [];
  const step = Math.max(1, (now - first) / (POINTS - 1));
  let at = 0;
  return Array.from({ length: POINTS }, (_, index) => {
    const time = index === POINTS - 1 ? now : first + index * step;
    while (at < created.length && (created[at] as number) <= time) at++;
    return { time: timestamp(Math.round(time)), memories: at };
  });
}

async function sourcesOf(
  reader: Reader,
  hashes: readonly Hash[],
  onProgress: FiguresOptions["onProgress"],
): Promise<Record<string, number>> {
  const counts = new Map<string, number>();
  for (let at = 0; at < hashes.length; at += PAGE) {
    onProgress?.(at, hashes.length);
    const page = hashes.slice(at, at + PAGE);
    const records = await reader.values("memory", page);
    for (const { origin } of records.values())
      counts.set(origin.source, (counts.get(origin.source) ?? 0) + 1);
    for (const hash of page) if (!records.has(hash)) await reader.missed(hash);
  }
  return sorted(counts);
}

async function branchesOf(context: Context, now: string): Promise<Record<string, number>> {
  const { views, sight } = context;
  const { reader } = context.engine;
  const heads = [...(await reader.storage.refs("heads/"))].slice(0, MOST_BRANCHES);
  const counts: Record<string, number> = {};
  for (const [ref, { target }] of heads) {
    const name = ref.slice("heads/".length) as BranchName;
    const tip = await reader.tip(target);
    counts[name] = await views.use(name, tip, (view) => new Scene(view, sight, Date.parse(now)).totals.count);
  }
  return counts;
}

const sorted = (counts: ReadonlyMap<string, number>): Record<string, number> =>
  Object.fromEntries([...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)));
