import { Readable } from "node:stream";
import type { Call } from "../command.js";
import type { Io, Output } from "../io.js";
import { clean, hanging, line } from "../line.js";

/** Where a long command goes on: right of its answer, so that the two are told apart. */
const HANG = 8;

/** What happened on the stage, for --json. */
export interface Step {
  readonly command: string;
  readonly exit: number;
  readonly output: string;
}

/** Runs real commands in this process, on the tour's own store, and shows what they were and what they said. */
export class Stage {
  readonly steps: Step[] = [];
  readonly directory: string;
  readonly #call: Call;
  #stopped = false;

  constructor(call: Call, directory: string) {
    this.#call = call;
    this.directory = directory;
  }

  stop(): void {
    this.#stopped = true;
  }

  async title(text: string): Promise<void> {
    const { out } = this.#call;
    if (!out.json && !this.#stopped) await out.lines([line``, out.paint.bold(text)]);
  }

  async note(text: string): Promise<void> {
    const { out } = this.#call;
    if (!out.json && !this.#stopped) await out.lines([line`  ${out.paint.dim(text)}`]);
  }

  /**
   * `shown` is what is printed in place of an argument that is too long to look at, `lines` how much of the answer is: the
   * rest is for whoever runs the command.
   */
  async pal(
    args: readonly string[],
    {
      exit = 0,
      shown = args,
      lines = Number.POSITIVE_INFINITY,
    }: { exit?: number; shown?: readonly string[]; lines?: number } = {},
  ): Promise<void> {
    if (this.#stopped) return;
    const { out, io } = this.#call;
    const command = ["pal", ...shown.map(quoted)].join(" ");
    if (!out.json)
      await out.lines([hanging(line`  ${out.paint.cyan("$")} ${out.paint.cyan(command)}`, HANG)]);
    const done = await this.#run(args);
    this.steps.push({ command, exit: done.exit, output: done.text });
    // Already cleaned and coloured by the command that made it.
    if (!out.json) await io.stdout.write(firstLines(done.text, lines).replace(/^(?=.)/gm, "  "));
    if (done.exit !== exit) throw new Error(`${command} ended with ${done.exit}, expected ${exit}`);
  }

  /** The answer of a command that is not shown. */
  async ask<T>(...args: string[]): Promise<T> {
    return JSON.parse((await this.#run([...args, "--json"])).text) as T;
  }

  async #run(args: readonly string[]): Promise<{ exit: number; text: string }> {
    let text = "";
    const { stdout } = this.#call.io;
    const output: Output = {
      isTTY: stdout.isTTY,
      columns: stdout.columns === undefined ? undefined : stdout.columns - 2,
      async write(part) {
        text += part;
      },
    };
    const exit = await this.#call.run(args, this.#io(output));
    return { exit, text };
  }

  #io(output: Output): Io {
    const { io, out } = this.#call;
    const { NO_COLOR, FORCE_COLOR, TERM } = io.env;
    return {
      stdin: { isTTY: true, open: () => Readable.from([]) },
      stdout: output,
      // Data and talk are shown together, as in a terminal; only bars would disturb.
      stderr: { ...output, isTTY: false, write: output.write },
      env: {
        PAL_HOME: this.directory,
        PAL_AGENT: "ann",
        TERM,
        NO_COLOR: out.paint.bold("x").text === "x" ? "1" : NO_COLOR,
        FORCE_COLOR: out.paint.bold("x").text === "x" ? undefined : (FORCE_COLOR ?? "1"),
      },
      cwd: this.directory,
      user: () => "ann",
      onInterrupt: () => () => {},
    };
  }
}

function firstLines(text: string, most: number): string {
  const lines = text.split("\n");
  return lines.length - 1 <= most ? text : [...lines.slice(0, most), "…", ""].join("\n");
}

const quoted = (arg: string): string => (/^[\w./=:…-]+$/u.test(arg) ? arg : JSON.stringify(clean(arg).text));
