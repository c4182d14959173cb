import type { JsonObject } from "../base/index.js";

const TASK = /^[ \t]*(?:[-+*]|\d{1,9}[.)])[ \t]+\[([ xX-])\](?=\s|$)/;

/** How many tasks of lists are open and done; undefined when there are none. */
export function taskCounts(text: string): JsonObject | undefined {
  if (!text.includes("[")) return undefined;
  let open = 0;
  let done = 0;
  for (const line of text.split("\n")) {
    const mark = TASK.exec(line)?.[1];
    if (mark === undefined) continue;
    if (mark === "x" || mark === "X") done++;
    else open++;
  }
  return open + done > 0 ? { open, done } : undefined;
}
