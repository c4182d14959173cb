import { type Hash, isHash, MAIN, PalimpsestError } from "../core/base/index.js";
import { type Commit, GENESIS_TIP, type Tip } from "../core/ledger/index.js";
import type { Ref } from "../storage/index.js";
import { reachCommits } from "./chain.js";
import type { Findings } from "./problems.js";

/** What was found of something that was kept, and what that says. */
export interface SinceReport {
  readonly kept: string;
  /** What it is in the history of the branches. */
  readonly is: "commit" | "state" | "scope" | "unknown";
  /** The branches that rest on it, of a commit. */
  readonly branches?: readonly string[];
  /** Does it show that nothing before it was changed? Only a commit does. */
  readonly provesHistory: boolean;
  /** The same in a sentence. */
  readonly says: string;
}

const HEADS = "heads/";

/**
 * Looks for what somebody kept: a commit, the root of a state or the root of a scope, in the history of the branches.
 * Scope roots are in no commit; they come up while states are folded. A commit has all that was before it in its hash; a
 * root has a state in it, and many histories can lead to one state.
 */
export class Since {
  readonly #kept: Hash;
  readonly #heads: readonly (readonly [branch: string, head: Hash])[];
  readonly #history: ReadonlyMap<Hash, Commit>;
  #is: SinceReport["is"];

  constructor(kept: Hash, refs: ReadonlyMap<string, Ref>, commits: ReadonlyMap<Hash, Commit>) {
    this.#kept = kept;
    // A store without a first write stands at the first commit, although it is not stored yet.
    const isNew = refs.size === 0;
    this.#heads = isNew
      ? [[MAIN, GENESIS_TIP.hash]]
      : [...refs].flatMap(([name, { target }]) =>
          name.startsWith(HEADS) ? [[name.slice(HEADS.length), target] as const] : [],
        );
    this.#history = isNew
      ? new Map([[GENESIS_TIP.hash, GENESIS_TIP.commit]])
      : reachCommits(
          this.#heads.map(([, head]) => head),
          commits,
        );
    if (this.#history.has(kept)) this.#is = "commit";
    else this.#is = [...this.#history.values()].some(({ root }) => root === kept) ? "state" : "unknown";
  }

  /** Undefined when there is nothing left to look for. */
  get watcher(): ((tip: Tip, roots: Iterable<Hash>) => void) | undefined {
    if (this.#is !== "unknown") return undefined;
    return (tip, roots) => {
      if (this.#is !== "unknown" || !this.#history.has(tip.hash)) return;
      for (const root of roots) if (root === this.#kept) this.#is = "scope";
    };
  }

  report(findings: Findings): void {
    if (this.#is === "unknown") findings.add("HISTORY_CHANGED", this.#kept);
  }

  get answer(): SinceReport {
    const [kept, is] = [this.#kept, this.#is];
    if (is !== "commit") return { kept, is, provesHistory: false, says: SAYS[is] };
    const branches = this.#branches();
    const apart = branches.includes(MAIN) ? "" : `, but not of ${MAIN}`;
    const says = `This commit is in the history of ${named(branches)}${apart}: nothing before it was changed.`;
    return { kept, is, branches, provesHistory: true, says };
  }

  /** Not every branch rests on it: one may have been rewritten while another still has the old line. */
  #branches(): string[] {
    const children = new Map<Hash, Hash[]>();
    for (const [hash, { parents }] of this.#history)
      for (const parent of parents) {
        const known = children.get(parent);
        if (known) known.push(hash);
        else children.set(parent, [hash]);
      }
    const above = new Set<Hash>([this.#kept]);
    // A set goes on over what is added while it is walked.
    for (const hash of above) for (const child of children.get(hash) ?? []) above.add(child);
    return this.#heads.flatMap(([branch, head]) => (above.has(head) ? [branch] : [])).sort();
  }
}

const ONLY = "does not tell how it came about, for two histories can end in one; a whole commit does";
const SAYS = {
  state: `This state was there. That is all that its root shows: it ${ONLY}.`,
  scope: `A scope with this content was there. That is all that its root shows: it ${ONLY}.`,
  unknown: "It is neither a commit, nor the root of a state or scope, in the history of any branch.",
} as const;

/** A store can have thousands. */
const NAMED = 3;
const named = (branches: readonly string[]): string =>
  branches.length <= NAMED
    ? branches.join(", ")
    : `${branches.slice(0, NAMED).join(", ")} and ${branches.length - NAMED} more`;

/** The beginning of a hash shows nothing: a commit that begins so is soon made by trying. */
export function parseSince(given: string): Hash {
  const kept = given.trim().toLowerCase();
  if (isHash(kept)) return kept;
  throw new PalimpsestError(
    "INVALID_HASH",
    `Not a whole commit or root: ${JSON.stringify(given.slice(0, 80).toWellFormed())}.`,
    {
      hint: /^[0-9a-f]{7,63}$/.test(kept)
        ? "The beginning of a hash can be met by trying, so it shows nothing. Give all 64 digits; `pal verify` and `pal backup` print the whole commit to keep."
        : "Give a whole commit, 64 hexadecimal digits, as `pal verify` and `pal backup` print it.",
    },
  );
}
