import { MAIN } from "../core/base/index.js";
import { checkGiven, listOf, shape, text, texts } from "../repo/index.js";

/** A commit as pictures of history take it. Lists of them have children before parents, and every link is listed. */
export interface Drawable {
  readonly commit: string;
  /** The commits of the picture it was made of, the line it went on from first. */
  readonly links: readonly string[];
  /** Where it was made. */
  readonly branch: string;
  /** Branches and tags that stand here. */
  readonly branches: readonly string[];
  readonly tags: readonly string[];
  readonly time: string;
  readonly message?: string;
  /** The first thing it changed. */
  readonly first?: { readonly id?: string; readonly text?: string };
}

const moment = (value: unknown) =>
  typeof value === "string" && !Number.isNaN(Date.parse(value)) ? undefined : "a time";
const COMMITS = listOf(
  shape({ commit: text, links: texts, branch: text, branches: texts, tags: texts, time: moment }),
  "commits as graph answers them",
);

/** Pictures are drawn of what `graph` answers, perhaps after a journey as JSON. */
export const checkDrawable = (verb: string, commits: readonly Drawable[]): void =>
  checkGiven(verb, { commits }, { commits: COMMITS });

/** A line of first links, oldest commit first: what a branch looks like once the names have moved on. */
export interface Track {
  readonly name: string;
  /** What it goes on from; absent at a root. */
  readonly from?: string;
  readonly commits: readonly string[];
}

/**
 * Every commit on exactly one track. Branches that are still there take their lines first, main before all others;
 * what is left belonged to branches that were merged and went, and is named after where it was made.
 */
export function tracksOf(commits: readonly Drawable[]): Track[] {
  const known = new Map(commits.map((commit) => [commit.commit, commit]));
  const taken = new Set<string>();
  const names = new Set<string>([MAIN]);
  const tracks: Track[] = [];
  const follow = (head: string, nameOf: (isRoot: boolean) => string): void => {
    const line: string[] = [];
    let at: string | undefined = head;
    while (at !== undefined && !taken.has(at)) {
      taken.add(at);
      line.push(at);
      at = known.get(at)?.links[0];
    }
    if (line.length === 0) return;
    const name = nameOf(at === undefined);
    names.add(name);
    tracks.push({ name, ...(at !== undefined && { from: at }), commits: line.reverse() });
  };
  const heads = commits.flatMap(({ commit, branches }) => branches.map((name) => [name, commit] as const));
  heads.sort(([a], [b]) => Number(b === MAIN) - Number(a === MAIN) || (a < b ? -1 : 1));
  for (const [name, commit] of heads) follow(commit, () => name);
  for (const { commit, branch } of commits) {
    // In a part of history main may have no head; it is never made, so only a line from the start can be it.
    const isMain = (isRoot: boolean) =>
      isRoot && branch === MAIN && !tracks.some(({ name }) => name === MAIN);
    follow(commit, (isRoot) => (isMain(isRoot) ? MAIN : unused(branch, names)));
  }
  return tracks;
}

/** The name, or the name with the first number that is free. */
export function unused(name: string, names: ReadonlySet<string>): string {
  if (!names.has(name)) return name;
  let number = 2;
  while (names.has(`${name}-${number}`)) number++;
  return `${name}-${number}`;
}

export function grouped<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
