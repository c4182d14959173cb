import { type Hash, PalimpsestError } from "../base/index.js";
import { type Commit, GENESIS_TIP, type Tip } from "../ledger/index.js";
import type { Ref } from "../storage/index.js";
import { reachCommits } from "./chain.js";
import type { Findings } from "./problems.js";

/**
 * Looks for what somebody kept: a commit, the root of a state or the root of a scope, whole or its first
 * characters, in the history of the branches. Scope roots are in no commit; they come up while states are folded.
 */
export class Since {
  readonly #kept: string;
  readonly #history: ReadonlyMap<Hash, Commit>;
  #found: boolean;

  constructor(kept: string, refs: ReadonlyMap<string, Ref>, commits: ReadonlyMap<Hash, Commit>) {
    this.#kept = kept;
    const heads = [...refs].filter(([name]) => name.startsWith("heads/")).map(([, ref]) => ref.target);
    // A store without a first write stands at the first commit, although it is not stored yet.
    const start = refs.size === 0 ? new Map([[GENESIS_TIP.hash, GENESIS_TIP.commit]]) : undefined;
    this.#history = start ?? reachCommits(heads, commits);
    this.#found = [...this.#history].some(([hash, { root }]) => this.#is(hash) || this.#is(root));
  }

  /** Undefined when there is nothing left to look for. */
  get watcher(): ((tip: Tip, roots: Iterable<Hash>) => void) | undefined {
    if (this.#found) return undefined;
    return (tip, roots) => {
      if (this.#history.has(tip.hash)) for (const root of roots) this.#found ||= this.#is(root);
    };
  }

  report(findings: Findings): void {
    if (!this.#found) findings.add("HISTORY_CHANGED", this.#kept);
  }

  #is(hash: Hash): boolean {
    return hash.startsWith(this.#kept);
  }
}

export function parseSince(given: string): string {
  const kept = given.trim().toLowerCase();
  if (/^[0-9a-f]{7,64}$/.test(kept)) return kept;
  throw new PalimpsestError("INVALID_HASH", `Not a root or commit: ${JSON.stringify(given.slice(0, 80))}.`);
}
