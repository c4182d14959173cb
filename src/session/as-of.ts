import { type Hash, isHash, PalimpsestError, parseTime, resolveHash } from "../base/index.js";
import type { Tip, Touch } from "../ledger/index.js";
import type { Context } from "./context.js";
import type { Reader } from "./reader.js";
import { rowSight } from "./rows.js";
import { readHead } from "./writer.js";

/** The commit meant by `at`: a commit by hash or prefix, or the last one not later than a time. */
export async function tipAt(context: Context, reader: Reader, at: string): Promise<Tip> {
  const { tip: head } = await readHead(reader, context.branch);
  if (/^[0-9a-f]{7,64}$/.test(at)) {
    const found = await visibleCommit(context, reader, head, at);
    if (found) return reader.tip(found);
    throw new PalimpsestError("NOT_FOUND", `There is no commit ${at}.`);
  }
  const time = parseTime(at);
  let tip = head;
  while (tip.commit.time > time && tip.commit.parents[0] !== undefined)
    tip = await reader.tip(tip.commit.parents[0]);
  return tip;
}

/** Only commits that changed something the session sees can be named; others are as absent as wrong ones. */
async function visibleCommit(
  context: Context,
  reader: Reader,
  head: Tip,
  given: string,
): Promise<Hash | undefined> {
  if (given === head.hash) return head.hash;
  const visible = rowSight(context, reader);
  if (isHash(given)) return (await changesVisibly(reader, given, visible)) ? given : undefined;
  const found = new Set<Hash>();
  for (let before = Number.MAX_SAFE_INTEGER; before > 0; ) {
    const page = await reader.storage.touchBefore(before, 10_000);
    for (const row of page.touch)
      if (row.commit.startsWith(given) && !found.has(row.commit) && (await visible(row)))
        found.add(row.commit);
    before = page.seq;
  }
  return resolveHash(given, found);
}

/** Did a commit change anything that may be seen? */
export async function changesVisibly(
  reader: Reader,
  hash: Hash,
  visible: (row: Touch) => Promise<boolean>,
): Promise<boolean> {
  const commit = (await reader.values("commit", [hash])).get(hash);
  if (!commit) return false;
  for (const { scope, id } of (await reader.value("changeset", commit.changeset)).events)
    for (const row of await reader.storage.touchOf(scope, id))
      if (row.commit === hash && (await visible(row))) return true;
  return false;
}
