import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from "node:fs";
import { type FileHandle, lstat, open, stat } from "node:fs/promises";
import { PalimpsestError } from "../core/base/index.js";
import type { OpenBlob } from "./port.js";

const { O_RDONLY, O_NONBLOCK = 0, O_NOCTTY = 0, O_NOFOLLOW = 0 } = constants;
const FLAGS = O_RDONLY | O_NONBLOCK | O_NOCTTY;

/** More than anybody writes by hand, and less than a process can hold. */
const LARGEST = 256 << 20;

export interface PlainOptions {
  /** No for a name that others may have made a link of. */
  readonly follow?: boolean;
  /** How the file is called in what is said of it. */
  readonly as?: string;
}

/**
 * Opens a plain file for reading and nothing else: a pipe would be waited for, a device may never end or do something when it
 * is opened. It is looked at before, so that no device is opened, and again when it is open, when nobody can exchange it.
 */
export async function openPlain(
  path: string,
  { follow = true, as = path }: PlainOptions = {},
): Promise<FileHandle> {
  assertPlain(as, await (follow ? stat(path) : lstat(path)));
  const file = await open(path, follow ? FLAGS : FLAGS | O_NOFOLLOW);
  try {
    assertPlain(as, await file.stat());
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The same without turns of the event loop: where a few bytes are wanted, or nothing may come between. */
export function openPlainSync(path: string): number {
  assertPlain(path, statSync(path));
  const file = openSync(path, FLAGS);
  try {
    assertPlain(path, fstatSync(file));
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** All bytes of a plain file that is not too long to be held. */
export async function readPlain(
  path: string,
  { follow = true, as = path, most = LARGEST }: PlainOptions & { readonly most?: number } = {},
): Promise<Buffer> {
  const file = await openPlain(path, { follow, as });
  try {
    assertSize(as, (await file.stat()).size, most);
    const parts: Buffer[] = [];
    for (let size = 0; ; ) {
      // It may grow while it is read.
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(BLOCK), 0, BLOCK);
      if (bytesRead === 0) return Buffer.concat(parts, size);
      parts.push(buffer.subarray(0, bytesRead));
      size += bytesRead;
      assertSize(as, size, most);
    }
  } finally {
    await file.close();
  }
}

const BLOCK = 1 << 18;

export function readPlainSync(path: string, most = LARGEST): Buffer {
  const file = openPlainSync(path);
  try {
    const { size: said } = fstatSync(file);
    assertSize(path, said, most);
    const parts: Buffer[] = [];
    for (let size = 0; ; ) {
      const part = Buffer.allocUnsafe(Math.min(BLOCK, Math.max(4096, said - size + 1)));
      const count = readSync(file, part, 0, part.length, null);
      if (count === 0) return Buffer.concat(parts, size);
      parts.push(part.subarray(0, count));
      size += count;
      assertSize(path, size, most);
    }
  } finally {
    closeSync(file);
  }
}

/** The first bytes of a plain file, which tell whose it is. */
export async function headOfPlain(path: string, length: number, how?: PlainOptions): Promise<Buffer> {
  const file = await openPlain(path, how);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Throws for what is no plain file; of a directory in Node's own words, which every caller knows. */
export function assertPlain(path: string, found: Stats): void {
  if (found.isFile()) return;
  if (found.isDirectory())
    throw Object.assign(new Error(`${path} is a directory`), { code: "EISDIR", syscall: "open" });
  throw notPlain(path, found);
}

export function notPlain(path: string, found: Stats): PalimpsestError {
  const kind = found.isFIFO()
    ? "a pipe"
    : found.isSocket()
      ? "a socket"
      : found.isSymbolicLink()
        ? "a link"
        : "a device";
  return new PalimpsestError("INVALID_FILE", `Cannot use ${path}: it is ${kind}, and not a plain file.`, {
    hint: "Name a plain file; where a command takes `-`, that is stdin or stdout.",
  });
}

function assertSize(path: string, size: number, most: number): void {
  if (size > most)
    throw new PalimpsestError("INVALID_FILE", `Cannot use ${path}: it is larger than ${megabytes(most)}.`, {
      hint: "Take it in smaller parts.",
    });
}

const megabytes = (bytes: number): string => `${(bytes / (1 << 20)).toLocaleString("en-US")} MB`;

/** Bytes that are all there, read as if they were not. */
export const blobInRam = (bytes: Uint8Array): OpenBlob => ({
  size: bytes.length,
  read: (from, to) => bytes.slice(from, to),
  close: () => undefined,
});
