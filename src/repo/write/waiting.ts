import { type Refusal, refuse } from "../../gate/index.js";
import type { Ref } from "../../storage/index.js";
import type { Caller } from "../caller.js";

/** What is said of a waiting item beside its commit: its kind, and whose it is. */
export const waitingMeta = (kind: string, { author }: Caller) => ({ kind, by: author.id });

/** The refs of what one author has waiting. */
export const waitingOf = (refs: ReadonlyMap<string, Ref>, author: string): Set<string> =>
  new Set([...refs].filter(([, { meta }]) => meta?.by === author).map(([name]) => name));

/** Nobody looks through thousands of items: an agent that has that many waiting is stopped before the list is of no use. */
export function tooManyWait(
  { author, rules }: Caller,
  waiting: ReadonlySet<string>,
  name: string,
): Refusal | undefined {
  if (waiting.size < rules.maxWaiting || waiting.has(name)) return undefined;
  return refuse(
    "TOO_MANY",
    "review",
    `${waiting.size.toLocaleString("en-US")} things of ${JSON.stringify(author.id)} wait for review already, which is the most.`,
    "Have somebody accept or reject them first: see `pal review`.",
  );
}
