import type { BranchName, Hash, JsonObject, Timestamp } from "../base/index.js";

/** Names of refs. A branch name cannot hold a slash, so no two kinds of ref can meet. */
export const HEADS = "heads/";
export const TAGS = "tags/";
export const CHECKOUTS = "checkouts/";
/** One for each tombstone, named after it. */
export const ERASED = "erased/";
export const headRef = (branch: BranchName): string => HEADS + branch;
export const tagRef = (name: BranchName): string => TAGS + name;
/** Where an agent works when nobody says otherwise. */
export const checkoutRef = (agent: string): string => CHECKOUTS + agent;
export const SNAPSHOTS = "snapshots/";
export const snapshotsOf = (branch: BranchName): string => `${SNAPSHOTS}${branch}/`;

/** What waits for a person beside a branch. */
export const STAGING = "staging/";
export const stagingOf = (branch: BranchName): string => `${STAGING}${branch}/`;
export const stagingRef = (branch: BranchName, id: string): string => stagingOf(branch) + id;

export type BranchStatus = "open" | "merged" | "abandoned";

/** What is said of a branch beside its head. */
export interface BranchInfo {
  readonly persona: string;
  readonly purpose?: string;
  readonly status: BranchStatus;
  readonly created?: Timestamp;
  readonly by?: string;
}

/** `merged` was said of one head: work after that opens the branch again. */
export const mergedMeta = (head: Hash): JsonObject => ({ status: "merged", merged: head });

export function branchInfo(meta: JsonObject | undefined, head: Hash | undefined): BranchInfo {
  const { persona, purpose, status, merged, created, by } = meta ?? {};
  const isOver = status === "abandoned" || (status === "merged" && (merged ?? head) === head);
  return {
    persona: typeof persona === "string" ? persona : "default",
    ...(typeof purpose === "string" && { purpose }),
    status: isOver ? status : "open",
    ...(typeof created === "string" && { created: created as Timestamp }),
    ...(typeof by === "string" && { by }),
  };
}

/** What is said of a snapshot: who took it, when, before what, and under which label if it is to stay. */
export interface SnapshotInfo {
  readonly agent: string;
  readonly time: Timestamp;
  readonly label?: string;
  readonly before?: string;
}

export function snapshotInfo(meta: JsonObject | undefined): SnapshotInfo {
  const { agent, time, label, before } = meta ?? {};
  return {
    agent: String(agent ?? ""),
    time: String(time ?? "") as Timestamp,
    ...(typeof label === "string" && { label }),
    ...(typeof before === "string" && { before }),
  };
}
