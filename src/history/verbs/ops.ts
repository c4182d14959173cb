import {
  type Hash,
  type JsonObject,
  PalimpsestError,
  quote,
  resolveHash,
  type Timestamp,
} from "../../core/base/index.js";
import {
  type Author,
  CHECKOUTS,
  clears,
  ERASED,
  HEADS,
  type Operation,
  SNAPSHOTS,
  STAGING,
  snapshotInfo,
  stateDiff,
  type Touch,
} from "../../core/ledger/index.js";
import { seesStaged } from "../../memories/index.js";
import type { Context, Reader } from "../../repo/index.js";
import { changesVisibly, isWithoutEvents, moment, type RowSight, rowSight } from "../../repo/index.js";
import type { OpsOptions } from "../options.js";

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

/** What was done to refs, newest first: by whom, from where to where. Only what changed something the session sees. */
export async function ops(context: Context, { limit = 20, at }: OpsOptions): Promise<OperationItem[]> {
  const items: OperationItem[] = [];
  const isLater = at === undefined ? undefined : (await moment(context, at)).isLater;
  for await (const item of visibleOps(context)) {
    if (items.length >= limit) break;
    if (!isLater?.(item.op)) items.push(item);
  }
  return items;
}

/** The operation meant by a hash or prefix. */
export async function findOp(context: Context, hashOrPart: string): Promise<OperationItem> {
  const found = new Map<Hash, OperationItem>();
  const isMeant = (op: Hash) => op.startsWith(hashOrPart);
  for await (const item of visibleOps(context, isMeant)) if (isMeant(item.op)) found.set(item.op, item);
  const op = resolveHash(hashOrPart, found.keys());
  if (op !== undefined) return undoable(found.get(op) as OperationItem);
  throw new PalimpsestError("NOT_FOUND", `There is no operation ${quote(hashOrPart)}.`, { hint: LOOK });
}

const LOOK = "See `pal ops` for what was done.";

/** A later operation of the caller's own that was not on the branch. */
export type PassedOver = Pick<OperationItem, "op" | "verb"> & { readonly refs: readonly string[] };

/** The caller's own last operation on its branch, and what it did elsewhere since and could still take back. */
export async function lastOp(
  context: Context,
): Promise<{ readonly operation: OperationItem; readonly passedOver: readonly PassedOver[] }> {
  const head = HEADS + context.branch;
  const passedOver: PassedOver[] = [];
  const seen = new Set<string>();
  // One that cannot be read may be the one that is meant: another is not undone in its place.
  for await (const item of visibleOps(context, () => true)) {
    if (item.author.id !== context.author.id) continue;
    const moved = item.refs.filter(
      ({ name, before, after }) => before !== after && !name.startsWith(CHECKOUTS),
    );
    if (moved.some(({ name, before }) => name === head && before !== undefined))
      return { operation: undoable(item), passedOver };
    const refs = moved.map(({ name }) => name).filter((name) => !seen.has(name));
    for (const name of refs) seen.add(name);
    if (refs.length === moved.length && (await canBeUndone(context, moved)))
      passedOver.push({ op: item.op, verb: item.verb, refs });
  }
  const [{ op, verb } = {}] = passedOver;
  throw new PalimpsestError("NOT_FOUND", "There is nothing of yours to undo on this branch.", {
    hint: op
      ? `Elsewhere you did ${verb} last: \`pal undo ${op.slice(0, 12)}\` takes that back. ${LOOK}`
      : LOOK,
  });
}

