import { userInfo } from "node:os";
import type { Io, Output } from "./io.js";

/** The process as the command line sees it, and what became of its output. */
export interface ProcessIo extends Io {
  /** Why stdout could not be written: `EPIPE` when its reader left (`| head`). */
  broken(): string | undefined;
  /** How many characters were written to stdout. */
  written(): number;
}

export function processIo(): ProcessIo {
  const stdout = outputOf(process.stdout);
  return {
    stdin: { isTTY: process.stdin.isTTY === true, open: () => process.stdin },
    stdout,
    stderr: outputOf(process.stderr),
    env: process.env,
    cwd: process.cwd(),
    user: osUser,
    onInterrupt(handler) {
      process.once("SIGINT", handler);
      return () => process.off("SIGINT", handler);
    },
    broken: () => stdout.broken,
    written: () => stdout.written,
  };
}

function outputOf(
  stream: NodeJS.WriteStream,
): Output & { readonly broken: string | undefined; readonly written: number } {
  let broken: string | undefined;
  let written = 0;
  // A write whose reader left must neither throw nor stop a command that is still storing memories.
  stream.on("error", (error: NodeJS.ErrnoException) => {
    broken ??= error.code ?? error.message;
  });
  return {
    get broken() {
      return broken;
    },
    get written() {
      return written;
    },
    get isTTY() {
      return stream.isTTY === true;
    },
    get columns() {
      // Some terminals do not know how wide they are.
      return stream.isTTY ? stream.columns || 80 : undefined;
    },
    write(text) {
      written += text.length;
      return broken === undefined
        ? new Promise((done) => stream.write(text, () => done()))
        : Promise.resolve();
    },
  };
}

/** A container may run under a number that has no name. */
function osUser(): string {
  try {
    return userInfo().username;
  } catch {
    return process.env.USER ?? process.env.USERNAME ?? process.env.LOGNAME ?? "user";
  }
}
