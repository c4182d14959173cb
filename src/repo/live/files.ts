import { type FileHandle, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Ignore } from "ignore";
import { PalimpsestError } from "../../core/base/index.js";
import {
  type DestinationOptions,
  NewFile,
  openPlain,
  type PutOptions,
  readPlain,
  removeFile,
} from "../../storage/index.js";

/** A whole text file. What is not UTF-8 is refused, never repaired; a byte order mark stays. */
export async function readText(path: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await readPlain(path);
  } catch (error) {
    throw unusable(path, error);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw notUtf8(path);
  }
}

const isOutOfFiles = (code: string | undefined): boolean => code === "EMFILE" || code === "ENFILE";
const OUT_OF_FILES = "Close what has them open, or allow more (`ulimit -n`), and try again.";

export function unusable(path: string, cause: unknown): PalimpsestError {
  if (cause instanceof PalimpsestError) return cause;
  const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
  const words: Record<string, string> = {
    ENOENT: "it is not there",
    EACCES: "it may not be opened",
    EISDIR: "it is a directory",
    ENOSPC: "the disk is full",
    EMFILE: "this program has too many files open",
    ENFILE: "too many files are open on this machine",
  };
  return new PalimpsestError("INVALID_FILE", `Cannot use ${path}: ${words[code] ?? code}.`, {
    hint: isOutOfFiles(code) ? OUT_OF_FILES : "Check the path and its permissions.",
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
    hint: isOutOfFiles(code) ? OUT_OF_FILES : "Check that its folder is there and may be written.",
    cause,
  });
}

const WRITING: Readonly<Record<string, string>> = {
  EMFILE: "this program has too many files open",
  ENFILE: "too many files are open on this machine",
  ENOENT: "its folder is not there",
  ENOTDIR: "its folder is not there",
  EACCES: "it may not be written",
  EPERM: "it may not be written",
  EROFS: "its disk may only be read",
  EISDIR: "it is a directory",
  ELOOP: "a link leads nowhere or in a circle",
  ENAMETOOLONG: "its name is too long",
};

/** Does it come from the file, and not from the code that makes its content or listens? */
export function isOfFiles(error: unknown): boolean {
  const { syscall, code } = Object(error) as NodeJS.ErrnoException;
  return syscall !== undefined || (typeof code === "string" && code.startsWith("ERR_"));
}

type Content = string | Uint8Array | Iterable<string> | AsyncIterable<string>;

/** Puts a file in place whole or not at all, and only where it may be (see PutOptions). */
export async function putFile(path: string, content: Content, options: PutOptions): Promise<void> {
  let file: NewFile | undefined;
  try {
    file = await NewFile.begin(path, options);
    await fill(file.handle, content);
    await file.finish();
  } catch (error) {
    throw isOfFiles(error) ? unwritable(path, error) : error;
  } finally {
    await file?.drop();
  }
}

/** Throws where putFile would, for those who have something else to do before. */
export async function checkPut(path: string, options: PutOptions): Promise<void> {
  await NewFile.check(path, options).catch((error: unknown) => {
    throw isOfFiles(error) ? unwritable(path, error) : error;
  });
}

/** Several files of one thing: nothing is written when one of them may not be. */
export async function putFiles(files: ReadonlyMap<string, string>, options: PutOptions): Promise<void> {
  for (const path of files.keys()) await checkPut(path, options);
  for (const [path, text] of files) await putFile(path, text, options);
}

/** The same of a file that is edited: nothing is changed unless it still says what was read. Undefined is no file. */
export async function editFile(
  path: string,
  before: string | undefined,
  after: string | undefined,
  options: DestinationOptions = {},
): Promise<void> {
  if (after !== undefined) return putFile(path, after, { ...options, over: { text: before } });
  if (before === undefined) return;
  await removeFile(path, before, options).catch((error: unknown) => {
    throw isOfFiles(error) ? unwritable(path, error) : error;
  });
}

async function fill(file: FileHandle, content: Content): Promise<void> {
  if (typeof content === "string" || content instanceof Uint8Array) await file.writeFile(content);
  else for await (const part of inBlocks(content)) await writeWhole(file, part);
}

/**
 * All of a text, and how many bytes it was. A disk that is nearly full takes the beginning without an error; only who goes
 * on is an answer, and a file must not end there in silence.
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
    const file = await openPlain(path);
    yield* file.createReadStream({ highWaterMark: BLOCK }) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw unusable(path, error);
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

/** The rules of one `.gitignore`, for paths below its folder. */
interface Scoped {
  readonly folder: string;
  readonly rules: Ignore;
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
    const below = path.slice(folder.length + 1).replaceAll("\\", "/");
    const { ignored, unignored } = own.test(isFolder ? `${below}/` : below);
    if (ignored || unignored) return ignored;
  }
  return false;
}

async function rulesIn(folder: string): Promise<Scoped[]> {
  const text = await readPlain(join(folder, ".gitignore"), { most: LARGEST_RULES }).catch(() => undefined);
  if (text === undefined) return [];
  const { default: ignore } = await import("ignore");
  return [{ folder, rules: ignore().add(text.toString()) }];
}

const LARGEST_RULES = 4 << 20;

/** Inside a repository the rules from its root downwards count too. */
async function rulesAbove(folder: string): Promise<Scoped[]> {
  const rules: Scoped[] = [];
  for (let at = folder; !(await isThere(join(at, ".git"))); at = dirname(at)) {
    if (dirname(at) === at) return [];
    rules.unshift(...(await rulesIn(dirname(at))));
  }
  return rules;
}
