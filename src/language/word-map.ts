/** What stands before the letters of a word: its length, then its number in two halves. */
const HEAD = 3;

/**
 * Numbers by words, looked up where a word stands in a text: when many texts are read, cutting each known word out of them
 * would cost more than all the rest. Two arrays and no objects, because what takes time is fetching memory.
 */
export class WordMap {
  /** Open addressing in pairs: the hash of a word, and where its entry is in `#letters`, 0 for a free place. */
  #table = new Int32Array(512);
  #letters = new Uint16Array(4096);
  #used = 1;
  #size = 0;

  /** The number of the word that stands there, or -1. */
  get(text: string, from = 0, to = text.length): number {
    const table = this.#table;
    const letters = this.#letters;
    const hash = hashOf(text, from, to);
    const mask = table.length - 2;
    for (let place = (hash << 1) & mask; ; place = (place + 2) & mask) {
      const entry = table[place + 1]!;
      if (entry === 0) return -1;
      if (table[place] === hash && isAt(letters, entry, text, from, to))
        return letters[entry + 1]! | (letters[entry + 2]! << 16);
    }
  }

  /** Of a word that is not there yet. */
  add(word: string, number: number): void {
    const entry = this.#used;
    this.#used += HEAD + word.length;
    if (this.#used > this.#letters.length) {
      const grown = new Uint16Array(this.#used * 2);
      grown.set(this.#letters);
      this.#letters = grown;
    }
    this.#letters[entry] = word.length;
    this.#letters[entry + 1] = number;
    this.#letters[entry + 2] = number >>> 16;
    for (let at = 0; at < word.length; at++) this.#letters[entry + HEAD + at] = word.charCodeAt(at);
    if (++this.#size * 3 > this.#table.length) this.#grow();
    put(this.#table, hashOf(word, 0, word.length), entry);
  }

  #grow(): void {
    const table = new Int32Array(this.#table.length * 2);
    for (let at = 0; at < this.#table.length; at += 2)
      if (this.#table[at + 1] !== 0) put(table, this.#table[at]!, this.#table[at + 1]!);
    this.#table = table;
  }
}

function put(table: Int32Array, hash: number, entry: number): void {
  const mask = table.length - 2;
  let place = (hash << 1) & mask;
  while (table[place + 1] !== 0) place = (place + 2) & mask;
  table[place] = hash;
  table[place + 1] = entry;
}

function isAt(letters: Uint16Array, entry: number, text: string, from: number, to: number): boolean {
  if (letters[entry] !== to - from) return false;
  const start = entry + HEAD - from;
  for (let at = from; at < to; at++) if (letters[start + at] !== text.charCodeAt(at)) return false;
  return true;
}

/** FNV-1a over UTF-16 units. */
function hashOf(text: string, from: number, to: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash ^ (hash >>> 15);
}
