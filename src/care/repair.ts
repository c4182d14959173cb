import {
  type Hash,
  idKey,
  MAIN,
  type MemoryId,
  type Scope,
  scopeKey,
  type Timestamp,
} from "../core/base/index.js";
import {
  type Commit,
  decodeObject,
  type Encoded,
  ERASED,
  encodeObject,
  GENESIS,
  GENESIS_CHANGESET,
  GENESIS_TIP,
  HEADS,
  headRef,
  type Operation,
  SYSTEM,
} from "../core/ledger/index.js";
import type { Ref, Salvage, Storage, StoredObject } from "../storage/index.js";
import { reachCommits } from "./chain.js";
import { type OnProgress, Pace } from "./pace.js";
import { rebuildStore } from "./rebuild.js";
import { publish } from "./restore.js";
import { verifyStore } from "./verify.js";

/** Something that is named and was not found. */
export interface Lost {
  readonly kind: "memory" | "changeset" | "commit";
  readonly hash: Hash;
  /** The commit that names it. */
  readonly commit?: Hash;
  /** Known when another version of the memory was found. */
  readonly scope?: Scope;
  readonly id?: MemoryId;
}

export interface RepairReport {
  readonly objects: number;
  readonly refs: number;
  /** Refs that had to be set back to the last commit that is whole, and those that were lost. */
  readonly moved: readonly { readonly ref: string; readonly from?: Hash; readonly to?: Hash }[];
  readonly lost: readonly Lost[];
  /** Operations that the repair had to add to the log, because those that were found do not lead to where the refs are. */
  readonly mended: number;
  /** Live on `main` in the new store. */
  readonly memories: number;
  /** Is the new store whole? Where something was lost it is not, and says so. */
  readonly ok: boolean;
}

/** Fills an empty store with all that was saved of a damaged one. */
export async function repairInto(
  target: Storage,
  salvage: Salvage,
  onProgress?: OnProgress,
): Promise<RepairReport> {
  const pace = new Pace(onProgress);
  const found = gather(salvage);
  const history = new History(found);
  const log = history.log(salvage.ops);
  const { refs, moved } = placeRefs(salvage, history, log);
  const { ops, made } = mendLog(log, refs, history.newest);
  const nothing = { refs: [], touch: [], ops: [] };
  const objects = [...inOrder(found, history), ...made];
  pace.stretch(0, 0.2);
  for (let at = 0; at < objects.length; at += 1_000) {
    await pace.step(at / objects.length);
    const { epoch } = await target.version();
    await target.transact({ ...nothing, put: objects.slice(at, at + 1_000), epoch });
  }
  await publish(target, { refs, ops });
  await rebuildStore(target, { keepNodes: true, onProgress: pace.within(0.2, 0.6) });
  const { ok, memories } = await verifyStore(target, { onProgress: pace.within(0.6, 1) });
  return {
    objects: objects.length,
    refs: refs.size,
    moved,
    lost: history.lost(),
    mended: made.length,
    memories,
    ok,
  };
}

const NAMED = /[0-9a-f]{64}/g;

/** What is sure, and of what is loose all that something names, over any number of steps. */
function gather({ objects, loose, refs, ops }: Salvage): Map<Hash, StoredObject> {
  // What every store begins with is known without reading: where nothing else stands, the first branch stands there.
  const found = new Map([...objects, [GENESIS_CHANGESET.hash, GENESIS_CHANGESET], [GENESIS.hash, GENESIS]]);
  const wanted: Hash[] = [...[...refs.values()].map(({ target }) => target), ...ops];
  const look = ({ kind, bytes }: StoredObject) => {
    if (kind !== "node" && kind !== "memory" && kind !== "note")
      wanted.push(...((Buffer.from(bytes).toString("latin1").match(NAMED) ?? []) as Hash[]));
  };
  for (const object of objects.values()) look(object);
  for (let hash = wanted.pop(); hash !== undefined; hash = wanted.pop()) {
    const object = loose.get(hash);
    if (!object || found.has(hash)) continue;
    found.set(hash, object);
    look(object);
  }
  return found;
}

/** The commits and operations that were found, and what they lead to. */
class History {
  readonly commits = new Map<Hash, Commit>();
  readonly operations = new Map<Hash, Operation>();
  readonly #names = new Map<string, { scope: Scope; id: MemoryId }>();
  readonly #erased = new Set<Hash>();
  readonly #whole = new Map<Hash, boolean>();

