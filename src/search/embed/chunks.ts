/** A text up to this long is embedded whole. */
const WHOLE = 700;
/** Parts are no shorter than this, where the text allows: a lone sentence says little. */
const LEAST = 450;
/** English has about four characters to a token. */
const CHARS_PER_TOKEN = 4;
const MOST = 4;

/** One language for all machines: the same text has to give the same parts everywhere. */
const sentences = new Intl.Segmenter("en", { granularity: "sentence" });

/**
 * A long text in up to 4 parts of about equal length, cut between sentences where there are any. Each part fits the
 * model; of a text that is longer than four such parts the rest is left to the search for words.
 */
export function chunkText(text: string, maxTokens: number): string[] {
  const whole = text.trim();
  if (whole === "") return [];
  const room = maxTokens * CHARS_PER_TOKEN;
  if (whole.length <= Math.min(WHOLE, room)) return [whole];
  const target = Math.min(room, Math.max(Math.min(LEAST, room), Math.ceil(whole.length / MOST)));
  const parts: string[] = [];
  let part = "";
  for (const sentence of pieces(whole.slice(0, room * MOST * 2), room)) {
    const isFull = part.length + sentence.length > room || part.length >= target;
    if (part !== "" && isFull && parts.length < MOST - 1) {
      parts.push(part);
      part = "";
    }
    if (part.length + sentence.length > room) break;
    part += sentence;
  }
  parts.push(part);
  return parts.map((each) => each.trim()).filter((each) => each !== "");
}

/** Sentences; one that does not fit is cut at its length, never inside a character. */
function* pieces(text: string, room: number): Generator<string> {
  for (const { segment } of sentences.segment(text)) {
    if (segment.length <= room) yield segment;
    else for (let at = 0; at < segment.length; at += room) yield segment.slice(at, at + room).toWellFormed();
  }
}
