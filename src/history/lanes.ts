import { latePattern, MAIN } from "../core/base/index.js";
import { checkGiven, listOf, shape, text, texts } from "../repo/index.js";

/** One character of the picture. Colours are numbers: a line keeps its own from its newest commit to its end. */
export interface LaneCell {
  readonly char: string;
  readonly color: number;
}

/** The picture beside one commit, and what goes on below it while more is said about the commit. */
export interface LaneRow {
  readonly commit: string;
  readonly cells: readonly LaneCell[];
  readonly below: readonly LaneCell[];
}

/** A vertical line that waits for its next commit. One that is kept free for later is not drawn yet. */
interface Lane {
  readonly target: string;
  readonly color: number;
  readonly drawn: boolean;
}

const [UP, DOWN, LEFT, RIGHT] = [1, 2, 4, 8] as const;
/** By the sum of the directions in which a character has an arm. */
const BOXES = [..." ╵╷│╴╯╮┤╶╰╭├─┴┬┼"];
const NOTHING: LaneCell = { char: " ", color: 0 };

/**
 * History as lanes, one row per commit: `●` a commit, `◆` one with several parents. Lines that end in a commit or
 * begin at it bend in its row, so nothing is needed between rows; a line that only crosses is drawn uninterrupted.
 * main has the first lane.
 */
export function laneRows(commits: readonly Drawable[]): LaneRow[] {
  checkDrawable("laneRows", commits);
  const board = new Board();
  const main = commits.find(({ branches }) => branches.includes(MAIN));
  if (main) board.reserve(main.commit);
  return commits.map(({ commit, links }) => board.next(commit, links));
}

class Board {
  readonly #lanes: (Lane | undefined)[] = [];
  #colors = 0;

  reserve(target: string): void {
    this.#lanes.push({ target, color: this.#colors++, drawn: false });
  }

