import type { JsonObject } from "../base/index.js";

const TASK = /(?<=^|\n)[ \t]*(?:[-+*]|\d{1,9}[.)])[ \t]+\[([ xX-])\](?=\s|$)/g;

/** How many tasks of lists are open and done; undefined when there are none. */
export function taskCounts(text: string): JsonObject | undefined {
  if (!/\[[ xX-]\]/.test(text)) return undefined;
  let open = 0;
  let done = 0;
  for (const [, mark] of text.matchAll(TASK)) {
    if (mark === "x" || mark === "X") done++;
    else open++;
  }
  return open + done > 0 ? { open, done } : undefined;
}
