import type { Hash, JsonObject, Timestamp } from "../../core/base/index.js";
import type { Operation } from "../../core/ledger/index.js";
import type { Ref, Storage } from "../../storage/index.js";
import type { Context } from "../context.js";
import { commitAt, parseMoment, seenAt } from "./as-of.js";

/** What names meant: all that anybody asks of refs, at one moment. */
export type Refs = Pick<Storage, "refs">;

/**
 * The refs as they stood at a time, or when a commit had just been made: those of now, with every later operation taken
 * back. Where an operation does not tell what was said of a ref, it is taken from what is said of it now.
 */
export async function refsAt(context: Context, at: string): Promise<Refs> {
  const { reader } = context.engine;
  const { later } = await moment(context, at);
  const refs = new Map(await reader.storage.refs(""));
  for (const operation of later) {
    const note = operation.note && (await reader.values("note", [operation.note])).get(operation.note);
    const said = note?.meta?.before as { readonly [ref: string]: JsonObject } | undefined;
    for (const { name, before, after } of operation.refs) {
      const meta = said?.[name] ?? unsaid(operation, name, refs.get(name), before === after);
      if (before === undefined) refs.delete(name);
      else refs.set(name, { target: before, ...(meta && { meta }) });
    }
  }
  const sorted = [...refs].sort(([a], [b]) => (a < b ? -1 : 1));
  return { refs: async (prefix) => new Map(sorted.filter(([name]) => name.startsWith(prefix))) };
}

/** Which operations came later than a point, newest first, and where the log goes on from there. */
export async function moment(
  context: Context,
  at: string,
): Promise<{ readonly later: readonly Operation[]; readonly isLater: (op: Hash) => boolean }> {
  const { reader } = context.engine;
  const named = await commitAt(context, at);
  // A name that was moved on out of sight still means the last that the session sees of it.
  const seen = named && (await seenAt({ context, reader, tip: await reader.tip(named) }));
  const commit = seen?.hash;
  const time: Timestamp = seen ? seen.commit.time : parseMoment(at);
  const met: [Hash, Operation][] = [];
  let count: number | undefined;
  walk: for (let before = Number.MAX_SAFE_INTEGER; before > 0; ) {
    const page = await reader.storage.opsBefore(before, PAGE);
    const known = await reader.values("operation", page.ops);
    for (const hash of page.ops) {
      const operation = known.get(hash);
      if (!operation) continue;
      if (commit ? operation.time < time : operation.time <= time) break walk;
      // A ref may have come to the commit several times: it was made the first time.
      if (operation.refs.some(({ after }) => after === commit)) count = met.length;
      met.push([hash, operation]);
    }
    before = page.seq;
  }
  const later = met.slice(0, commit ? count : undefined);
  const hashes = new Set(later.map(([hash]) => hash));
  return { later: later.map(([, operation]) => operation), isLater: (op) => hashes.has(op) };
}

const PAGE = 256;

/** A merge says of its source that it is merged; a snapshot that had to go was its agent's own, and its name tells when it was taken. */
function unsaid(
  { verb, author }: Operation,
  name: string,
  now: Ref | undefined,
  stayed: boolean,
): JsonObject | undefined {
  if (now) return verb === "merge" && stayed ? { ...now.meta, status: "open" } : now.meta;
  const time = /^snapshots\/[^/]+\/snap-([0-9a-f]{8})-([0-9a-f]{4})-/.exec(name);
  if (!time) return undefined;
  return {
    agent: author.id,
    time: new Date(Number.parseInt(`${time[1]}${time[2]}`, 16)).toISOString(),
  };
}
