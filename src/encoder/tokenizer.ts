import { KERNEL } from "./words-kernel.js";

const CLS = 101;
const SEP = 102;
const UNK = 100;
const MAX_WORD_CHARS = 100;
/** Bounds the work on one whitespace-free run (base64, minified code); 256 tokens come from far fewer characters. */
const MAX_RUN = 16384;

// Only these separate words: other control characters are deleted, which joins their neighbours.
const RUNS = /[^\t\n\r\p{Z}]+/gu;
const DELETED = /[\uFFFD\p{C}]/gu;
const CJK =
  /[\u4E00-\u9FFF\u3400-\u4DBF\uF900-\uFAFF\u{20000}-\u{2A6DF}\u{2A700}-\u{2CEAF}\u{2F800}-\u{2FA1F}]/gu;
const MARKS = /\p{Mn}/gu;
// BERT counts all ASCII symbols as punctuation, and elsewhere only category P.
const WORDS = /[!-/:-@[-`{-~\p{P}]|[^\s!-/:-@[-`{-~\p{P}]+/gu;
const ASCII = /^[\x21-\x7E]+$/;

/** Where things lie in the kernel's memory; its own constants are below. The vocabulary runs to the end. */
const WORD_AT = 1024;
const IDS_AT = WORD_AT + 4 * MAX_WORD_CHARS;
const TABLE_AT = IDS_AT + 16 * MAX_WORD_CHARS;
const STARTS_AT = TABLE_AT + 2 * 65536;
const VOCABULARY_AT = STARTS_AT + 4 * 65536;
const PAGE = 65536;

interface Kernel {
  learn(words: number, end: number, starts: number, table: number): void;
  pieces(word: number, end: number, starts: number, table: number, ids: number): number;
}

/** BERT uncased WordPiece. Special tokens such as "[MASK]" in user text are ordinary text. */
export class WordPieceTokenizer {
  readonly #kernel: Kernel;
  readonly #bytes: Buffer;
  readonly #ids: Int32Array;

  /** The words in the order of their ids, one on each line. */
  constructor(vocabulary: Uint8Array) {
    const end = VOCABULARY_AT + vocabulary.length;
    const memory = new WebAssembly.Memory({ initial: Math.ceil(end / PAGE) });
    const module = new WebAssembly.Module(Buffer.from(KERNEL, "base64"));
    this.#kernel = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Kernel;
    this.#bytes = Buffer.from(memory.buffer);
    this.#ids = new Int32Array(memory.buffer, IDS_AT, 4 * MAX_WORD_CHARS);
    this.#bytes.set(vocabulary, VOCABULARY_AT);
    this.#kernel.learn(VOCABULARY_AT, end, STARTS_AT, TABLE_AT);
  }

  /** Token ids with [CLS] and [SEP], cut to `maxTokens`. Stops reading the text once it is full. */
  encode(text: string, maxTokens: number): number[] {
    const ids = [CLS];
    for (const [run] of text.matchAll(RUNS)) {
      for (const word of splitRun(run)) {
        ids.push(...this.#pieces(word));
        if (ids.length >= maxTokens - 1) break;
      }
      if (ids.length >= maxTokens - 1) break;
    }
    ids.length = Math.min(ids.length, maxTokens - 1);
    ids.push(SEP);
    return ids;
  }

  #pieces(word: string): Iterable<number> {
    if (word.length > MAX_WORD_CHARS && Array.from(word).length > MAX_WORD_CHARS) return [UNK];
    const end = WORD_AT + this.#bytes.write(word, WORD_AT);
    const count = this.#kernel.pieces(WORD_AT, end, STARTS_AT, TABLE_AT, IDS_AT);
    return count > 0 ? this.#ids.subarray(0, count) : [UNK];
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
