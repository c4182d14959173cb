import { open } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { type Hash, PalimpsestError, type Timestamp, timestamp } from "../base/index.js";
import { ERASED, HEADS } from "../branches/index.js";
import {
  IMAGE_MAGIC,
  type Image,
  type ImageObject,
  ImageReader,
  type ImageSource,
  imageLines,
  linesOf,
} from "../documents/index.js";
import type { Touch } from "../ledger/index.js";
import { memoryStorage, type Ref, type Storage, type StoredObject } from "../storage/index.js";
import type { Engine } from "./engine.js";
import { chunksOf, isThere, replaceFile } from "./files.js";
import { HashSet } from "./hash-set.js";
import { Reader } from "./reader.js";
import { storeNodes } from "./writer.js";

export interface ImageReport {
  readonly file: string;
  readonly objects: number;
  /** Versions of memories among them. */
  readonly memories: number;
  readonly refs: number;
}

/** `$MEMORY_SNAPSHOT_PATH`, else `memory.snap` in the home directory. It names an image, never a store. */
export const imagePath = (env: { readonly [name: string]: string | undefined } = process.env): string =>
  env.MEMORY_SNAPSHOT_PATH || join(homedir(), "memory.snap");

/** Does a file begin like an image? */
export async function isImage(file: string): Promise<boolean> {
  const handle = await open(file).catch(() => undefined);
  const start = Buffer.alloc(IMAGE_MAGIC.length);
  await handle?.read(start, 0, start.length, 0).catch(() => undefined);
  await handle?.close();
  return start.toString() === IMAGE_MAGIC;
}

/** Writes everything the store holds to one file, which appears whole or not at all. */
export async function saveImage(
  engine: Engine,
  file: string,
  { onProgress }: SaveOptions = {},
): Promise<ImageReport> {
  for (let round = 1; ; round++) {
    const image = await imageOf(engine.storage, timestamp(engine.clock()));
    const { objects } = image.counts;
    const lines = imageLines({
      ...image,
      objects: told(image.objects, (done) => onProgress?.(done, objects)),
    });
    try {
      await replaceFile(file, lines);
      return { file, ...image.counts, refs: image.refs.size };
    } catch (error) {
      if (round === ROUNDS || !(error instanceof PalimpsestError) || error.code !== "STORE_BUSY") throw error;
    }
  }
}

const ROUNDS = 5;

