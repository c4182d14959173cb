import { open, readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { CliError } from "./fail.js";
import type { Io } from "./io.js";

/** A text given on the line, or all of stdin for `-`, without the line feed that `echo` adds. */
export async function textOrStdin(io: Io, text: string): Promise<string> {
  return text === "-" ? (await readAll(io.stdin.open(), "stdin")).replace(/\r?\n$/, "") : typed(text);
}

/** Node puts U+FFFD where an argument is not UTF-8, and what stood there is lost: such a text is not remembered. */
export function typed(text: string): string {
  if (text.includes("\uFFFD"))
    throw new CliError(
      "INVALID_TEXT",
      "The text on the command line is not UTF-8, or holds the character U+FFFD that stands for what is not.",
      "Use a UTF-8 terminal, or give the text on stdin: pal remember - < text.txt.",
    );
  return text;
}

/** A whole small file, or stdin for `-`. */
export async function fileOrStdin(io: Io, path: string): Promise<string> {
  if (path === "-") return readAll(io.stdin.open(), "stdin");
  try {
    return decode(await readFile(resolve(io.cwd, path)), path);
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw unusable(path, error);
  }
}

/**
 * The bytes of a regular file, or of stdin for `-`, of which no more is read than may be: what others hand out may be a
 * device or a pipe that never ends.
 */
export async function boundedBytes(io: Io, path: string, most: number): Promise<Uint8Array> {
  if (path === "-") return upTo(io.stdin.open(), "stdin", most);
  const place = resolve(io.cwd, path);
  try {
    // Looked at before it is opened: opening a pipe waits for whoever writes to it.
    const before = await stat(place);
    if (!before.isDirectory() && !before.isFile()) throw notAFile(path);
    const file = await open(place);
    try {
      if (!(await file.stat()).isFile()) throw before.isDirectory() ? DIRECTORY : notAFile(path);
      return await upTo(file.createReadStream({ autoClose: false }), path, most);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw unusable(path, error);
  }
}

const DIRECTORY = Object.assign(new Error("a directory"), { code: "EISDIR" });
const notAFile = (path: string): CliError =>
  new CliError(
    "FILE_UNUSABLE",
    `Cannot use the file ${path}: it is no regular file.`,
    "Give a file, or the text on stdin with -.",
  );

async function upTo(stream: Readable, name: string, most: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk as Uint8Array);
    length += bytes.length;
    if (length > most)
      throw new CliError(
        "FILE_UNUSABLE",
        `What ${name} holds is longer than ${most} bytes, and was not read to the end.`,
        "Check that it is the right file.",
      );
    chunks.push(bytes);
  }
  return Buffer.concat(chunks, length);
}

async function readAll(stream: Readable, name: string): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array));
  return decode(Buffer.concat(chunks), name);
}

/** Strict: what is not UTF-8 is refused, never repaired. */
function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new CliError("INVALID_TEXT", `What ${name} holds is not UTF-8 text.`, "Convert it to UTF-8 first.");
  }
}

export function unusable(path: string, error: unknown): CliError {
  const why = (error as NodeJS.ErrnoException).code ?? String(error);
  const said = WORDS[why] ?? why;
  return new CliError(
    "FILE_UNUSABLE",
    `Cannot use the file ${path}: ${said}.`,
    "Check the path and its permissions.",
  );
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: "it is not there",
  EACCES: "it may not be opened",
  EISDIR: "it is a directory",
  ENOSPC: "the disk is full",
};