  constructor(readonly found: Map<Hash, StoredObject>) {
    for (const [hash, { kind, bytes }] of found) {
      if (kind === "commit") this.commits.set(hash, decodeObject("commit", bytes));
      else if (kind === "operation") this.operations.set(hash, decodeObject("operation", bytes));
      else if (kind === "memory") {
        const { scope, id } = decodeObject("memory", bytes);
        this.#names.set(scopeKey(scope) + idKey(id), { scope, id });
      } else if (kind === "tombstone")
        for (const record of decodeObject("tombstone", bytes).records) this.#erased.add(record);
    }
  }

  /** Can the state of a commit be had: read from its node, or folded from one that can? */
  stands(hash: Hash): boolean {
    const line: Hash[] = [];
    let answer: boolean | undefined;
    for (let at: Hash | undefined = hash; answer === undefined; ) {
      const commit: Commit | undefined = at && this.commits.get(at);
      const known = at && this.#whole.get(at);
      if (known !== undefined) answer = known;
      else if (!at || !commit) answer = false;
      else if (at === GENESIS.hash || this.found.has(commit.root)) answer = true;
      else if (!this.found.has(commit.changeset)) answer = false;
      if (at) line.push(at);
      at = commit?.parents[0];
    }
    for (const at of line) this.#whole.set(at, answer);
    return answer;
  }

