/** The JSON value in what a model said, or undefined. Thoughts, fences and chatter around it do not matter. */
export function jsonIn(said: string): unknown {
  // Only before the last end of a thought: where none follows, every beginning would be looked on from to the end.
  const end = said.lastIndexOf("</think>") + 8;
  const spoken =
    end < 8 ? said : said.slice(0, end).replace(/<think>[\s\S]*?<\/think>/g, "") + said.slice(end);
  const text = spoken.trim();
  for (const candidate of [text, /```(?:json)?([\s\S]*?)```/.exec(text)?.[1], outermost(text)])
    if (candidate !== undefined)
      try {
        return JSON.parse(candidate);
      } catch {
        // The next candidate may be the one.
      }
  return undefined;
}

function outermost(text: string): string | undefined {
  const start = text.search(/[[{]/);
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]"));
  return start >= 0 && end > start ? text.slice(start, end + 1) : undefined;
}
