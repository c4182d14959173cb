import type { JsonObject } from "../core/base/index.js";

/** A task at the beginning of a line. */
const TASK = /[ \t]*(?:[-+*]|\d{1,9}[.)])[ \t]+\[([ xX-])\](?=\s|$)/y;

/** How many tasks of lists are open and done; undefined when there are none. */
export function taskCounts(text: string): JsonObject | undefined {
  if (!/\[[ xX-]\]/.test(text)) return undefined;
  let open = 0;
  let done = 0;
  for (let at = 0, end = 0; end >= 0; at = end + 1) {
    TASK.lastIndex = at;
    const mark = TASK.exec(text)?.[1];
    if (mark === "x" || mark === "X") done++;
    else if (mark !== undefined) open++;
    end = text.indexOf("\n", at);
  }
  return open + done > 0 ? { open, done } : undefined;
}
