import { type BranchName, type Hash, MAIN, type Timestamp, timestamp } from "../base/index.js";
import { EMPTY_ROOT } from "../merkle/index.js";
import { type Encoded, encodeObject } from "./objects.js";
import type { Author, Commit, LedgerEvent } from "./types.js";

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