  next(commit: string, links: readonly string[]): LaneRow {
    const before = [...this.#lanes];
    const waiting = before.flatMap((lane, index) => (lane?.target === commit ? [index] : []));
    const own = waiting[0] ?? this.#freeSlot(0);
    const color = before[own]?.color ?? this.#colors++;
    const [first, ...others] = links;
    this.#lanes[own] = first === undefined ? undefined : { target: first, color, drawn: true };
    const linked = others.map((link) => this.#laneTo(link, own));
    const joined = waiting.slice(1);
    // Freed only now: a line that ends here and one that begins here must not look like one.
    for (const index of joined) this.#lanes[index] = undefined;
    const mark = { char: links.length > 1 ? "◆" : "●", color };
    const cells = row(before, this.#lanes, [...joined, ...linked], { at: own, mark });
    while (this.#lanes.length > 0 && this.#lanes.at(-1) === undefined) this.#lanes.pop();
    return { commit, cells, below: row(this.#lanes, this.#lanes, []) };
  }

  /** The lane that waits for a commit already, or a new one. */
  #laneTo(target: string, own: number): number {
    const known = this.#lanes.findIndex((lane, index) => index !== own && lane?.target === target);
    const index = known >= 0 ? known : this.#freeSlot(own + 1);
    const color = this.#lanes[index]?.color ?? this.#colors++;
    this.#lanes[index] = { target, color, drawn: true };
    return index;
  }

  #freeSlot(from: number): number {
    const free = this.#lanes.findIndex((lane, index) => index >= from && lane === undefined);
    return free >= 0 ? free : Math.max(from, this.#lanes.length);
  }
}

/** What is drawn between two states of the lanes, with lines from the commit's own lane to each of `ends`. */
function row(
  before: readonly (Lane | undefined)[],
  after: readonly (Lane | undefined)[],
  ends: readonly number[],
  commit?: { readonly at: number; readonly mark: LaneCell },
): LaneCell[] {
  const arms = Array.from(
    { length: Math.max(before.length, after.length) },
    (_, index) => (before[index]?.drawn ? UP : 0) | (after[index]?.drawn ? DOWN : 0),
  );
  const colors = arms.map((_, index) => (before[index] ?? after[index])?.color ?? 0);
  const dashes = new Map<number, number>();
  const own = commit?.at ?? 0;
  // The nearest last, so that each piece has the colour of the line that needs it first.
  for (const end of [...ends].sort((a, b) => Math.abs(b - own) - Math.abs(a - own))) {
    const color = colors[end] as number;
    const step = end > own ? 1 : -1;
    arms[end] = (arms[end] as number) | (step > 0 ? LEFT : RIGHT);
    for (let at = own; at !== end; at += step) {
      dashes.set(step > 0 ? at : at - 1, color);
      const isFree = arms[at] === 0 || arms[at] === (LEFT | RIGHT);
      if (isFree) colors[at] = color;
      if (isFree || ends.includes(at)) arms[at] = (arms[at] as number) | LEFT | RIGHT;
    }
  }
  const cells = arms.flatMap((arm, index): LaneCell[] => [
    index === commit?.at ? commit.mark : { char: BOXES[arm] as string, color: colors[index] as number },
    dashes.has(index) ? { char: "─", color: dashes.get(index) as number } : NOTHING,
  ]);
  while (cells.at(-1)?.char === " ") cells.pop();
  return cells;
}

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

/**
 * The history as a Mermaid `gitGraph`. Mermaid branches and merges only at the head of a branch: a branch is made
 * right after the commit it starts from, and a parent that is no head any more when it is merged gets a branch of
 * its own while it is one. `main` is there from the start, so it is checked out and never made.
 */
export function mermaidGraph(commits: readonly Drawable[]): string {
  checkDrawable("mermaidGraph", commits);
  const tracks = tracksOf(commits);
  const order = [...commits].reverse();
  const trackAt = new Map(tracks.flatMap((track) => track.commits.map((commit) => [commit, track] as const)));
  const earlier = lostHeads(order, trackAt, new Set(tracks.map(({ name }) => name)));
  const starting = grouped(tracks, ({ from }) => from);
  const ids = shortest(commits.map(({ commit }) => commit));
  const script = new Script();
  for (const { name } of starting.get(undefined) ?? []) if (name !== MAIN) script.branch(name);
  for (const drawn of order) {
    const { commit, links } = drawn;
    const { name } = trackAt.get(commit) as Track;
    const id = ids.get(commit) as string;
    const mark = `id: "${`${id} ${label(drawn)}`.trim()}"${signs(drawn, name)}`;
    const others = links.slice(1).map((other) => earlier.get(other) ?? (trackAt.get(other) as Track).name);
    script.checkout(name);
    if (others.length === 0) script.add(`commit ${mark}`);
    // Mermaid joins two at a time.
    for (const [at, other] of others.entries())
      script.add(`merge ${quoted(other)} ${at < others.length - 1 ? `id: "${id} (${at + 1})"` : mark}`);
    const here = [...(starting.get(commit) ?? []).map((track) => track.name), earlier.get(commit)];
    for (const next of here) {
      if (next === undefined) continue;
      script.checkout(name);
      script.branch(next);
    }
  }
  return script.text();
}

/** Statements, with `checkout` only where it changes something. */
class Script {
  readonly #lines = ["gitGraph"];
  #current: string = MAIN;

  add(line: string): void {
    this.#lines.push(line);
  }
  branch(name: string): void {
    this.add(`branch ${quoted(name)}`);
    this.#current = name;
  }
  checkout(name: string): void {
    if (this.#current !== name) this.add(`checkout ${quoted(name)}`);
    this.#current = name;
  }
  text(): string {
    return `${this.#lines.join("\n  ")}\n`;
  }
}

/** Commits that are merged when they are not the head of their track any more, with a name to merge each by. */
function lostHeads(
  order: readonly Drawable[],
  trackAt: ReadonlyMap<string, Track>,
  names: Set<string>,
): Map<string, string> {
  const heads = new Map<Track, string>();
  const lost = new Map<string, string>();
  for (const { commit, links } of order) {
    const track = trackAt.get(commit) as Track;
    // To Mermaid a branch without commits of its own is still the one it came from, which it refuses to merge.
    const here = heads.has(track) ? track : trackAt.get(track.from ?? "");
    for (const other of links.slice(1)) {
      const there = trackAt.get(other) as Track;
      if (lost.has(other) || (heads.get(there) === other && there !== here)) continue;
      const name = unused(`${there.name}-earlier`, names);
      names.add(name);
      lost.set(other, name);
    }
    heads.set(track, commit);
  }
  return lost;
}

const UNSAFE = latePattern("gu")`[^\p{L}\p{M}\p{N} .,:!?()+=/_-]+`;

/** What somebody wrote is not to be read as Mermaid, HTML or Markdown: only harmless characters stay. */
function label({ message, first }: Drawable): string {
  const words = message ?? first?.text ?? (first?.id === undefined ? "" : `forget ${first.id}`);
  const text = words.replace(UNSAFE(), " ").replace(/\s+/g, " ").trim();
  return text.length > WIDEST
    ? `${[...text]
        .slice(0, WIDEST - 1)
        .join("")
        .trimEnd()}…`
    : text;
}

const WIDEST = 32;

/** Tags, and branches that stand here without a line of their own. */
function signs({ branches, tags }: Drawable, track: string): string {
  const names = [...branches.filter((name) => name !== track), ...tags];
  return names.map((name) => ` tag: "${name}"`).join("");
}

/** Words that begin a statement, or that the lexer takes for something else. */
const RESERVED =
  /^(?:\d|git|commit|branch|merge|checkout|switch|cherry|order|title|acc|true|false|[LTB][RB]|[A-Z]+$)|[^\w-]|-$/;

const quoted = (name: string): string => (RESERVED.test(name) ? `"${name}"` : name);

/** As few first digits as tell all hashes apart, but no fewer than can be given back. */
function shortest(hashes: readonly string[]): Map<string, string> {
  let length = 7;
  const distinct = (digits: number) => new Set(hashes.map((hash) => hash.slice(0, digits))).size;
  while (length < 64 && distinct(length) < hashes.length) length++;
  return new Map(hashes.map((hash) => [hash, hash.slice(0, length)]));
}
