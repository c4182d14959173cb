import type { SearchHit } from "../search/index.js";

/** As much of a text as the judge reads beside a question. */
const READ = 420;
/** So much of it before the first word that was asked for. */
const BEFORE = 100;

/** The passage of a text that holds the most of what was asked for; a short text is its own. */
export function passageOf(hit: Pick<SearchHit, "text" | "matches">): string {
  const { text } = hit;
  if (text.length <= READ) return text;
  const { matches } = hit;
  let best = { from: 0, holds: -1 };
  for (const start of [0, ...matches.map(([start]) => Math.max(0, start - BEFORE))]) {
    const holds = matches.filter(([from, to]) => from >= start && to <= start + READ).length;
    if (holds > best.holds) best = { from: start, holds };
  }
  const from = best.from === 0 ? 0 : text.indexOf(" ", best.from) + 1;
  return text.slice(from, from + READ).toWellFormed();
}
