const CLS = 101;
const SEP = 102;
const UNK = 100;
const MAX_WORD_CHARS = 100;
/** Bounds the work on one whitespace-free run (base64, minified code); 256 tokens come from far fewer characters. */
const MAX_RUN = 16384;
const CACHE_WORDS = 8192;

// Only these separate words: other control characters are deleted, which joins their neighbours.
const RUNS = /[^\t\n\r\p{Z}]+/gu;
const DELETED = /[\uFFFD\p{C}]/gu;
const CJK =
  /[\u4E00-\u9FFF\u3400-\u4DBF\uF900-\uFAFF\u{20000}-\u{2A6DF}\u{2A700}-\u{2CEAF}\u{2F800}-\u{2FA1F}]/gu;
const MARKS = /\p{Mn}/gu;
// BERT counts all ASCII symbols as punctuation, and elsewhere only category P.
const WORDS = /[!-/:-@[-`{-~\p{P}]|[^\s!-/:-@[-`{-~\p{P}]+/gu;
const ASCII = /^[\x21-\x7E]+$/;

/** BERT uncased WordPiece. Special tokens such as "[MASK]" in user text are ordinary text. */
export class WordPieceTokenizer {
  readonly #vocab = new Map<string, number>();
  readonly #cache = new Map<string, number[]>();

  constructor(words: readonly string[]) {
    // Run once, before anything is compiled: a third of what a loop over entries takes.
    words.forEach((word, id) => {
      this.#vocab.set(word, id);
    });
  }

  /** Token ids with [CLS] and [SEP], cut to `maxTokens`. Stops reading the text once it is full. */
  encode(text: string, maxTokens: number): number[] {
    const ids = [CLS];
    for (const [run] of text.matchAll(RUNS)) {
      for (const word of splitRun(run)) {
        for (const id of this.#pieces(word)) {
          if (ids.length === maxTokens - 1) break;
          ids.push(id);
        }
      }
      if (ids.length === maxTokens - 1) break;
    }
    ids.push(SEP);
    return ids;
  }

  #pieces(word: string): number[] {
    const known = this.#cache.get(word);
    if (known) return known;
    const result = this.#longestMatches(word);
    if (this.#cache.size >= CACHE_WORDS) this.#cache.clear();
    this.#cache.set(word, result);
    return result;
  }

  #longestMatches(word: string): number[] {
    const chars = word.length > 2 * MAX_WORD_CHARS ? undefined : Array.from(word);
    if (!chars || chars.length > MAX_WORD_CHARS) return [UNK];
    const ids: number[] = [];
    let start = 0;
    while (start < chars.length) {
      const prefix = start === 0 ? "" : "##";
      let end = chars.length;
      let id: number | undefined;
      for (; end > start; end--) {
        id = this.#vocab.get(prefix + chars.slice(start, end).join(""));
        if (id !== undefined) break;
      }
      if (id === undefined) return [UNK];
      ids.push(id);
      start = end;
    }
    return ids;
  }
}

function splitRun(run: string): string[] {
  if (run.length > MAX_RUN) run = run.slice(0, MAX_RUN);
  let text = run.toLowerCase();
  if (!ASCII.test(run)) {
    text = run.replace(DELETED, "").replace(CJK, " $& ").toLowerCase().normalize("NFD").replace(MARKS, "");
  }
  return text.match(WORDS) ?? [];
}
