import type { Io, Output } from "./io.js";
import { folded, type Paint, type Piece, paintWith } from "./line.js";
import { safeJson } from "./safe.js";

export interface OutOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  /** False with --no-color. */
  readonly color: boolean;
}

/** stdout is data: one JSON value, or lines for eyes. stderr is talk. */
export class Out {
  readonly json: boolean;
  readonly quiet: boolean;
  /** Columns that lines for eyes may take; without a terminal nothing is cut, so that grep finds it. */
  readonly columns: number;
  readonly paint: Paint;
  readonly talkPaint: Paint;
  readonly #io: Io;

  constructor(io: Io, { json, quiet, color }: OutOptions) {
    this.#io = io;
    this.json = json;
    this.quiet = quiet;
    this.columns = io.stdout.columns ?? Number.POSITIVE_INFINITY;
    this.paint = paintWith(!json && hasColors(io, io.stdout, color));
    this.talkPaint = paintWith(hasColors(io, io.stderr, color));
  }

  /** The answer of a command. */
  async answer(value: unknown, lines: (paint: Paint) => Iterable<Piece>): Promise<void> {
    if (this.json) await this.value(value);
    else await this.lines(lines(this.paint));
  }

  async value(value: unknown): Promise<void> {
    const { stdout } = this.#io;
    if (stdout.isTTY) await stdout.write(`${safeJson(value, 2)}\n`);
    else if (Array.isArray(value)) await writeAll(stdout, arrayParts(value));
    else await stdout.write(`${safeJson(value)}\n`);
  }

  async lines(lines: Iterable<Piece>): Promise<void> {
    await writeAll(this.#io.stdout, endedLines(lines, this.columns));
  }

  /** Part of a JSON value that is too long to be held; the caller answers for the whole being one value. */
  async raw(json: string): Promise<void> {
    await this.#io.stdout.write(json);
  }

  /** Refusals and errors: said even when quiet. */
  async complain(lines: Iterable<Piece>): Promise<void> {
    const { stderr } = this.#io;
    await writeAll(stderr, endedLines(lines, stderr.columns ?? Number.POSITIVE_INFINITY));
  }

  /** What is nice to know. */
  async talk(...lines: readonly Piece[]): Promise<void> {
    if (!this.quiet) await this.complain(lines);
  }
}

function* endedLines(lines: Iterable<Piece>, columns: number): Generator<string> {
  for (const piece of lines) yield `${folded(piece, columns).text}\n`;
}

function* arrayParts(items: readonly unknown[]): Generator<string> {
  yield "[";
  for (const [index, item] of items.entries()) yield `${index === 0 ? "" : ","}${safeJson(item)}`;
  yield "]\n";
}

const PART = 1 << 16;

/** Writes in parts, because a list of a million memories is longer than a string can be. */
async function writeAll(output: Output, parts: Iterable<string>): Promise<void> {
  let text = "";
  for (const part of parts) {
    text += part;
    if (text.length < PART) continue;
    await output.write(text);
    text = "";
  }
  if (text !== "") await output.write(text);
}

/**
 * --no-color, then NO_COLOR, then FORCE_COLOR or CLICOLOR_FORCE, then CLICOLOR, then whether somebody looks (no-color.org,
 * force-color.org, bixense.com/clicolors).
 */
function hasColors({ env }: Io, output: Output, wanted: boolean): boolean {
  if (!wanted || env.NO_COLOR) return false;
  const forced = env.FORCE_COLOR || env.CLICOLOR_FORCE;
  if (forced) return !/^(0|false)$/.test(forced);
  return env.CLICOLOR !== "0" && output.isTTY && env.TERM !== "dumb";
}
