import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { readPlain } from "../../session/opening.js";
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
    return decode(await readPlain(resolve(io.cwd, path), { as: path }), path);
  } catch (error) {
    throw unusable(path, error);
  }
}

/** The bytes of a plain file, or of stdin for `-`, of which no more is read than may be. */
export async function boundedBytes(io: Io, path: string, most: number): Promise<Uint8Array> {
  if (path === "-") return upTo(io.stdin.open(), "stdin", most);
  try {
    return await readPlain(resolve(io.cwd, path), { as: path, most });
  } catch (error) {
    throw unusable(path, error);
  }
}

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

export function unusable(path: string, error: unknown): Error {
  // It says already what is wrong.
  if (error instanceof CliError || (error as { readonly code?: unknown }).code === "INVALID_FILE")
    return error as Error;
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

/** Put in quotes as a whole, a question is the same question. */
export function unquoted(text: string): string {
  const whole = text.trim();
  const inner = whole.slice(1, -1).trim();
  const isQuoted = /^["'“„«]/.test(whole) && `"'”“»`.includes(whole.at(-1) ?? " ");
  return isQuoted && inner !== "" && !/["“”„«»\n]/.test(inner) ? inner : text;
}
