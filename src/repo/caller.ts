import type { BranchName, MemoryId, Random, Scope } from "../core/base/index.js";
import type { Author, Tip, Trust } from "../core/ledger/index.js";
import type { Principal, Rules } from "../gate/index.js";
import type { Views } from "./live/views.js";
import type { Recent } from "./recent.js";
import type { Served } from "./served.js";
import type { Sight } from "./sight.js";

/** What a session did to a branch. */
export interface Made {
  readonly branch: BranchName;
  readonly before: Tip;
  readonly after: Tip;
}

/** Who writes and reads, and what they may see: everything that a rule needs to know about a session. */
export interface Caller {
  readonly agent: string;
  readonly author: Author;
  readonly sight: Sight;
  readonly branch: BranchName;
  readonly sessionId: string | undefined;
  /** The door the session came through. */
  readonly channel: string;
  /** The most that anything written here can be trusted. */
  readonly trust: Trust;
  /** Where new memories go when no scope is named. */
  readonly home: Scope;
  /** How its writes are judged. */
  readonly rules: Rules;
  readonly served: Served;
  readonly recent: Recent;
  /** What becomes of a quarantined write: it waits in staging, is part of a proposal, or is only answered. */
  readonly onQuarantine?: "include" | "answer";
  /** Who else stands behind what is written here. */
  readonly vouchers?: readonly Principal[];
  /** Told of every commit this session makes. */
  readonly made?: (made: Made) => void;
  readonly newId: () => MemoryId;
  readonly random: Random;
  readonly views: Views;
}
