import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fstatSync, readSync } from "node:fs";
import { open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Hash } from "../../core/base/index.js";
import type { Tip } from "../../core/ledger/index.js";
import { decodeImage, encodeImage, type Frozen, type ImageTag, type Steps, View } from "../../index/index.js";
import { analyserId } from "../../language/index.js";
import { type Blobs, type OpenBlob, openPlainSync, type Storage } from "../../storage/index.js";
import type { Reader } from "../read/reader.js";

/** Which file is the image: unpublished files are never read, so that half a file is never met. */
export const NOTE = "view-image";
const FILE = /^view-[0-9a-f]{24}\.img$/;
/** A file that nobody published by then was left by somebody who could not. */
const LEFT_AFTER_MS = 600_000;

interface Published extends ImageTag {
  readonly file: string;
}

/** A view that reads its image as it needs it. */
export interface LoadedView extends Kept {
  /** Reads what is left of the image, and lets go of it. Throws `ImageDamage`. */
  complete(): Steps<void>;
  /** Lets go of the image: what has not been read is missing from then on. */
  leave(): void;
}

/** The image beside the store, if it is made by the same rules; undefined is no loss. */
export async function loadImage(reader: Reader, epoch: number): Promise<LoadedView | undefined> {
  let blob: OpenBlob | undefined;
  try {
    const { storage } = reader;
    const note = await published(storage);
    if (!note || note.epoch !== epoch || note.analyser !== analyserId) return undefined;
    blob = await blobsOf(storage)?.open(note.file);
    const frozen = blob && decodeImage(blob, note);
    const tip = frozen && (await reader.tip(note.commit as Hash));
    if (tip?.commit.root === note.root) return loaded(tip, frozen!, blob!);
  } catch {
    // Made again from the store.
  }
  letGo(blob);
  return undefined;
}

/** What cannot be closed is of no use either way, and its reader has the words from the store. */
function letGo(blob: OpenBlob | undefined): void {
  try {
    blob?.close();
  } catch {
    // As good as closed.
  }
}

const loaded = (tip: Tip, frozen: Frozen, blob: OpenBlob): LoadedView => ({
  tip,
  view: new View(frozen),
  isWhole: true,
  savedAt: 0,
  complete: () => frozen.complete(),
  leave: () => letGo(blob),
});

/** The way to make and keep an image of the view of a commit. */
export function imageOf(
  storage: Storage,
  tip: Tip,
  epoch: number,
  frozen: () => Promise<Frozen>,
): (() => Promise<void>) | undefined {
  const blobs = blobsOf(storage);
  if (!blobs) return undefined;
  const tag = { commit: tip.hash, root: tip.commit.root, analyser: analyserId, epoch };
  return async () => publish(storage, blobs, tag, encodeImage(await frozen(), tag));
}

/** Writes an image under a name of its own and publishes it, unless somebody else did meanwhile. */
async function publish(
  storage: Storage,
  blobs: Blobs,
  tag: ImageTag,
  pieces: readonly Uint8Array[],
): Promise<void> {
  const before = await storage.side(NOTE);
  const file = `view-${randomBytes(12).toString("hex")}.img`;
  let isOurs = false;
  try {
    await blobs.write(file, pieces);
    isOurs = await storage.setSide(NOTE, JSON.stringify({ ...tag, file }), before ?? null);
  } finally {
    const useless = isOurs ? fileOf(before) : file;
    if (useless !== undefined) await blobs.remove(useless);
  }
  if (isOurs) await removeLeft(blobs, file);
  // A process that erased something meanwhile did not see this file.
  if ((await storage.version()).epoch !== tag.epoch) await blobs.remove(file);
}

/** After an erasure: whatever images there are hold its words. */
export async function removeImages(storage: Storage): Promise<void> {
  const blobs = blobsOf(storage);
  for (const { name } of (await blobs?.list()) ?? []) if (FILE.test(name)) await blobs?.remove(name);
}

const published = async (storage: Storage): Promise<Published | undefined> =>
  parsed(await storage.side(NOTE));
const fileOf = (note: string | undefined): string | undefined => parsed(note)?.file;

function parsed(note: string | undefined): Published | undefined {
  const value = note === undefined ? undefined : (JSON.parse(note) as Published);
  return value && FILE.test(value.file) ? value : undefined;
}

/** Files of those who stopped between writing and publishing. */
async function removeLeft(blobs: Blobs, keep: string): Promise<void> {
  for (const { name, ageMs } of await blobs.list())
    if (FILE.test(name) && name !== keep && ageMs > LEFT_AFTER_MS) await blobs.remove(name);
}

export type IndexState = "none" | "fresh" | "behind";

/** Is there an image, and is it of a branch's head? */
export async function imageState(storage: Storage): Promise<IndexState> {
  const note = await published(storage).catch(() => undefined);
  if (!note || note.analyser !== analyserId) return "none";
  const heads = await storage.refs("heads/");
  return [...heads.values()].some(({ target }) => target === note.commit) ? "fresh" : "behind";
}

/** Where a store's blobs are: with the storage, or in files of its directory; undefined where there is no place. */
function blobsOf({ blobs, directory }: Storage): Blobs | undefined {
  return blobs ?? (directory === undefined ? undefined : fileBlobs(directory));
}

const LARGEST_READ = 1 << 30;

/** Without turns of the event loop: what is wanted is a small part, mostly still in the system's cache. */
function openFile(path: string): OpenBlob {
  let file: number | undefined = openPlainSync(path);
  return {
    size: fstatSync(file).size,
    read(from, to) {
      if (file === undefined) throw new Error("It was closed.");
      const bytes = Buffer.allocUnsafeSlow(to - from);
      for (let at = 0; at < bytes.length; ) {
        const count = readSync(file, bytes, at, Math.min(bytes.length - at, LARGEST_READ), from + at);
        if (count === 0) return bytes.subarray(0, at);
        at += count;
      }
      return bytes;
    },
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

/** In one go: between a busy writer's turns each piece would wait, and hold what it was taken from. */
async function writeNew(path: string, pieces: readonly Uint8Array[]): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    for (let left = [...pieces]; left.length > 0; )
      left = without(left, (await file.writev(left)).bytesWritten);
  } finally {
    await file.close();
  }
}

/** The pieces without their first so many bytes. */
function without(pieces: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let skip = bytes;
  return pieces.flatMap((piece) => {
    const rest = piece.subarray(skip);
    skip -= piece.length - rest.length;
    return rest.length > 0 ? [rest] : [];
  });
}

const fileBlobs = (directory: string): Blobs => ({
  open: async (name) => (existsSync(join(directory, name)) ? openFile(join(directory, name)) : undefined),
  write: (name, pieces) => writeNew(join(directory, name), pieces),
  remove: (name) => rm(join(directory, name), { force: true }),
  async list() {
    const names = await readdir(directory).catch(() => []);
    const found = await Promise.all(
      names.map(async (name) => {
        const stats = await stat(join(directory, name)).catch(() => undefined);
        return stats?.isFile() ? [{ name, ageMs: Date.now() - stats.mtimeMs }] : [];
      }),
    );
    return found.flat();
  },
});

/** A view and the commit it is exact for. */
export interface Kept {
  tip: Tip;
  view: View;
  /** False when damage left something out: such a view is used, but never saved. */
  isWhole: boolean;
  /** Version of the view when it was last saved; undefined when it never was. */
  savedAt: number | undefined;
}
