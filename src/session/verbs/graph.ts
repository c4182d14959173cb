import type { Hash } from "../../base/index.js";
import { HEADS, TAGS } from "../../branches/index.js";
import type { Context } from "../context.js";
import type { Engine } from "../engine.js";
import type { Reader } from "../reader.js";
import { type LogItem, log } from "./log.js";

/** A commit as a picture of history needs it. */
export interface GraphCommit extends LogItem {
  /** The commits of the picture it was made of: what the session does not see is skipped. */
  readonly links: readonly Hash[];
  /** Branches and tags that point here. */
  readonly branches: readonly string[];
  readonly tags: readonly string[];
}

export interface GraphOptions {
  readonly limit?: number;
}

/** The commits of all branches that changed something the session sees, newest first. */
export async function graph(context: Context, engine: Engine, options: GraphOptions): Promise<GraphCommit[]> {
  const { reader, storage } = engine;
  const heads = await namesByTarget(storage.refs(HEADS), HEADS);
  const tags = await namesByTarget(storage.refs(TAGS), TAGS);
  const tips = await Promise.all([...heads.keys()].map((hash) => reader.tip(hash)));
  const items = await log(context, reader, tips, { limit: options.limit ?? 200 });
  const listed = new Set(items.map(({ commit }) => commit));
  const shown = (names: ReadonlyMap<Hash, string[]>) => nearest(reader, names, listed);
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

/** A name stands at the youngest commit of the picture below its target. */
async function nearest(
  reader: Reader,
  names: ReadonlyMap<Hash, readonly string[]>,
  listed: ReadonlySet<Hash>,
): Promise<Map<Hash, string[]>> {
  const found = new Map<Hash, string[]>();
  for (const [target, here] of names) {
    const [at] = await linksOf(reader, [target], listed);
    if (at !== undefined) found.set(at, [...(found.get(at) ?? []), ...here].sort());
  }
  return found;
}

/** How far the way down through commits that are not shown is followed. */
const STEPS = 10_000;

async function linksOf(reader: Reader, parents: readonly Hash[], listed: ReadonlySet<Hash>): Promise<Hash[]> {
  const links: Hash[] = [];
  const met = new Set<Hash>();
  const waiting = [...parents].reverse();
  for (let hash = waiting.pop(); hash !== undefined && met.size < STEPS; hash = waiting.pop()) {
    if (met.has(hash)) continue;
    met.add(hash);
    if (listed.has(hash)) links.push(hash);
    else if (listed.size > 0) waiting.push(...[...(await reader.value("commit", hash)).parents].reverse());
  }
  return links;
}
