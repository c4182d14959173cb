import { MAIN, type Timestamp } from "../core/base/index.js";
import { GENESIS } from "../core/ledger/index.js";
import type { Context } from "../repo/index.js";
import { rowSight } from "../repo/index.js";
import type { Branch } from "./verbs/branches.js";

/**
 * Nobody makes `main`: it is as old as the first commit. Of those that the session sees, because when somebody else first
 * wrote is none of its business.
 */
export async function withMainsAge(context: Context, branches: readonly Branch[]): Promise<Branch[]> {
  const isAgeless = ({ name, head, created }: Branch): boolean =>
    name === MAIN && head !== GENESIS.hash && created === undefined;
  if (!branches.some(isAgeless)) return [...branches];
  const created = await firstSeen(context);
  return branches.map((branch) => (isAgeless(branch) && created ? { ...branch, created } : branch));
}

/** Nearly always told by the first row of all. */
const PAGE = 256;

async function firstSeen(context: Context): Promise<Timestamp | undefined> {
  const { reader } = context.engine;
  const sees = rowSight(context);
  for (let after = 0; ; ) {
    const { seq, touch } = await reader.storage.touchSince(after, PAGE);
    for (const row of touch) if (await sees(row)) return row.time;
    if (seq === after) return undefined;
    after = seq;
  }
}