/** Branches, tags and snapshots that nobody moved or uses since; what waits or was erased is another matter. */
async function canBeUndone(context: Context, moved: Operation["refs"]): Promise<boolean> {
  const { storage } = context.engine.reader;
  for (const { name, before, after } of moved) {
    if (name.startsWith(STAGING) || name.startsWith(ERASED)) return false;
    const now = (await storage.ref(name))?.target;
    const isHead = name.startsWith(HEADS);
    if (isHead && before && after ? now === undefined : now !== after) return false;
    if (!isHead || before !== undefined) continue;
    const used = [...(await storage.refs(CHECKOUTS)).values()].map(
      ({ meta }) => HEADS + String(meta?.branch),
    );
    if (name === HEADS + context.branch || used.includes(name)) return false;
  }
  return moved.length > 0;
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
  isWanted: (op: Hash) => boolean = () => false,
): AsyncGenerator<OperationItem> {
  const { reader } = context.engine;
  const visible = rowSight(context);
  for (let before = Number.MAX_SAFE_INTEGER; before > 0; ) {
    const page = await reader.storage.opsBefore(before);
    const known = await reader.values("operation", page.ops);
    for (const hash of page.ops) {
      const operation = known.get(hash) ?? (isWanted(hash) && (await reader.value("operation", hash)));
      if (!operation) continue;
      if (await seesOperation(context, operation, visible)) yield await itemOf(reader, hash, operation);
    }
    before = page.seq;
  }
}

/**
 * Names of refs are no secret; a head that moved is seen by sessions that see something of what moved it, and what waits by
 * those who may see all of it. An erasure is seen by who saw a version of what went, and a snapshot that another took
 * for itself by nobody else. What an agent did in a session that saw more is hidden from one that sees less.
 */
export async function seesOperation(
  context: Context,
  operation: Operation,
  visible: RowSight,
): Promise<boolean> {
  const { reader } = context.engine;
  const { refs, author } = operation;
  const isOwn = author.id === context.author.id;
  const all = (prefix: string): boolean =>
    refs.length > 0 && refs.every(({ name }) => name.startsWith(prefix));
  if (all(ERASED)) return isOwn || sawErased(context, operation, visible);
  if (all(SNAPSHOTS)) return isOwn || (await isForAll(reader, operation));
  const heads = refs.filter(
    ({ name, before, after }) => name.startsWith(HEADS) && before && after && before !== after,
  );
  if (all(STAGING)) {
    for (const { before, after } of refs)
      if (!(await seesStaged(context, (after ?? before) as Hash))) return false;
    return true;
  }
  if (heads.length === 0) return true;
  for (const { before, after } of heads) {
    const commit = (await reader.values("commit", [after as Hash])).get(after as Hash);
    // Dropped with a branch that went: nobody can say any more what it held.
    if (!commit && isOwn && context.sight.isWhole) return true;
    if (!commit) continue;
    if (isOwn && (await isWithoutEvents(reader, after as Hash))) return true;
    if (commit.parents[0] === before) {
      if (await changesVisibly(reader, after as Hash, visible)) return true;
    } else if (await differsVisibly(context, before as Hash, after as Hash)) return true;
  }
  return false;
}

/** Does a session see any version of what a tombstone stands for? What touched it stays when the bytes go. */
async function sawErased(context: Context, { refs }: Operation, visible: RowSight): Promise<boolean> {
  const { reader } = context.engine;
  const graves = await reader.values(
    "tombstone",
    refs.flatMap(({ after }) => after ?? []),
  );
  for (const { scope, id } of graves.values())
    for (const row of await reader.storage.touchOf(scope, id))
      if ((await visible(row)) || seesWhereverItWas(context, row)) return true;
  return false;
}

/** Nothing is left that would tell the scope: who sees every scope saw it there. */
const seesWhereverItWas = ({ sight }: Context, { sensitivity }: Touch): boolean =>
  sight.isEverywhere && clears(sight.clearance, sensitivity);

/** A snapshot with a label is everybody's. */
async function isForAll(reader: Reader, { refs, note }: Operation): Promise<boolean> {
  const about = note && (await reader.values("note", [note])).get(note);
  const before = about?.meta?.before as { readonly [ref: string]: JsonObject } | undefined;
  for (const { name } of refs) {
    const meta = (await reader.storage.ref(name))?.meta ?? before?.[name];
    if (meta !== undefined && snapshotInfo(meta).label !== undefined) return true;
  }
  return false;
}

async function differsVisibly(context: Context, before: Hash, after: Hash): Promise<boolean> {
  const { reader } = context.engine;
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