export interface SaveOptions {
  /** Told of every thousand objects; may throw to end it, and nothing is written. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

const PER_LOOK = 1_000;

async function* told<T>(items: AsyncIterable<T>, tell: (done: number) => void): AsyncGenerator<T> {
  let done = 0;
  for await (const item of items) {
    yield item;
    if (++done % PER_LOOK === 0) tell(done);
  }
}

const SAVED = ["memory", "changeset", "commit", "note", "operation", "tombstone"] as const;

/** An image of the store as it is now. Objects are counted first and read again while they are written. */
export async function imageOf(storage: Storage, created: Timestamp): Promise<ImageSource> {
  const { refs, seq, epoch } = await refsAt(storage);
  const known = new HashSet();
  let memories = 0;
  for await (const { kind } of savedUpTo(storage, seq, known)) if (kind === "memory") memories++;
  const ops: Hash[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; before > 0; ) {
    const page = await storage.opsBefore(before, 10_000);
    ops.push(...page.ops);
    before = page.seq;
  }
  return {
    created,
    refs,
    ops: ops.reverse().filter((hash) => known.has(hash)),
    counts: { objects: known.size, memories },
    objects: wholeUpTo(storage, seq, epoch),
    touch: touchOf(storage, known),
  };
}

/** What is written meanwhile belongs to a later image; what is stored twice is told once. */
async function* savedUpTo(storage: Storage, seq: number, known: HashSet): AsyncGenerator<ImageObject> {
  for await (const { hash, kind, bytes, seq: at } of storage.scan({ kinds: SAVED })) {
    if (at > seq || !known.add(hash)) continue;
    yield { hash, kind: kind as ImageObject["kind"], bytes };
  }
}

/** The same, unless something was erased meanwhile: of that, only a part would be in the file. */
async function* wholeUpTo(storage: Storage, seq: number, epoch: number): AsyncGenerator<ImageObject> {
  yield* savedUpTo(storage, seq, new HashSet());
  if ((await storage.version()).epoch !== epoch)
    throw new PalimpsestError("STORE_BUSY", "Something was erased while the store was read.", {
      hint: "Nothing was written. Do it again.",
    });
}

async function* touchOf(storage: Storage, known: HashSet): AsyncGenerator<Touch> {
  for (let after = 0; ; ) {
    const page = await storage.touchSince(after, 10_000);
    for (const row of page.touch) if (known.has(row.commit)) yield row;
    if (page.seq === after) return;
    after = page.seq;
  }
}

/** All refs as of one version of the store. */
async function refsAt(storage: Storage): Promise<{ refs: Map<string, Ref>; seq: number; epoch: number }> {
  for (;;) {
    const { seq, epoch } = await storage.version();
    const refs = await storage.refs("");
    if ((await storage.version()).seq === seq) return { refs, seq, epoch };
  }
}

/**
 * Fills an empty store from an image, which is checked whole before anything is written. A store that has memories of
 * its own is never touched. A load that was interrupted goes on where it stopped; the refs come last.
 */
export async function loadImage(engine: Engine, file: string): Promise<ImageReport | undefined> {
  if (!(await isThere(file))) return undefined;
  const lines = new ImageReader();
  for await (const line of linesOf(chunksOf(file), Number.POSITIVE_INFINITY)) {
    if ("problem" in line)
      throw new PalimpsestError("INVALID_TEXT", `Line ${line.number} of ${file} ${line.problem}.`);
    lines.add(line.text);
  }
  const image = lines.done();
  await fillFrom(engine, image);
  const memories = image.objects.filter(({ kind }) => kind === "memory").length;
  return { file, objects: image.objects.length, memories, refs: image.refs.size };
}

/** The same for an image that was read already. Answers whether anything had to be written. */
export async function fillFrom(into: Pick<Engine, "storage" | "reader">, image: Image): Promise<boolean> {
  checkWhole(image);
  await rehearse(image);
  const here = await into.storage.refs("");
  if (here.size > 0) {
    if ([...image.refs].every(([name, { target }]) => here.get(name)?.target === target)) return false;
    throw new PalimpsestError("REFUSED", "This store has memories of its own.", {
      hint: "Load an image into an empty store: choose another directory with --store.",
    });
  }
  await fill(into, image);
  return true;
}

/** Everything that a ref or an event names must be there. */
function checkWhole({ objects, refs, ops, touch }: Image): void {
  const known = new Set(objects.map(({ hash }) => hash));
  const isWhole =
    [...refs.values()].every(({ target }) => known.has(target)) &&
    ops.every((hash) => known.has(hash)) &&
    touch.every(({ commit }) => known.has(commit));
  if (!isWhole)
    throw new PalimpsestError("DAMAGED", "The image lacks objects that it names.", {
      hint: "Nothing was loaded. Use an earlier image, or the store it was made from.",
    });
}

/** The image as a store in RAM must verify: hashes alone do not show a history that does not add up. */
async function rehearse(image: Image): Promise<void> {
  const { verifyStore } = await import("../care/index.js");
  const storage = memoryStorage();
  await fill({ storage, reader: new Reader(storage) }, image);
  const { ok, problems } = await verifyStore(storage, {});
  if (ok) return;
  throw new PalimpsestError("DAMAGED", "The image does not hold a whole store.", {
    hint: "Nothing was loaded. Use an earlier image, or the store it was made from.",
    data: { problems: problems.slice(0, 10) },
  });
}

const PER_STEP = 1_000;

async function fill({ storage, reader }: Pick<Engine, "storage" | "reader">, image: Image): Promise<void> {
  const { epoch } = await storage.version();
  const rest = { refs: [], ops: [], touch: [], epoch };
  const isOperation = new Set(image.ops);
  const plain = image.objects.filter(({ hash }) => !isOperation.has(hash));
  for (let at = 0; at < plain.length; at += PER_STEP)
    await storage.transact({ ...rest, put: plain.slice(at, at + PER_STEP) });
  let done = await countEvents(storage);
  for (; done < image.touch.length; done += PER_STEP)
    await storage.transact({ ...rest, put: [], touch: image.touch.slice(done, done + PER_STEP) });
  const operations: StoredObject[] = image.objects.filter(({ hash }) => isOperation.has(hash));
  const refs = [...image.refs].map(([name, next]) => ({ name, expect: null, next }));
  const result = await storage.transact({
    put: operations,
    refs,
    ops: image.ops,
    touch: [],
    epoch,
    // Where something was erased the epoch has moved: who sees none does not look for tombstones.
    ...(refs.some(({ name }) => name.startsWith(ERASED)) && {
      erase: { objects: [], texts: [], notes: [] },
    }),
  });
  if (result === "stale")
    throw new PalimpsestError("STORE_BUSY", "Somebody else wrote to this store meanwhile.");
  for (const [name, { target }] of image.refs)
    if (name.startsWith(HEADS)) await storeNodes(reader, await reader.tip(target));
}

async function countEvents(storage: Storage): Promise<number> {
  let count = 0;
  for (let after = 0; ; ) {
    const page = await storage.touchSince(after, 10_000);
    count += page.touch.length;
    if (page.seq === after) return count;
    after = page.seq;
  }
}