  /** As far as the log is left, and what it lost in between, by time. */
  log(ops: readonly Hash[]): (readonly [Hash, Operation])[] {
    const listed = new Set(ops);
    const others = [...this.operations].filter(([hash]) => !listed.has(hash));
    others.sort(([, a], [, b]) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0)).reverse();
    const log: (readonly [Hash, Operation])[] = [];
    for (const hash of listed) {
      const operation = this.operations.get(hash);
      if (!operation) continue;
      while (others.length > 0 && others.at(-1)![1].time < operation.time) log.push(others.pop()!);
      log.push([hash, operation]);
    }
    return [...log, ...others.reverse()];
  }

  /** When something happened last. */
  get newest(): Timestamp {
    const times = Array.from(this.commits.values(), ({ time }) => time);
    return times.sort().at(-1) ?? GENESIS_TIP.commit.time;
  }

  lost(): Lost[] {
    const lost = new Map<Hash, Lost>();
    const miss = (kind: Lost["kind"], hash: Hash, rest: Partial<Lost> = {}) => {
      if (!this.found.has(hash) && !lost.has(hash)) lost.set(hash, { kind, hash, ...rest });
    };
    for (const [commit, { parents, changeset }] of this.commits) {
      for (const parent of parents) miss("commit", parent, { commit });
      miss("changeset", changeset, { commit });
      const bytes = this.found.get(changeset)?.bytes;
      for (const { scope, id, after } of bytes ? decodeObject("changeset", bytes).events : [])
        if (after && !this.#erased.has(after))
          miss("memory", after, { commit, ...this.#names.get(scope + id) });
    }
    return [...lost.values()];
  }
}

/** Each ref where it was if that stands, else at the last place it had that does; and lines that a gap left behind. */
function placeRefs({ refs: known }: Salvage, history: History, log: readonly (readonly [Hash, Operation])[]) {
  const places = new Map<string, Hash[]>();
  const followed = new Places();
  const gaps: Gap[] = [];
  for (const [, operation] of log) {
    gaps.push(...followed.take(operation));
    for (const { name, after } of operation.refs) {
      const known = places.get(name) ?? [];
      places.set(name, known);
      if (after) known.push(after);
    }
  }
  const refs = new Map<string, Ref>();
  const moved: { ref: string; from?: Hash; to?: Hash }[] = [];
  for (const name of new Set([...known.keys(), ...followed.left.keys(), headRef(MAIN)])) {
    const ref = known.get(name);
    const isThere = (target: Hash) =>
      name.startsWith(ERASED) ? history.found.has(target) : history.stands(target);
    const candidates = [...(places.get(name) ?? []), ...(ref ? [ref.target] : [])];
    const to = candidates.findLast(isThere) ?? newestOn(name, history);
    if (to) refs.set(name, { target: to, ...(ref?.meta && { meta: ref.meta }) });
    if (to !== ref?.target) moved.push({ ref: name, ...(ref && { from: ref.target }), ...(to && { to }) });
  }
  moved.push(...keepLeft(gaps, refs, history));
  return { refs, moved };
}

/**
 * A branch that was begun anew although it had a history, because its ref was lost: the longer line is the branch, and the
 * other one is kept beside it.
 */
function keepLeft(gaps: readonly Gap[], refs: Map<string, Ref>, history: History) {
  const moved: { ref: string; from?: Hash; to: Hash }[] = [];
  const lines = new Map<Hash, ReadonlyMap<Hash, Commit>>();
  const restsOn = (head: Hash, hash: Hash): boolean => {
    const line = lines.get(head) ?? reachCommits([head], history.commits);
    lines.set(head, line);
    return line.has(hash);
  };
  const generation = (hash: Hash): number => history.commits.get(hash)?.generation ?? 0;
  // The newest first: what an earlier one left is mostly what a later one rests on.
  for (const { name, left } of gaps.toReversed()) {
    const ref = refs.get(name);
    if (!name.startsWith(HEADS) || !ref || !left || restsOn(ref.target, left) || !history.stands(left))
      continue;
    const isLonger = generation(left) > generation(ref.target);
    if (isLonger) {
      refs.set(name, { ...ref, target: left });
      moved.push({ ref: name, from: ref.target, to: left });
    }
    const beside = isLonger ? ref.target : left;
    const isKept = [...refs].some(
      ([other, { target }]) => other.startsWith(HEADS) && restsOn(target, beside),
    );
    if (isKept) continue;
    const recovered = `${HEADS}recovered-${beside.slice(0, 8)}`;
    refs.set(recovered, { target: beside });
    moved.push({ ref: recovered, to: beside });
  }
  return moved;
}

/** Without any word of where a branch was: its youngest commit that stands. */
function newestOn(name: string, history: History): Hash | undefined {
  const branch = name.startsWith(HEADS) ? name.slice(HEADS.length) : undefined;
  const own = [...history.commits].filter(
    ([hash, commit]) => commit.branch === branch && history.stands(hash),
  );
  return own.sort(([, a], [, b]) => b.generation - a.generation)[0]?.[0];
}

/** As a store would have written them: what a commit names before it, and parents before children. */
function inOrder(found: ReadonlyMap<Hash, StoredObject>, { commits }: History): StoredObject[] {
  const others = [...found.values()].filter(({ kind }) => kind !== "commit");
  const line = [...found.values()].flatMap((object) => {
    const commit = commits.get(object.hash);
    return commit ? [{ object, commit }] : [];
  });
  line.sort((a, b) =>
    a.commit.time === b.commit.time
      ? a.commit.generation - b.commit.generation
      : a.commit.time < b.commit.time
        ? -1
        : 1,
  );
  return [...others, ...line.map(({ object }) => object)];
}

type Move = Operation["refs"][number];

/** Where an operation takes a ref up elsewhere than the one before it left it. */
interface Gap {
  readonly name: string;
  /** Where it was left, and where it is taken up. */
  readonly left?: Hash;
  readonly taken?: Hash;
}

/** Follows every ref through a log, oldest first, and tells where it has lost something. */
class Places {
  readonly #places = new Map<string, Hash | undefined>();

  take({ refs }: Operation): Gap[] {
    const gaps: Gap[] = [];
    for (const { name, before, after } of refs) {
      const left = this.#places.get(name);
      // The first branch begins at the constant first commit, before there is a ref.
      const isFirst = !this.#places.has(name) && before === GENESIS.hash;
      if (before !== left && !isFirst)
        gaps.push({ name, ...(left && { left }), ...(before && { taken: before }) });
      this.#places.set(name, after);
    }
    return gaps;
  }

  /** Those that the log left somewhere. */
  get left(): ReadonlyMap<string, Hash> {
    return new Map([...this.#places].filter((entry): entry is [string, Hash] => entry[1] !== undefined));
  }
}

/**
 * The log of a repaired store: what was found, and an operation of the repair itself wherever something is missing, so that
 * each ref can be followed to where it is now.
 */
function mendLog(
  found: readonly (readonly [Hash, Operation])[],
  refs: ReadonlyMap<string, Ref>,
  now: Timestamp,
): { readonly ops: readonly Hash[]; readonly made: readonly Encoded<"operation">[] } {
  const ops: Hash[] = [];
  const made: Encoded<"operation">[] = [];
  const say = (moves: readonly Move[], time: Timestamp) => {
    if (moves.length === 0) return;
    const operation = encodeObject("operation", { author: SYSTEM, refs: moves, time, v: 1, verb: "repair" });
    made.push(operation);
    ops.push(operation.hash);
  };
  const places = new Places();
  for (const [hash, operation] of found) {
    const moves = places.take(operation).map(({ name, left, taken }) => moveOf(name, left, taken));
    say(moves, operation.time);
    ops.push(hash);
  }
  const { left } = places;
  const moves = [...new Set([...left.keys(), ...refs.keys()])]
    .map((name) => moveOf(name, left.get(name), refs.get(name)?.target))
    .filter(({ before, after }) => before !== after);
  say(moves, found.at(-1)?.[1].time ?? now);
  return { ops, made };
}

const moveOf = (name: string, before: Hash | undefined, after: Hash | undefined): Move => ({
  name,
  ...(before && { before }),
  ...(after && { after }),
});
