import type { Insight } from "./prompts/summary-v1.js";

const LONGEST = 1_100;

/** A summary without a model: what is said, put together, the newest first, as far as there is room. */
export function plainSummary(about: string, memories: readonly { readonly text: string }[]): Insight {
  const cites: number[] = [];
  let text = `${memories.length} memories about ${about}:`;
  for (const [at, memory] of [...memories.entries()].reverse()) {
    const sentence = ` ${memory.text.replace(/\s+/g, " ").replace(/(?<![.\s])[.\s]+$/, "")}.`;
    if (text.length + sentence.length > LONGEST) break;
    text += sentence;
    cites.push(at + 1);
  }
  return { text, cites, kind: "summary" };
}
