import type { Hash, Scope } from "../core/base/index.js";
import type { Sensitivity } from "../core/ledger/index.js";
import { type Doc, docOf, type Held, readTerms } from "./document.js";
import { freeze } from "./freeze.js";
import { EMPTY, type Frozen, findHash, type Partition, samePartition, sizeOf } from "./frozen.js";
import type { Open } from "./open.js";
import { Parts } from "./parts.js";
import { finish, type Steps } from "./slices.js";

/** Fewer changes than this are not worth freezing; more than this share of all take too much room until they are. */
const FEW = 16_384;
const SHARE = 1 / 8;

/**
 * The live memories of one state in RAM: a directory and one inverted index of words and facets. A frozen part, made
 * once or read from an image, and what changed since on top of it. Pure: its owner keeps it in step.
 */
export class View extends Parts {
  #dead: Uint8Array;
  /** Another view reads it too, so that it is copied before it changes. */
  #sharesDead = false;
  #deadCount = 0;
  #version = 0;
  /** Version of the view that this one was forked from, at that time. */
  #forkedAt: number | undefined;
  #partitions: Partition[];
  /** Those buried since it was forked. */
  readonly #buried: number[] = [];
  /** Memories that end at some time. */
  #ending: Map<number, number>;

  constructor(base: Frozen = EMPTY, like?: View) {
    super(base);
    this.#dead = like ? like.#dead : new Uint8Array(sizeOf(base) + 64);
    this.#partitions = like ? like.#partitions.map((each) => ({ ...each })) : partitionsOf(base);
    this.#ending = like ? new Map(like.#ending) : endingOf(base);
    if (!like) return;
    this.#sharesDead = true;
    like.#sharesDead = true;
    this.#deadCount = like.#deadCount;
    this.#version = like.#version;
    this.#forkedAt = like.#version;
    // Of forks of forks only those that hold something are carried on.
    const filled = like.layers.filter(({ size }) => size > 0);
    this.layers.splice(0, 1, ...filled.map((layer) => ({ ...layer })));
    this.addLayer(like.size);
  }

  /**
   * A view that starts as this one and goes its own way; both share what they have in common. It may outlive the image and
   * a caller that could make another view, so that all of the image is read first.
   */
  fork(): View {
    finish(this.base.complete());
    return new View(this.base, this);
  }

  get live(): number {
    return this.size - this.#deadCount;
  }
  /** What changed since the frozen part was made. */
  get changes(): number {
    return this.size - sizeOf(this.base) + this.#deadCount;
  }
  /** Of how many parts it is put together: each costs every read. */
  get depth(): number {
    return this.layers.length;
  }
  /** Grows with every change, in a fork from where it was. */
  get version(): number {
    return this.#version;
  }
  get partitions(): readonly Readonly<Partition>[] {
    return this.#partitions;
  }
  get ending(): ReadonlyMap<number, number> {
    return this.#ending;
  }
  /** Is every number a live memory? */
  get isClean(): boolean {
    return this.#deadCount === 0;
  }
  isDead(doc: number): boolean {
    return this.#dead[doc] === 1;
  }

  add(held: Held): number {
    const { open } = this.layers.at(-1)!;
    return this.#place(docOf(held, readTerms(held.record, open)));
  }

