import { createInterface } from "node:readline";
import type { Call } from "./command.js";
import { line } from "./line.js";

/** Asks the person at the terminal; undefined where nobody can be asked. Only a plain yes is one. */
export async function askPerson({ io, out }: Call, question: string): Promise<boolean | undefined> {
  if (!io.stdin.isTTY || out.json || out.quiet) return undefined;
  await out.complain([line`${out.talkPaint.yellow("?")} ${question} Type yes to do it:`]);
  const input = io.stdin.open();
  const lines = createInterface({ input });
  try {
    for await (const said of lines) return /^\s*y(?:es)?\s*$/i.test(said);
    return false;
  } finally {
    lines.close();
    // A terminal that goes on being read would keep the process.
    input.pause();
  }
}
