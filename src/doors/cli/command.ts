import type { Globals } from "./globals.js";
import type { Io } from "./io.js";
import type { OptionSpec, Options } from "./options.js";
import type { Out } from "./out.js";

export interface ArgumentSpec {
  /** `<required>` or `[optional]`. */
  readonly name: string;
  readonly description: string;
}

/** One run of a command: what was asked, and the ways to answer. */
export interface Call {
  readonly args: readonly (string | undefined)[];
  readonly options: Options;
  readonly globals: Globals;
  readonly io: Io;
  readonly out: Out;
  /** All commands, for whoever tells about them. */
  definitions(): Promise<readonly Command[]>;
  /** Runs another command line, as the tour does. */
  run(argv: readonly string[], io: Io): Promise<number>;
}

/** A command is data; its file is loaded when it is called. `run` returns the exit code. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly args?: readonly ArgumentSpec[];
  readonly options?: readonly OptionSpec[];
  /** Can it answer for an earlier state (--at)? */
  readonly at?: true;
  /** Why it cannot, where a person might expect it: a sentence, and what to do instead. */
  readonly noPast?: readonly [reason: string, instead: string];
  readonly examples?: readonly string[];
  /** For programs, not for people: not shown in lists. */
  readonly hidden?: true;
  run(call: Call): Promise<number>;
}
