import type { Hash } from "../../core/base/index.js";
import { HEADS, TAGS } from "../../core/ledger/index.js";
import type { Context, Reader } from "../../repo/index.js";
import { seenAt, tipAt } from "../../repo/index.js";
import type { GraphOptions } from "../options.js";
import { type LogItem, log } from "./log.js";

/** A commit as a picture of history needs it. */
export interface GraphCommit extends LogItem {
  /** The commits of the picture it was made of: what the session does not see is skipped. */
  readonly links: readonly Hash[];
  /** Branches and tags that point here. */
  readonly branches: readonly string[];
  readonly tags: readonly string[];
}

/** The commits of all branches that changed something the session sees, newest first. */
export async function graph(context: Context, options: GraphOptions): Promise<GraphCommit[]> {
  const { engine } = context;
  const { reader, storage } = engine;
  const heads = await namesByTarget(storage.refs(HEADS), HEADS);
  const tags = await namesByTarget(storage.refs(TAGS), TAGS);
  const tips =
    options.at === undefined
      ? await Promise.all([...heads.keys()].map((hash) => reader.tip(hash)))
      : [await tipAt(context, options.at)];
  const items = await log(context, tips, { ...options, limit: options.limit ?? 200 });
  const listed = await Listed.of(reader, items);
  // Of a part of history only the names that stand in it are its own.
  const shown = (names: ReadonlyMap<Hash, string[]>) =>
    options.at === undefined ? nearest(reader, names, listed) : lastSeen(context, names);
  const [branchesAt, tagsAt] = [await shown(heads), await shown(tags)];
  return Promise.all(
    items.map(async (item) => ({
      ...item,
      links: await linksOf(reader, item.parents, listed),
      branches: branchesAt.get(item.commit) ?? [],
      tags: tagsAt.get(item.commit) ?? [],
    })),
  );
}

async function namesByTarget(
  refs: Promise<ReadonlyMap<string, { readonly target: Hash }>>,
  prefix: string,
): Promise<Map<Hash, string[]>> {
  const names = new Map<Hash, string[]>();
  for (const [name, { target }] of await refs)
    names.set(target, [...(names.get(target) ?? []), name.slice(prefix.length)]);
  return names;
}

/** A name stands where the session last saw its branch change: it is as if what is hidden had not been written. */
async function lastSeen(
  context: Context,
  names: ReadonlyMap<Hash, readonly string[]>,
): Promise<Map<Hash, string[]>> {
  const { reader } = context.engine;
  const found = new Map<Hash, string[]>();
  for (const [target, here] of names) {
    const { hash } = await seenAt({ context, reader, tip: await reader.tip(target) });
    found.set(hash, [...(found.get(hash) ?? []), ...here].sort());
  }
  return found;
}

/** A name stands at the youngest commit of the picture below its target. */
async function nearest(
  reader: Reader,
  names: ReadonlyMap<Hash, readonly string[]>,
  listed: Listed,
): Promise<Map<Hash, string[]>> {
  const found = new Map<Hash, string[]>();
  for (const [target, here] of names) {
    const [at] = await linksOf(reader, [target], listed);
    if (at !== undefined) found.set(at, [...(found.get(at) ?? []), ...here].sort());
  }
  return found;
}

/** The commits of the picture. Nothing below the oldest of them can lead to one, so nobody looks there. */
class Listed {
  readonly #commits: ReadonlySet<Hash>;
  readonly #lowest: number;

  private constructor(commits: ReadonlySet<Hash>, lowest: number) {
    this.#commits = commits;
    this.#lowest = lowest;
  }

  static async of(reader: Reader, items: readonly LogItem[]): Promise<Listed> {
    let lowest = Number.POSITIVE_INFINITY;
    for (const { commit } of items)
      lowest = Math.min(lowest, (await reader.value("commit", commit)).generation);
    return new Listed(new Set(items.map(({ commit }) => commit)), lowest);
  }

  has(hash: Hash): boolean {
    return this.#commits.has(hash);
  }
  isAbove({ generation }: { readonly generation: number }): boolean {
    return generation > this.#lowest;
  }
}

async function linksOf(reader: Reader, parents: readonly Hash[], listed: Listed): Promise<Hash[]> {
  const links: Hash[] = [];
  const met = new Set<Hash>();
  const waiting = [...parents].reverse();
  for (let hash = waiting.pop(); hash !== undefined; hash = waiting.pop()) {
    if (met.has(hash)) continue;
    met.add(hash);
    if (listed.has(hash)) {
      links.push(hash);
      continue;
    }
    const commit = await reader.value("commit", hash);
    if (listed.isAbove(commit)) waiting.push(...[...commit.parents].reverse());
  }
  return links;
}
