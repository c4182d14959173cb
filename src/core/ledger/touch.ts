import { type Hash, hashValue, type MemoryId, type Scope, type Timestamp } from "../base/index.js";
import type { Tip } from "./commit.js";
import type { LedgerEvent, MemoryRecord, Sensitivity, Touch } from "./types.js";
import { sensitivityOf } from "./types.js";

/** What the counters of a key stood at before an event. */
export interface Counters {
  readonly version: number;
  readonly created: Timestamp;
  readonly sensitivity: Sensitivity;
}

/**
 * Finds the counters a new event goes on from among the earlier touch rows of its key (newest first): those of
 * the version it replaces, or, for a key that was forgotten or never there, of the last row if there is one.
 */
export function countersBefore(
  rows: Iterable<Counters & Pick<Touch, "record">>,
  before: Hash | undefined,
): Counters | undefined {
  for (const row of rows) if (before === undefined || row.record === before) return row;
  return undefined;
}

/**
 * The touch row of one event. A key that comes back after a forget counts on, but is created anew; what a merge
 * brings in was created where it came from.
 */
export function touchOf(
  event: LedgerEvent,
  record: MemoryRecord | undefined,
  tip: Tip,
  prior: Counters | undefined,
): Touch {
  const { scope, id, op, after } = event;
  const { generation, time, author } = tip.commit;
  const commit = tip.hash;
  const version = (prior?.version ?? 0) + 1;
  const created = prior && (event.before !== undefined || isMerge(tip)) ? prior.created : time;
  const sensitivity = record ? sensitivityOf(record) : (prior?.sensitivity ?? "normal");
  const links = record ? linksOf(record) : [];
  return after === undefined
    ? { scope, id, op, commit, generation, time, author, version, created, sensitivity, links }
    : {
        scope,
        id,
        op,
        record: after,
        commit,
        generation,
        time,
        author,
        version,
        created,
        sensitivity,
        links,
      };
}

const isMerge = ({ commit }: Tip): boolean => commit.parents.length > 1;

/**
 * Links let a reader find records by something other than their id without reading all records: storage
 * indexes each touch row under the links of its record. They are hints; the state decides what is live.
 */
export const parentLink = (scope: Scope, parent: MemoryId): Hash =>
  hashValue("link", ["parent", scope, parent]);
export const topicLink = (scope: Scope, topic: string): Hash => hashValue("link", ["topic", scope, topic]);

export function linksOf(record: MemoryRecord): Hash[] {
  const links: Hash[] = [];
  if (record.parent !== undefined) links.push(parentLink(record.scope, record.parent));
  if (record.topic !== undefined) links.push(topicLink(record.scope, record.topic));
  return links;
}
