import { homedir } from "node:os";
import { join } from "node:path";
import {
  type Hash,
  HashSet,
  hashBytes,
  MAIN,
  PalimpsestError,
  type Timestamp,
  timestamp,
} from "../../core/base/index.js";
import { GENESIS, headRef, type Touch } from "../../core/ledger/index.js";
import type { Engine, Reader } from "../../repo/index.js";
import { attentive, countLive, type Look, looking, putFile } from "../../repo/index.js";
import { firstHead, headOfPlain, type Ref, type Storage } from "../../storage/index.js";
import { isMadeHere } from "../export.js";
import { IMAGE_MAGIC, type ImageObject, type ImageSource, imageLines } from "../image.js";

export interface ImageReport {
  readonly file: string;
  readonly objects: number;
  /** Versions of memories among them. */
  readonly memories: number;
  /** Memories that are there on `main`. */
  readonly live: number;
  readonly refs: number;
  /** Of a load: all of it was there already. */
  readonly unchanged?: true;
}

/** `$MEMORY_SNAPSHOT_PATH`, else `memory.snap` in the home directory. It names an image, never a store. */
export const imagePath = (env: { readonly [name: string]: string | undefined } = process.env): string =>
  env.MEMORY_SNAPSHOT_PATH || join(homedir(), "memory.snap");

/** Does a file begin like an image? */
export async function isImage(file: string): Promise<boolean> {
  const head = await headOfPlain(file, IMAGE_MAGIC.length).catch(() => undefined);
  return head?.toString() === IMAGE_MAGIC;
}

/** Writes everything the store holds to one file, which appears whole or not at all. */
export async function saveImage(
  engine: Engine,
  file: string,
  { onProgress }: SaveOptions = {},
): Promise<ImageReport> {
  for (let round = 1; ; round++) {
    let [done, objects] = [0, 0];
    const look = looking(() => onProgress?.(done, Math.max(1, objects)));
    await firstHead(engine.storage);
    const image = await imageOf(engine.storage, timestamp(engine.clock()), look);
    objects = image.counts.objects;
    const counted = counting(image.objects, (count) => {
      done = count;
      onProgress?.(done, objects);
    });
    const lines = attentive(imageLines({ ...image, objects: counted }), look);
    try {
      await putFile(file, lines, { over: isMadeHere("image"), instead: OTHER_PLACE });
      return { file, ...image.counts, live: await liveOnMain(engine.reader, image), refs: image.refs.size };
    } catch (error) {
      if (round === ROUNDS || !(error instanceof PalimpsestError) || error.code !== "STORE_BUSY") throw error;
    }
  }
}

const ROUNDS = 5;
/** `memory.snap` in the home directory may be the only copy of another system's memory. */
const OTHER_PLACE =
  "It was left as it is. Name another place for the image: `pal export --format image -o <file>`, save(file) or $MEMORY_SNAPSHOT_PATH.";

async function liveOnMain(reader: Reader, { refs }: ImageSource): Promise<number> {
  const head = refs.get(headRef(MAIN))?.target;
  return head === undefined ? 0 : countLive(reader, await reader.tip(head));
}

export interface SaveOptions {
  /** Called for every thousand objects, and now and then while they are counted; may throw to end it, and nothing is written. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

const PER_LOOK = 1_000;

async function* counting<T>(items: AsyncIterable<T>, tell: (done: number) => void): AsyncGenerator<T> {
  let done = 0;
  for await (const item of items) {
    yield item;
    if (++done % PER_LOOK === 0) tell(done);
  }
}

const SAVED = ["memory", "changeset", "commit", "note", "operation", "tombstone"] as const;

/** An image of the store as it is now. Objects are counted first and read again while they are written. */
export async function imageOf(storage: Storage, created: Timestamp, look: Look): Promise<ImageSource> {
  const { refs, seq, epoch } = await refsAt(storage);
  const known = new HashSet();
  let memories = 0;
  for await (const { kind } of attentive(savedUpTo(storage, seq, known), look))
    if (kind === "memory") memories++;
  const lost = [...refs].find(([, { target }]) => !known.has(target) && target !== GENESIS.hash);
  if (lost) throw damaged(`The ref ${lost[0]} leads to nothing that is stored.`);
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

/** What is written meanwhile belongs to a later image; what is stored twice is written once. */
async function* savedUpTo(storage: Storage, seq: number, known: HashSet): AsyncGenerator<ImageObject> {
  for await (const { hash, kind, bytes, seq: at } of storage.scan({ kinds: SAVED })) {
    if (at > seq || !known.add(hash)) continue;
    yield { hash, kind: kind as ImageObject["kind"], bytes };
  }
}

/** The same, unless one is damaged, or something was erased meanwhile: of that, only a part would be in the file. */
async function* wholeUpTo(storage: Storage, seq: number, epoch: number): AsyncGenerator<ImageObject> {
  for await (const object of savedUpTo(storage, seq, new HashSet())) {
    if (hashBytes(object.kind, object.bytes) !== object.hash)
      throw damaged(`The ${object.kind} ${object.hash.slice(0, 12)} is damaged.`);
    yield object;
  }
  if ((await storage.version()).epoch !== epoch)
    throw new PalimpsestError("STORE_BUSY", "Something was erased while the store was read.", {
      hint: "Nothing was written. Do it again.",
    });
}

/** Nobody could load it again. */
const damaged = (what: string): PalimpsestError =>
  new PalimpsestError("DAMAGED", what, {
    hint: "An image of a damaged store would be no image. Run `pal verify`, then `pal repair`.",
  });

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
