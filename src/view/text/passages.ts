const SENTENCES = /[^.!?。！？\n]+(?:[.!?。！？]+|\n|$)/gu;
const SHORTEST = 25;
const MOST = 4;

/**
 * A text cut into at most four passages at the ends of sentences: one sentence each while that is enough, else packed
 * evenly. What is asked for often stands in one sentence, and is drowned by the rest.
 */
export function passagesOf(text: string): string[] {
  const sentences = joined(
    (text.match(SENTENCES) ?? [text]).map((part) => part.trim()).filter((part) => part !== ""),
    SHORTEST,
  );
  if (sentences.length <= MOST) return sentences.length === 0 ? [text] : sentences;
  const length = sentences.reduce((sum, part) => sum + part.length, 0);
  const packed: string[] = [];
  let done = 0;
  for (const sentence of sentences) {
    const pack = Math.min(MOST - 1, Math.floor(((done + sentence.length / 2) * MOST) / length));
    packed[pack] = packed[pack] === undefined ? sentence : `${packed[pack]} ${sentence}`;
    done += sentence.length;
  }
  return packed.filter((part) => part !== undefined);
}

/** Joins a part that is too short to mean anything to the next, and the last one to the one before. */
function joined(parts: readonly string[], shortest: number): string[] {
  const out: string[] = [];
  let open = "";
  for (const part of parts) {
    open = open === "" ? part : `${open} ${part}`;
    if (open.length < shortest) continue;
    out.push(open);
    open = "";
  }
  if (open === "") return out;
  const last = out.pop();
  return [...out, last === undefined ? open : `${last} ${open}`];
}
