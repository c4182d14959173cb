import { randomBytes } from "node:crypto";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Hash } from "../base/index.js";
import type { Tip } from "../ledger/index.js";
import type { Storage } from "../storage/index.js";
import { analyserId, decodeImage, encodeImage, type Frozen, type ImageTag, View } from "../view/index.js";
import type { Kept } from "./kept-view.js";
import type { Reader } from "./reader.js";

/** Which file is the image: unpublished files are never read, so that half a file is never met. */
export const NOTE = "view-image";
const FILE = /^view-[0-9a-f]{24}\.img$/;
/** A file that nobody published by then was left by somebody who could not. */
const LEFT_AFTER_MS = 600_000;

interface Published extends ImageTag {
  readonly file: string;
}

/** The image beside the store, if it is whole and made by the same rules; undefined is no loss. */
export async function loadImage(reader: Reader, epoch: number): Promise<Kept | undefined> {
  try {
    const { storage } = reader;
    const note = await published(storage);
    if (!storage.directory || !note || note.epoch !== epoch || note.analyser !== analyserId) return undefined;
    const frozen = decodeImage(await readFile(join(storage.directory, note.file)), note);
    const tip = await reader.tip(note.commit as Hash);
    if (!frozen || tip.commit.root !== note.root) return undefined;
    return { tip, view: new View(frozen), isWhole: true, savedAt: 0 };
  } catch {
    return undefined;
  }
}

/** The way to make and keep an image of the view of a commit. */
export function imageOf(
  storage: Storage,
  tip: Tip,
  epoch: number,
  frozen: () => Promise<Frozen>,
): (() => Promise<void>) | undefined {
  const { directory } = storage;
  if (!directory) return undefined;
  const tag = { commit: tip.hash, root: tip.commit.root, analyser: analyserId, epoch };
  return async () => publish(storage, directory, tag, encodeImage(await frozen(), tag));
}

/** Writes an image under a name of its own and publishes it, unless somebody else did meanwhile. */
async function publish(storage: Storage, directory: string, tag: ImageTag, bytes: Uint8Array): Promise<void> {
  const before = await storage.side(NOTE);
  const file = `view-${randomBytes(12).toString("hex")}.img`;
  await writeFile(join(directory, file), bytes, { flag: "wx", mode: 0o600 });
  let isOurs = false;
  try {
    isOurs = await storage.setSide(NOTE, JSON.stringify({ ...tag, file }), before ?? null);
  } finally {
    await removeFile(directory, isOurs ? fileOf(before) : file);
  }
  if (isOurs) await removeLeft(directory, file);
  // Whoever erased something meanwhile did not see this file.
  if ((await storage.version()).epoch !== tag.epoch) await removeFile(directory, file);
}

/** After an erasure: whatever images there are hold its words. */
export async function removeImages({ directory }: Storage): Promise<void> {
  if (directory === undefined) return;
  for (const name of await readdir(directory).catch(() => []))
    if (FILE.test(name)) await removeFile(directory, name);
}

const published = async (storage: Storage): Promise<Published | undefined> =>
  parsed(await storage.side(NOTE));
const fileOf = (note: string | undefined): string | undefined => parsed(note)?.file;

function parsed(note: string | undefined): Published | undefined {
  const value = note === undefined ? undefined : (JSON.parse(note) as Published);
  return value && FILE.test(value.file) ? value : undefined;
}

async function removeFile(directory: string, file: string | undefined): Promise<void> {
  if (file !== undefined) await rm(join(directory, file), { force: true });
}

/** Files of those who stopped between writing and publishing. */
async function removeLeft(directory: string, keep: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!FILE.test(name) || name === keep) continue;
    const { mtimeMs } = await stat(join(directory, name));
    if (Date.now() - mtimeMs > LEFT_AFTER_MS) await removeFile(directory, name);
  }
}

export type IndexState = "none" | "fresh" | "behind";

/** Is there an image, and is it of a branch's head? */
export async function imageState(storage: Storage): Promise<IndexState> {
  const note = await published(storage).catch(() => undefined);
  if (!note || note.analyser !== analyserId) return "none";
  const heads = await storage.refs("heads/");
  return [...heads.values()].some(({ target }) => target === note.commit) ? "fresh" : "behind";
}
