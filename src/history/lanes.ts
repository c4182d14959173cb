import { MAIN } from "../core/base/index.js";
import type { Drawable } from "./tracks.js";
import { checkDrawable } from "./tracks.js";

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
