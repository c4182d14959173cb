import type { Hash } from "../../core/base/index.js";
import type { Commit, Tip } from "../../core/ledger/index.js";
import { mergeBases } from "../../core/ledger/index.js";

/** Which commits a commit rests on. What was found out about a tip is kept and goes on with the tips made of it. */
export class Lineage {
  readonly #commit: (hash: Hash) => Promise<Commit>;
  readonly #known: Ancestry[] = [];
  /** One walk at a time: a second one would not see what the first is about to find. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(commit: (hash: Hash) => Promise<Commit>) {
    this.#commit = commit;
  }

  /** Is a commit of this generation the tip itself or one it was made of? */
  async holds(tip: Tip, commit: Hash, generation: number): Promise<boolean> {
    if (generation >= tip.commit.generation) return commit === tip.hash;
    const look = async () => {
      const ancestry = await this.#ancestry(tip);
      await this.#walk(ancestry, generation);
      return ancestry.reached.has(commit);
    };
    const answer = this.#turn.then(look);
    this.#turn = answer.catch(() => undefined);
    return answer;
  }

  /** The youngest commits that both sides rest on. */
  async bases(left: readonly Tip[], right: readonly Tip[]): Promise<readonly Tip[]> {
    const search = mergeBases(left, right);
    let step = search.next();
    while (!step.done) step = search.next(await this.#commit(step.value));
    return step.value;
  }

  /** Commits that one tip rests on and the other does not, in no particular order. Undefined if they are too many. */
  async between(tip: Tip, without: Tip, limit: number): Promise<readonly Tip[] | undefined> {
    const found = new Map<Hash, Tip>();
    const waiting = [tip];
    for (let at = waiting.pop(); at; at = waiting.pop()) {
      if (found.has(at.hash) || (await this.holds(without, at.hash, at.commit.generation))) continue;
      if (found.size >= limit) return undefined;
      found.set(at.hash, at);
      for (const parent of at.commit.parents) waiting.push(await this.#tip(parent));
    }
    return [...found.values()];
  }

  /** What is known of a tip: its own, or that of a tip a few commits below it, carried up. */
  async #ancestry(tip: Tip): Promise<Ancestry> {
    const own = this.#known.find((ancestry) => ancestry.tip.hash === tip.hash);
    if (own) return own;
    const line: Tip[] = [];
    for (let at = tip; line.length < CARRY && at.commit.parents.length === 1; ) {
      line.push(at);
      at = await this.#tip(at.commit.parents[0] as Hash);
      const below = this.#known.find((ancestry) => ancestry.tip.hash === at.hash);
      if (!below) continue;
      for (const { hash } of line) below.reached.add(hash);
      below.tip = tip;
      return below;
    }
    const made: Ancestry = { tip, reached: new Set([tip.hash]), waiting: [tip] };
    this.#known.unshift(made);
    this.#known.length = Math.min(this.#known.length, KEPT);
    return made;
  }

  async #tip(hash: Hash): Promise<Tip> {
    return { hash, commit: await this.#commit(hash) };
  }

  async #walk(ancestry: Ancestry, generation: number): Promise<void> {
    const { reached } = ancestry;
    const below: Tip[] = [];
    for (let at = ancestry.waiting.pop(); at; at = ancestry.waiting.pop()) {
      if (at.commit.generation <= generation) {
        below.push(at);
        continue;
      }
      for (const parent of at.commit.parents) {
        if (reached.has(parent)) continue;
        reached.add(parent);
        ancestry.waiting.push(await this.#tip(parent));
      }
    }
    ancestry.waiting = below;
  }
}

/** How many tips are remembered, and over how many new commits knowledge is carried from one to the next. */
const KEPT = 8;
const CARRY = 64;

interface Ancestry {
  tip: Tip;
  readonly reached: Set<Hash>;
  /** Reached, but their parents are not looked at yet. */
  waiting: Tip[];
}
