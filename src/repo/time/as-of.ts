import {
  type BranchName,
  type Hash,
  isHash,
  MAIN,
  PalimpsestError,
  parseBranch,
  parseTime,
  quote,
  resolveHash,
  type Timestamp,
} from "../../core/base/index.js";
import { GENESIS_CHANGESET, HEADS, snapshotsOf, TAGS, type Tip } from "../../core/ledger/index.js";
import type { AtTip, Context } from "../context.js";
import type { Reader } from "../read/reader.js";
import { type RowSight, rowSight } from "../read/rows.js";
import { readHead } from "../write/writer.js";
import { findSnapshot, knownSnapshots } from "./snapshots.js";
import { stepsBack } from "./steps-back.js";

/**
 * The commit meant by a caller: a tag, branch or snapshot by name, `HEAD`, a commit by hash or prefix, or the last commit
 * of the session's branch that is not later than a time; with `~2` behind it, two before that. A name that is there wins
 * over what it may look like.
 */
export async function tipAt(context: Context, at: string): Promise<Tip> {
  const { reader } = context.engine;
  const meant = await commitAt(context, at);
  if (meant) return reader.tip(meant);
  const time = parseMoment(at);
  let { tip } = await readHead(reader, context.branch);
  while (tip.commit.time > time && tip.commit.parents[0] !== undefined)
    tip = await reader.tip(tip.commit.parents[0]);
  return tip;
}

/** The last commit on the line of this one that changed something the session sees: for it nothing was done after that. */
export async function seenAt({ context, reader, tip }: AtTip): Promise<Tip> {
  const visible = rowSight(context);
  for (let at = tip; ; ) {
    const { commit } = at;
    const [parent] = commit.parents;
    const isRead = (await reader.values("changeset", [commit.changeset])).has(commit.changeset);
    if (parent === undefined || !isRead || (await changesVisibly(reader, at.hash, visible))) return at;
    at = await reader.tip(parent);
  }
}

/**
 * The time that is "now" in the state of a commit: that of the last commit which changed something the session sees. What
 * was done out of its sight ends nothing earlier.
 */
export async function nowAt(at: AtTip): Promise<Timestamp> {
  return (await seenAt(at)).commit.time;
}

/** The commit that is named; undefined when it can only be a time. */
export async function commitAt(context: Context, at: string): Promise<Hash | undefined> {
  const { reader } = context.engine;
  if (typeof at !== "string") return undefined;
  const named = await namedCommit(context, at);
  if (named) return named;
  const [, point, steps] = /^(.+)~(\d{0,6})$/s.exec(at) ?? [];
  if (point !== undefined) {
    const visible = rowSight(context);
    const isSeen = (hash: Hash) => changesVisibly(reader, hash, visible);
    return stepsBack(reader, await tipAt(context, point), Number(steps || 1), isSeen);
  }
  if (!/^[0-9a-f]{7,64}$/.test(at)) return undefined;
  const { tip: head } = await readHead(reader, context.branch);
  const found = await visibleCommit({ context, reader, tip: head }, at);
  if (found) return found;
  throw new PalimpsestError("NOT_FOUND", `There is no commit ${at}.`);
}

export function parseMoment(at: string): Timestamp {
  try {
    return parseTime(at);
  } catch (error) {
    if (
      typeof at !== "string" ||
      !(error instanceof PalimpsestError) ||
      !/^[\w.-]+$/.test(at) ||
      /^\d{4}-/.test(at)
    )
      throw error;
    throw new PalimpsestError("NOT_FOUND", `There is no commit, branch, tag or snapshot ${quote(at)}.`, {
      hint: "See `pal log`, `pal branches`, `pal tags` and `pal snapshots`; a time is written 2026-03-01 or 2026-03-01T12:00:00Z.",
    });
  }
}

async function namedCommit(context: Context, name: string): Promise<Hash | undefined> {
  const { reader } = context.engine;
  // A caller that gives a whole hash means the commit, even if a tag has that name.
  if (isHash(name)) return undefined;
  if (name === MAIN && !(await reader.storage.ref(HEADS + MAIN)))
    return (await readHead(reader, MAIN)).tip.hash;
  if (/^[A-Za-z0-9][\w.-]*$/.test(name))
    for (const prefix of [TAGS, HEADS, snapshotsOf(context.branch)]) {
      const ref = await reader.storage.ref(prefix + name);
      if (ref) return ref.target;
    }
  const snapshot = findSnapshot(await knownSnapshots(context, reader.storage), name);
  if (snapshot || name !== HEAD) return snapshot?.commit;
  return (await readHead(reader, context.branch)).tip.hash;
}

/** Only commits that changed something the session sees can be named; others are as absent as wrong ones. */
async function visibleCommit(
  { context, reader, tip: head }: AtTip,
  hashOrPart: string,
): Promise<Hash | undefined> {
  if (hashOrPart === head.hash) return head.hash;
  const visible = rowSight(context);
  const mayBeNamed = async (hash: Hash) =>
    (await isWithoutEvents(reader, hash)) || (await changesVisibly(reader, hash, visible));
  if (isHash(hashOrPart)) return (await mayBeNamed(hashOrPart)) ? hashOrPart : undefined;
  const found = new Set<Hash>();
  for (let before = Number.MAX_SAFE_INTEGER; before > 0; ) {
    const page = await reader.storage.touchBefore(before, 10_000);
    for (const row of page.touch)
      if (row.commit.startsWith(hashOrPart) && !found.has(row.commit) && (await visible(row)))
        found.add(row.commit);
    before = page.seq;
  }
  if (found.size === 0)
    for await (const hash of movedTo(reader))
      if (hash.startsWith(hashOrPart) && (await isWithoutEvents(reader, hash))) found.add(hash);
  return resolveHash(hashOrPart, found);
}

/** A merge of what was equal has no rows by which it is found, and nothing to hide. */
export async function isWithoutEvents(reader: Reader, hash: Hash): Promise<boolean> {
  return (await reader.values("commit", [hash])).get(hash)?.changeset === GENESIS_CHANGESET.hash;
}

/** Every commit that a ref was ever moved to. */
async function* movedTo(reader: Reader): AsyncGenerator<Hash> {
  for (let before = Number.MAX_SAFE_INTEGER; before > 0; ) {
    const page = await reader.storage.opsBefore(before);
    for (const operation of (await reader.values("operation", page.ops)).values())
      for (const { after } of operation.refs) if (after !== undefined) yield after;
    before = page.seq;
  }
}

/** Did a commit change anything that may be seen? */
export async function changesVisibly(reader: Reader, hash: Hash, visible: RowSight): Promise<boolean> {
  const commit = (await reader.values("commit", [hash])).get(hash);
  if (!commit) return false;
  const { events } = await reader.value("changeset", commit.changeset);
  for (const { scope, id } of events)
    for (const row of await reader.storage.touchOf(scope, id))
      if (row.commit === hash && (await visible(row))) return true;
  return false;
}

/** The newest commit of the session's own branch, as people say it who know git. */
export const HEAD = "HEAD";

/** The name of a new branch or tag. One called HEAD would stand before the newest commit for good. */
export function parseNewName(name: string): BranchName {
  if (name !== HEAD) return parseBranch(name);
  throw new PalimpsestError("INVALID_NAME", "HEAD is the newest commit of the branch you are on.", {
    hint: "Choose another name.",
  });
}
