import type { BranchName } from "../../core/base/index.js";
import type { Tip } from "../../core/ledger/index.js";
import { type Frozen, ImageDamage, type Steps, type View } from "../../index/index.js";
import type { Reader } from "../read/reader.js";
import { giveWay } from "../read/turn.js";
import type { Kept, LoadedView } from "./view-image.js";

const MOST_KEPT = 4;
/** A command that asks one thing has ended by then. */
const SHORT_MS = 1000;
/** No branch is called like this. */
const PAST = "past ";

/**
 * The views of this process: one for each branch that is read, brought in step with the head when somebody reads. Made
 * when first needed, from the image beside the store if there is a good one. Forks share what they have in common.
 */
export class Views {
  readonly #reader: Reader;
  readonly #kept = new Map<string, Kept>();
  #epoch: number | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #tidying: Promise<void> | undefined;
  #saving: Promise<void> = Promise.resolve();
  #seen: Tip | undefined;
  /** What everything rests on, while it is being read. */
  #image: LoadedView | undefined;
  #isImageDamaged = false;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /**
   * Runs a function on the view of a commit. It must be synchronous: the view moves on when it has ended. It is run again
   * when it met a damaged part of an image.
   */
  async use<T>(branch: BranchName, tip: Tip, run: (view: View) => T): Promise<T> {
    const known = this.#kept.get(branch);
    if (this.#seen === tip && known?.tip.hash === tip.hash && this.#waiting === 0)
      try {
        return run(known.view);
      } catch (error) {
        this.#mindDamage(error);
      }
    const use = async () => {
      await this.#mindErased();
      this.#seen = tip;
      return run((await this.#at(branch, tip)).view);
    };
    return this.#inTurn(() =>
      use().catch((error) => {
        this.#mindDamage(error);
        return use();
      }),
    );
  }

  /**
   * A commit was made and this fork of the branch's view is the view of it: takes it over without reading anything. If
   * the view is not the one the fork was made of, or is being moved, nothing is done; the next read catches up.
   */
  advance(branch: BranchName, from: Tip, to: Tip, fork: View): void {
    const kept = this.#kept.get(branch);
    if (kept?.tip.hash !== from.hash || this.#waiting > 0 || !kept.view.absorb(fork)) return;
    kept.tip = to;
    if (this.#seen === from) this.#seen = to;
    this.#tidy(kept);
  }

  /** Something was erased: the words go from RAM now, and not when somebody next asks. */
  forget(): void {
    this.#kept.clear();
    this.#seen = undefined;
    this.#image?.leave();
    this.#image = undefined;
  }

  /** A part of the image is not what was written: nothing of it is used again, and a new one is made. */
  #mindDamage(error: unknown): void {
    if (!(error instanceof ImageDamage)) throw error;
    this.#startAnew();
  }

  /**
   * Also after work that nobody waits for has failed, for whatever reason: nobody could hear of it, and a view may have been
   * left half-way. The next read has one made from the store, and fails if that fails as well.
   */
  #startAnew(): void {
    this.#isImageDamaged = true;
    this.forget();
  }

  /** Waits for what is under way, then saves what is worth it. */
  async close(): Promise<void> {
    await this.#save(CLOSING);
    this.forget();
    await this.#tidying;
  }

  /** Joins the parts of a view when that pays, in steps between which it goes on being read and written. */
  #tidy(kept: Kept): void {
    if (!kept.view.isDue || this.#tidying) return;
    const isKept = () => [...this.#kept.values()].includes(kept);
    // Saving joins the parts too: to do both would be to do it twice, with one more view in RAM.
    const tidied =
      this.#due(RUNNING) === kept
        ? this.#save(RUNNING)
        : taken(kept.view.compacting(), isKept).then(
            () => undefined,
            () => this.#startAnew(),
          );
    this.#tidying = tidied.finally(() => {
      this.#tidying = undefined;
    });
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    this.#waiting++;
    const turn = this.#last.then(run).finally(() => {
      this.#waiting--;
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** After an erase nothing that was made before is used again: it still holds the words. */
  async #mindErased(): Promise<void> {
    const { epoch } = await this.#reader.version();
    if (this.#epoch !== undefined && this.#epoch !== epoch) this.forget();
    this.#epoch = epoch;
  }

  async #at(branch: BranchName, tip: Tip): Promise<Kept> {
    const key = this.#keyFor(branch, tip);
    const known = this.#kept.get(key);
    if (known?.tip.hash === tip.hash) return known;
    const { followView } = await import("./follow-view.js");
    const start = known ?? (await this.#start(tip));
    if (start.tip.hash !== tip.hash && !(await followView(this.#reader, start, tip))) {
      const { buildView } = await import("./follow-view.js");
      Object.assign(start, await buildView(this.#reader, tip));
    }
    this.#keep(key, start);
    this.#tidy(start);
    if (!key.startsWith(PAST) && isWorthSaving(start, RUNNING)) setImmediate(() => void this.#save(RUNNING));
    return start;
  }

  /** A branch's view follows its head; an older state gets a view of its own, so that the next read need not come back. */
  #keyFor(branch: BranchName, tip: Tip): string {
    const head = this.#kept.get(branch);
    return head && tip.commit.generation < head.tip.commit.generation ? PAST + tip.hash : branch;
  }

  /** Something to go on from: another view, the image, or nothing. */
  async #start(tip: Tip): Promise<Kept> {
    // Not simply the last: forks of forks would be put together of more and more parts.
    const [other] = [...this.#kept.values()].reverse().sort((a, b) => a.view.depth - b.view.depth);
    if (other) return { ...other, view: other.view.fork() };
    const { loadImage } = await import("./view-image.js");
    // Of a start that failed after it was loaded.
    this.#image?.leave();
    this.#image = this.#isImageDamaged ? undefined : await loadImage(this.#reader, this.#epoch!);
    if (this.#image) {
      setTimeout(() => void this.#readRest(), SHORT_MS).unref();
      return this.#image;
    }
    const { buildView } = await import("./follow-view.js");
    return buildView(this.#reader, tip);
  }

  /** A longer piece of work holds no file open: it may be erased meanwhile. */
  async #readRest(): Promise<void> {
    const image = this.#image;
    try {
      if (image) await taken(image.complete(), () => this.#image === image);
    } catch {
      this.#startAnew();
    }
  }

  #keep(key: string, kept: Kept): void {
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    while (this.#kept.size > MOST_KEPT) {
      const others = [...this.#kept.keys()].filter((other) => other !== key);
      // Views of heads are what the others are made of.
      this.#kept.delete(others.find((other) => other.startsWith(PAST)) ?? (others[0] as string));
    }
  }

  /**
   * Which state it is of is settled in turn. The image is made and published outside it: that takes a while and waits for
   * the store's writers, and a writer may be waiting for its turn with the view.
   */
  #save(pace: Pace): Promise<void> {
    const save = async () => {
      const make = await this.#inTurn(() => this.#prepare(pace));
      await make?.();
    };
    // An image only saves time; a process that finds none makes a view from the store.
    this.#saving = this.#saving.then(save).catch(() => undefined);
    return this.#saving;
  }

  /** The view that is to be saved. */
  #due(pace: Pace): Kept | undefined {
    const isDue = ([key, kept]: [string, Kept]) => !key.startsWith(PAST) && isWorthSaving(kept, pace);
    return [...this.#kept].findLast(isDue)?.[1];
  }

  async #prepare(pace: Pace): Promise<(() => Promise<void>) | undefined> {
    const due = this.#due(pace);
    if (!due) return undefined;
    const { imageOf } = await import("./view-image.js");
    due.savedAt = due.view.version;
    let steps: Steps<Frozen> | undefined = due.view.compacting();
    // The first step fixes what is frozen.
    const first = steps.next();
    const frozen = async () => {
      const made = first.done ? first.value : ((await taken(steps!)) as Frozen);
      // They hold what was frozen before, and an image takes its time to be written.
      steps = undefined;
      return made;
    };
    return imageOf(this.#reader.storage, due.tip, this.#epoch!, frozen);
  }
}

/** Takes the steps of long work one by one, as long as it is wanted; others get their turn in between. */
async function taken<T>(steps: Steps<T>, isWanted = () => true): Promise<T | undefined> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    await giveWay();
    if (!isWanted()) return undefined;
  }
}

/** When saving pays: after so many changes, or this share of all memories. */
interface Pace {
  readonly least: number;
  readonly share: number;
}
const RUNNING: Pace = { least: 4096, share: 0.2 };
/** Of 100,000 memories an image takes a second, and a process that starts behind one takes a millisecond or two for each commit since. */
const CLOSING: Pace = { least: 64, share: 0.0005 };
/** Fewer memories are read from the store as fast as from an image. */
const FEW = 256;

function isWorthSaving({ view, isWhole, savedAt }: Kept, { least, share }: Pace): boolean {
  if (!isWhole || view.live < FEW) return false;
  return savedAt === undefined || view.version - savedAt >= Math.max(least, view.live * share);
}
