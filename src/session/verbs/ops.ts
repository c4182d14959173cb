import {
  type Hash,
  type JsonObject,
  PalimpsestError,
  quote,
  resolveHash,
  type Timestamp,
} from "../../base/index.js";
import { HEADS, STAGING } from "../../branches/index.js";
import { type Author, type Operation, stateDiff } from "../../ledger/index.js";
import { changesVisibly } from "../as-of.js";
import type { Context } from "../context.js";
import type { Reader } from "../reader.js";
import { moment } from "../refs-at.js";
import { type RowSight, rowSight } from "../rows.js";
import { seesStaged } from "../staging.js";

export interface OperationItem {
  readonly op: Hash;
  readonly verb: string;
  readonly time: Timestamp;
  readonly author: Author;
  readonly session?: string;
  readonly why?: string;
  readonly refs: Operation["refs"];
  /** What was said of refs before they changed or went. */
  readonly said?: { readonly [ref: string]: JsonObject };
}

export interface OpsOptions {
  readonly limit?: number;
  /** Only what had been done at a commit, branch, tag, snapshot or time. */
  readonly at?: string;
}

/** What was done to refs, newest first: by whom, from where to where. Only what changed something the session sees. */
export async function ops(
  context: Context,
  reader: Reader,
  { limit = 20, at }: OpsOptions,
): Promise<OperationItem[]> {
  const items: OperationItem[] = [];
  const isLater = at === undefined ? undefined : (await moment(context, reader, at)).isLater;
  for await (const item of visibleOps(context, reader)) {
    if (items.length >= limit) break;
    if (!isLater?.(item.op)) items.push(item);
  }
  return items;
}

/** The operation meant by a hash or prefix, or the caller's own last one on its branch. */
export async function findOp(
  context: Context,
  reader: Reader,
  given: string | undefined,
): Promise<OperationItem> {
  const head = `heads/${context.branch}`;
  const found = new Map<Hash, OperationItem>();
  // One that cannot be read may be the one that is meant: another is not undone in its place.
  const mayBeMeant = (op: Hash) => given === undefined || op.startsWith(given);
  for await (const item of visibleOps(context, reader, mayBeMeant)) {
    if (given === undefined) {
      const movedHere = item.refs.some(
        ({ name, before, after }) => name === head && before !== undefined && before !== after,
      );
      if (item.author.id === context.author.id && movedHere) return undoable(item);
    } else if (item.op.startsWith(given)) found.set(item.op, item);
  }
  const op = given === undefined ? undefined : resolveHash(given, found.keys());
  if (op !== undefined) return undoable(found.get(op) as OperationItem);
  const what =
    given === undefined ? "There is nothing of yours to undo" : `There is no operation ${quote(given)}`;
  throw new PalimpsestError("NOT_FOUND", `${what}.`, { hint: "See `pal ops` for what was done." });
}

function undoable(item: OperationItem): OperationItem {
  if (item.verb !== "erase") return item;
  throw new PalimpsestError("ERASED", "An erasure cannot be undone.", {
    hint: "To undo what was done before it, name that operation; see `pal ops`.",
  });
}

/** Damaged ones are left out, unless they are wanted: then they are an error. */
async function* visibleOps(
  context: Context,
  reader: Reader,
  isWanted: (op: Hash) => boolean = () => false,
): AsyncGenerator<OperationItem> {
  const visible = rowSight(context, reader);
  for (let before = Number.MAX_SAFE_INTEGER; before > 0; ) {
    const page = await reader.storage.opsBefore(before);
    const known = await reader.values("operation", page.ops);
    for (const hash of page.ops) {
      const operation = known.get(hash) ?? (isWanted(hash) && (await reader.value("operation", hash)));
      if (!operation) continue;
      const isOwn = operation.author.id === context.author.id;
      if (isOwn || (await isVisible(context, reader, operation, visible)))
        yield await itemOf(reader, hash, operation);
    }
    before = page.seq;
  }
}

/**
 * Names of refs are no secret; a head that moved is seen by whoever sees something of what moved it, and what waits by
 * those who may see all of it.
 */
async function isVisible(
  context: Context,
  reader: Reader,
  { refs }: Operation,
  visible: RowSight,
): Promise<boolean> {
  const heads = refs.filter(
    ({ name, before, after }) => name.startsWith(HEADS) && before && after && before !== after,
  );
  if (refs.every(({ name }) => name.startsWith(STAGING))) {
    for (const { before, after } of refs)
      if (!(await seesStaged(context, reader, (after ?? before) as Hash))) return false;
    return true;
  }
  if (heads.length === 0) return true;
  for (const { before, after } of heads) {
    const commit = (await reader.values("commit", [after as Hash])).get(after as Hash);
    if (!commit) continue;
    if (commit.parents[0] === before) {
      if (await changesVisibly(reader, after as Hash, visible)) return true;
    } else if (await differsVisibly(context, reader, before as Hash, after as Hash)) return true;
  }
  return false;
}

async function differsVisibly(context: Context, reader: Reader, before: Hash, after: Hash): Promise<boolean> {
  const [from, to] = [await reader.tip(before), await reader.tip(after)];
  const { changes } = await reader.read([from, to], (source) =>
    stateDiff(from.commit.root, to.commit.root, source),
  );
  for (const change of changes) {
    const hash = (change.after ?? change.before) as Hash;
    const record = (await reader.values("memory", [hash])).get(hash);
    if (record && context.sight.seesRecord(record)) return true;
  }
  return false;
}

async function itemOf(reader: Reader, op: Hash, operation: Operation): Promise<OperationItem> {
  const { verb, time, author, session, refs, note } = operation;
  const about = note && (await reader.values("note", [note])).get(note);
  const why = about?.why;
  const said = about?.meta?.before;
  return {
    op,
    verb,
    time,
    author,
    ...(session !== undefined && { session }),
    ...(why !== undefined && { why }),
    ...(said !== undefined && { said: said as { [ref: string]: JsonObject } }),
    refs,
  };
}
