import { latePattern } from "../base/index.js";

/** A run of words that both texts have, that went, or that came. */
export interface WordChange {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** Beyond this many differing words on both sides the middle is one change: nobody reads finer. */
const LIMIT = 2_000;

/** Which words went and which came between two texts; joined again they give both texts byte for byte. */
export function changedWords(from: string, to: string): WordChange[] {
  const [a, b] = [pieces(from), pieces(to)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const changes: WordChange[] = [];
  const add = (kind: WordChange["kind"], words: readonly string[]) => {
    if (words.length === 0) return;
    const last = changes.at(-1);
    const text = words.join("");
    if (last?.kind === kind) changes[changes.length - 1] = { kind, text: last.text + text };
    else changes.push({ kind, text });
  };
  add("same", a.slice(0, start));
  middle(a.slice(start, a.length - end), b.slice(start, b.length - end), add);
  add("same", end === 0 ? [] : a.slice(-end));
  return changes;
}

const PIECE = latePattern("gu")`\s+|[\p{L}\p{M}\p{N}_]+|[^\s\p{L}\p{M}\p{N}_]`;

/** Words with the blanks behind them, so that nothing is lost. */
const pieces = (text: string): string[] => text.match(PIECE()) ?? [];

type Add = (kind: WordChange["kind"], words: readonly string[]) => void;

/** The longest common subsequence, by the table that every textbook has. */
function middle(a: readonly string[], b: readonly string[], add: Add): void {
  if (a.length === 0 || b.length === 0 || a.length * b.length > LIMIT * LIMIT) {
    add("removed", a);
    add("added", b);
    return;
  }
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        a[i] === b[j]
          ? (lengths[(i + 1) * width + j + 1] as number) + 1
          : Math.max(lengths[(i + 1) * width + j] as number, lengths[i * width + j + 1] as number);
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      add("same", [a[i++] as string]);
      j++;
    } else if ((lengths[(i + 1) * width + j] as number) >= (lengths[i * width + j + 1] as number))
      add("removed", [a[i++] as string]);
    else add("added", [b[j++] as string]);
  }
  add("removed", a.slice(i));
  add("added", b.slice(j));
}
