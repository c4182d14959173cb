import {
  type BranchName,
  type Hash,
  hashValue,
  MAIN,
  type MemoryId,
  type Scope,
  type Timestamp,
  timestamp,
} from "../base/index.js";
import { EMPTY_ROOT } from "../merkle/index.js";
import { type Encoded, encodeObject } from "./objects.js";
import {
  type Author,
  type Commit,
  type LedgerEvent,
  type MemoryRecord,
  type Sensitivity,
  sensitivityOf,
  type Touch,
} from "./types.js";

export const SYSTEM: Author = { id: "palimpsest", kind: "system" };

/** The constant first commit of every store, so that every ref has a commit and any two have a base. */
export const GENESIS_CHANGESET: Encoded<"changeset"> = encodeObject("changeset", { events: [] });
export const GENESIS_COMMIT: Commit = {
  v: 1,
  parents: [],
  root: EMPTY_ROOT,
  changeset: GENESIS_CHANGESET.hash,
  generation: 0,
  time: timestamp(0),
  author: SYSTEM,
  branch: MAIN,
};
export const GENESIS: Encoded<"commit"> = encodeObject("commit", GENESIS_COMMIT);

/** A commit and the hash it is known by. */
export interface Tip {
  readonly hash: Hash;
  readonly commit: Commit;
}

export const GENESIS_TIP: Tip = { hash: GENESIS.hash, commit: GENESIS_COMMIT };

export interface NewCommit {
  readonly parents: readonly Tip[];
  readonly root: Hash;
  readonly events: readonly LedgerEvent[];
  readonly now: Timestamp;
  readonly author: Author;
  readonly branch: BranchName;
  readonly note?: Hash | undefined;
}

/** Builds a commit with its changeset. Time never runs backwards along a line of commits. */
export function buildCommit(input: NewCommit): {
  readonly tip: Tip;
  readonly commit: Encoded<"commit">;
  readonly changeset: Encoded<"changeset">;
} {
  const changeset = encodeObject("changeset", { events: input.events });
  let generation = 0;
  let time: Timestamp = input.now;
  for (const { commit } of input.parents) {
    if (commit.generation > generation) generation = commit.generation;
    if (commit.time > time) time = commit.time;
  }
  const { author, branch, note, root } = input;
  const parents = input.parents.map((parent) => parent.hash);
  const [from, at] = [changeset.hash, generation + 1];
  // Spelled out twice: every write makes one, and a spread costs more than all else here.
  const value: Commit =
    note === undefined
      ? { author, branch, changeset: from, generation: at, parents, root, time, v: 1 }
      : { author, branch, changeset: from, generation: at, note, parents, root, time, v: 1 };
  const commit = encodeObject("commit", value);
  return { tip: { hash: commit.hash, commit: value }, commit, changeset };
}

/**
 * The nodes of a commit that enters a new block of this many generations are kept for good, so that at most 255 changesets
 * lie between any commit and nodes that are kept.
 */
export const CHECKPOINT_EVERY = 256;
/** They are stored, to be dropped later, for one that enters a smaller block: smaller still for large commits. */
const STORE_EVERY = 64;
const STORE_LARGE_EVERY = 4;
const LARGE = 8;

const entersBlock = (size: number, generation: number, parentGeneration: number): boolean =>
  Math.floor(generation / size) > Math.floor(parentGeneration / size);

export const isCheckpoint = (generation: number, parentGeneration: number): boolean =>
  entersBlock(CHECKPOINT_EVERY, generation, parentGeneration);

/** Other commits store no nodes at all: a reader of a head folds a few small changesets. */
export const storesNodes = (generation: number, parentGeneration: number, events: number): boolean =>
  entersBlock(events >= LARGE ? STORE_LARGE_EVERY : STORE_EVERY, generation, parentGeneration);

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
