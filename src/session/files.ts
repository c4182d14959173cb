import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { PalimpsestError } from "../base/index.js";
import { IgnoreRules } from "../documents/index.js";
import { makeDirectory } from "../storage/index.js";

/** A whole text file. What is not UTF-8 is refused, never repaired; a byte order mark stays. */
export async function readText(path: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    throw unusable(path, error);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw notUtf8(path);
  }
}

export function unusable(path: string, cause: unknown): PalimpsestError {
  const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
  const words: Record<string, string> = {
    ENOENT: "it is not there",
    EACCES: "it may not be opened",
    EISDIR: "it is a directory",
    ENOSPC: "the disk is full",
  };
  return new PalimpsestError("INVALID_FILE", `Cannot use ${path}: ${words[code] ?? code}.`, {
    hint: "Check the path and its permissions.",
    cause,
  });
}

/** The same of a file that is written: a full disk is nobody's mistake in naming it. */
export function unwritable(path: string, cause: unknown): PalimpsestError {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG")
    return new PalimpsestError("STORE_FULL", `Could not write ${path}: the disk is full.`, {
      hint: "Free some disk space, or choose another place; no file was left behind.",
      cause,
    });
  const why = WRITING[code ?? ""] ?? code ?? String(cause);
  return new PalimpsestError("INVALID_FILE", `Could not write ${path}: ${why}.`, {
    hint: "Check that its folder is there and may be written.",
    cause,
  });
}

/** A folder for files that are written, with those above it. */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  await makeDirectory(path, mode).catch((error: unknown) => {
    throw unwritable(path, error);
  });
}

const WRITING: Readonly<Record<string, string>> = {
  ENOENT: "its folder is not there",
  ENOTDIR: "its folder is not there",
  EACCES: "it may not be written",
  EPERM: "it may not be written",
  EROFS: "its disk may only be read",
  EISDIR: "it is a directory",
};

/** Does it come from the file, and not from whoever makes its content or listens? */
export function isOfFiles(error: unknown): boolean {
  const { syscall, code } = Object(error) as NodeJS.ErrnoException;
  return syscall !== undefined || (typeof code === "string" && code.startsWith("ERR_"));
}

type Content = string | Uint8Array | Iterable<string> | AsyncIterable<string>;

/**
 * Puts a file in place whole or not at all. With `expected` only if the old one still says that: an editor may have
 * saved meanwhile.
 */
export async function replaceFile(path: string, content: Content, expected?: string): Promise<void> {
  const beside = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    if (await isSpecial(path)) return await fill(await open(path, "w"), content);
    const mode = await stat(path).then(
      (found) => found.mode & 0o777,
      () => 0o600,
    );
    const file = await open(beside, "wx", mode);
    await fill(file, content, () => file.sync());
    if (expected !== undefined && (await readText(path)) !== expected)
      throw new PalimpsestError("INVALID_FILE", `${path} was changed by somebody else meanwhile.`, {
        hint: "Nothing was written to it; try again.",
      });
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw isOfFiles(error) ? unwritable(path, error) : error;
  }
}

async function fill(file: FileHandle, content: Content, finish?: () => Promise<void>): Promise<void> {
  try {
    if (typeof content === "string" || content instanceof Uint8Array) await file.writeFile(content);
    else for await (const part of inBlocks(content)) await writeWhole(file, part);
    await finish?.();
  } finally {
    await file.close();
  }
}

/**
 * All of a text, and how many bytes it was. A disk that is nearly full takes the beginning without an error; only who goes
 * on is told, and a file must not end there in silence.
 */
export async function writeWhole(file: WritableFile, text: string, from?: number): Promise<number> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    const place = from === undefined ? null : from + at;
    at += (await file.write(bytes, at, bytes.length - at, place)).bytesWritten;
  }
  return bytes.length;
}

type WritableFile = {
  write(
    bytes: Uint8Array,
    at: number,
    length: number,
    place: number | null,
  ): Promise<{ bytesWritten: number }>;
};

const BLOCK = 1 << 16;

/** A line at a time would cost a call of the system each. */
async function* inBlocks(parts: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let block = "";
  for await (const part of parts) {
    block += part;
    if (block.length < BLOCK) continue;
    yield block;
    block = "";
  }
  if (block !== "") yield block;
}

/** The bytes of a file as they are read. */
export async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { highWaterMark: BLOCK }) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw error instanceof PalimpsestError ? error : unusable(path, error);
  }
}

/** The text of a file as it is read; what is not UTF-8 ends it. */
export async function* textChunksOf(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const bytes of chunksOf(path)) yield decoder.decode(bytes, { stream: true });
    yield decoder.decode();
  } catch (error) {
    throw error instanceof TypeError ? notUtf8(path) : error;
  }
}

const notUtf8 = (path: string): PalimpsestError =>
  new PalimpsestError("INVALID_TEXT", `${path} is not UTF-8 text.`, { hint: "Convert it to UTF-8 first." });

/** A device or a pipe: to put a file in its place would destroy it. */
export const isSpecial = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => !found.isFile() && !found.isDirectory(),
    () => false,
  );

export const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/**
 * Files below a folder that `isWanted` takes, sorted. Hidden ones and what `.gitignore` files exclude are left out,
 * links are not followed.
 */
export async function* walk(folder: string, isWanted: (name: string) => boolean): AsyncGenerator<string> {
  yield* walkBelow(folder, isWanted, await rulesAbove(folder));
}

interface Scoped {
  readonly folder: string;
  readonly rules: IgnoreRules;
}

async function* walkBelow(
  folder: string,
  isWanted: (name: string) => boolean,
  above: readonly Scoped[],
): AsyncGenerator<string> {
  const rules = [...above, ...(await rulesIn(folder))];
  const found = await readdir(folder, { withFileTypes: true }).catch((error) => {
    throw unusable(folder, error);
  });
  for (const entry of found.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith(".") || isIgnored(path, entry.isDirectory(), rules)) continue;
    if (entry.isDirectory()) yield* walkBelow(path, isWanted, rules);
    else if (entry.isFile() && isWanted(entry.name)) yield path;
  }
}

/** The rules of the innermost folder that says anything count. */
function isIgnored(path: string, isFolder: boolean, rules: readonly Scoped[]): boolean {
  for (const { folder, rules: own } of rules.toReversed()) {
    const said = own.verdict(path.slice(folder.length + 1).replaceAll("\\", "/"), isFolder);
    if (said) return said === "ignored";
  }
  return false;
}

async function rulesIn(folder: string): Promise<Scoped[]> {
  const text = await readFile(join(folder, ".gitignore"), "utf8").catch(() => undefined);
  return text === undefined ? [] : [{ folder, rules: new IgnoreRules(text) }];
}

/** Inside a repository the rules from its root downwards count too. */
async function rulesAbove(folder: string): Promise<Scoped[]> {
  const rules: Scoped[] = [];
  for (let at = folder; !(await isThere(join(at, ".git"))); at = dirname(at)) {
    if (dirname(at) === at) return [];
    rules.unshift(...(await rulesIn(dirname(at))));
  }
  return rules;
}
