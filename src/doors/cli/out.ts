import type { Io, Output } from "./io.js";
import { clean, type Paint, type Piece, paintWith } from "./line.js";
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
    await this.#io.stdout.write(`${safeJson(value, this.#io.stdout.isTTY ? 2 : undefined)}\n`);
  }

  async lines(lines: Iterable<Piece>): Promise<void> {
    await this.#io.stdout.write(joined(lines));
  }

  /** Part of a JSON value that is too long to be held; the caller answers for the whole being one value. */
  async raw(json: string): Promise<void> {
    await this.#io.stdout.write(json);
  }

  /** Refusals and errors: said even when quiet. */
  async complain(lines: Iterable<Piece>): Promise<void> {
    await this.#io.stderr.write(joined(lines));
  }

  /** What is nice to know. */
  async talk(...lines: readonly Piece[]): Promise<void> {
    if (!this.quiet) await this.complain(lines);
  }
}

const joined = (lines: Iterable<Piece>): string => {
  let text = "";
  for (const piece of lines) text += `${clean(piece).text}\n`;
  return text;
};

/** --no-color, then NO_COLOR, then FORCE_COLOR, then whether somebody looks (no-color.org, force-color.org). */
function hasColors({ env }: Io, output: Output, wanted: boolean): boolean {
  if (!wanted || env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "") return !/^(0|false)$/.test(env.FORCE_COLOR);
  return output.isTTY && env.TERM !== "dumb";
}