  /** Gives a memory, whose terms have been counted, its number. */
  #place(doc: Doc): number {
    const layer = this.layers.at(-1)!;
    const partition = this.#partition(doc.scope, doc.sensitivity);
    const number = layer.start + layer.open.add(doc, partition);
    layer.size++;
    if (number >= this.#dead.length) {
      const grown = new Uint8Array(this.#dead.length * 2);
      grown.set(this.#dead);
      this.#dead = grown;
      this.#sharesDead = false;
    }
    this.#partitions[partition]!.count++;
    this.#partitions[partition]!.length += doc.length;
    if (Number.isFinite(doc.expires)) this.#ending.set(number, doc.expires);
    this.#version++;
    return number;
  }

  /** Says which commit made memories that were added while it was being written. */
  setCommit(numbers: Iterable<number>, commit: Hash): void {
    for (const number of numbers) {
      const { open, start } = this.layerOf(number)!;
      open.docs.setCommit(number - start, commit);
    }
  }

  /**
   * Takes over what was done to a fork of this view, without reading any text again. False, and nothing happens, when this
   * view has changed since.
   */
  absorb(fork: View): boolean {
    const { open, start, size } = fork.layers.at(-1)!;
    if (fork.base !== this.base || start !== this.size || fork.#forkedAt !== this.#version) return false;
    for (const doc of fork.#buried) if (doc < start) this.#bury(doc);
    const target = this.layers.at(-1)!.open;
    for (let at = 0; at < size; at++) {
      open.copyTerms(at, target);
      this.#place(open.docs.at(at));
      if (fork.isDead(start + at)) this.#bury(start + at);
    }
    return true;
  }

  /** Takes out the memory whose version has this hash. */
  remove(hash: Hash): boolean {
    const doc = this.find(hash);
    if (doc === undefined) return false;
    this.#bury(doc);
    return true;
  }

  #bury(doc: number): void {
    if (this.#sharesDead) this.#dead = this.#dead.slice();
    this.#sharesDead = false;
    this.#dead[doc] = 1;
    if (this.#forkedAt !== undefined) this.#buried.push(doc);
    this.#deadCount++;
    this.#ending.delete(doc);
    const partition = this.#partitions[this.partitionOf(doc)]!;
    partition.count--;
    partition.length -= this.lengthOf(doc);
    this.#version++;
  }

  find(hash: Hash): number | undefined {
    for (const { open, start, size } of this.layers.toReversed()) {
      const at = open.find(hash, (number) => number < size && !this.isDead(start + number));
      if (at !== undefined) return start + at;
    }
    const doc = findHash(this.base, hash);
    return doc < 0 || this.isDead(doc) ? undefined : doc;
  }

  scopeOf(number: number): Scope {
    return this.#partitions[this.partitionOf(number)]!.scope;
  }
  /** Has enough changed that joining the parts pays? */
  get isDue(): boolean {
    return this.changes >= Math.max(FEW, sizeOf(this.base) * SHARE);
  }

  /** Joins everything into one frozen part. Memories get new numbers. */
  compact(): Frozen {
    return finish(this.compacting());
  }

  /**
   * The same in steps: between two the view is read and changed as ever. Answers the frozen part of what the view was when
   * the first step was taken.
   */
  *compacting(): Steps<Frozen> {
    if (this.changes === 0) return this.base;
    const start = this.fork();
    const frozen = yield* freeze(start.base, start.layers, start.#partitions, (doc) => start.isDead(doc));
    // Somebody else may have been faster.
    if (this.base === start.base) this.#goOnFrom(frozen, start);
    return frozen;
  }

  /** Takes a frozen part that was made of an earlier state of this view, and does again what was done since. */
  #goOnFrom(frozen: Frozen, start: View): void {
    const added: { readonly open: Open; readonly at: number; readonly isDead: boolean }[] = [];
    for (let doc = start.size; doc < this.size; doc++) {
      const layer = this.layerOf(doc)!;
      added.push({ open: layer.open, at: doc - layer.start, isDead: this.isDead(doc) });
    }
    const buried: Hash[] = [];
    for (let doc = 0; doc < start.size; doc++)
      if (this.isDead(doc) && !start.isDead(doc)) buried.push(this.hashOf(doc));
    this.base = frozen;
    this.layers.length = 0;
    this.addLayer(sizeOf(frozen));
    this.#dead = new Uint8Array(sizeOf(frozen) + 64);
    this.#sharesDead = false;
    this.#deadCount = 0;
    this.#partitions = partitionsOf(frozen);
    this.#ending = endingOf(frozen);
    this.#version++;
    for (const hash of buried) this.remove(hash);
    const { open: target } = this.layers.at(-1)!;
    for (const { open, at, isDead } of added) {
      open.copyTerms(at, target);
      const number = this.#place(open.docs.at(at));
      if (isDead) this.#bury(number);
    }
  }

  #partition(scope: Scope, sensitivity: Sensitivity): number {
    const wanted = { scope, sensitivity };
    const known = this.#partitions.findIndex((partition) => samePartition(partition, wanted));
    return known >= 0 ? known : this.#partitions.push({ ...wanted, count: 0, length: 0 }) - 1;
  }
}

const partitionsOf = ({ partitions, bounds }: Frozen): Partition[] =>
  partitions.map((partition, at) => ({ ...partition, count: bounds[at + 1]! - bounds[at]! }));

const endingOf = (base: Frozen): Map<number, number> =>
  new Map(Array.from(base.ending, (doc) => [doc, base.expires[doc]!]));

/** A fork of a view with uncommitted writes laid over it, able to take back those since the last settled point. */
export class WorkingView {
  readonly view: View;
  #undo: (() => void)[] = [];
  #added: number[] = [];

  constructor(view: View) {
    this.view = view.fork();
  }

  /** Puts a memory in the place of an earlier version; null forgets. */
  put(before: Held | undefined, after: Held | null): void {
    this.#undo.push(() => this.#replace(after ?? undefined, before ?? null));
    this.#replace(before, after);
  }

  /** What was put so far stays, and was made by a commit. */
  settle(commit: Hash): void {
    this.view.setCommit(this.#added, commit);
    this.#undo = [];
    this.#added = [];
  }

  takeBack(): void {
    for (const step of this.#undo.reverse()) step();
    this.#undo = [];
    this.#added = [];
  }

  #replace(before: Held | undefined, after: Held | null): void {
    if (before) this.view.remove(before.hash);
    if (after) this.#added.push(this.view.add(after));
  }
}
