import { PalimpsestError } from "../../core/base/index.js";

/** An element of the list that a file is, or of a list that it holds under a key; or a plain value under a key. */
export interface JsonItem {
  readonly key: string | undefined;
  readonly value: unknown;
  /** The list under the key has no elements. */
  readonly isEmpty?: true;
}

/** No honest element comes near these; a hostile one must not fill the machine. */
const LONGEST = 32 * 1024 * 1024;
const DEEPEST = 200;

/**
 * The elements of a JSON file one by one, holding no more than one of them: of a list, or of the lists that an object
 * holds. What is not JSON ends it with an error.
 */
export async function* jsonItems(chunks: AsyncIterable<string>): AsyncGenerator<JsonItem> {
  const input = new Input(chunks);
  try {
    const open = await input.take();
    if (open === "[") yield* elements(input, undefined);
    else if (open === "{") yield* members(input);
    else throw broken("it is neither a list nor an object");
    if ((await input.peek()) !== undefined) throw broken("there is something after the end");
  } finally {
    await input.close();
  }
}

async function* elements(input: Input, key: string | undefined): AsyncGenerator<JsonItem> {
  if ((await input.peek()) === "]") return void (await input.take());
  for (;;) {
    yield { key, value: await input.value() };
    const next = await input.take();
    if (next === "]") return;
    if (next !== ",") throw broken("two elements are not divided by a comma");
  }
}

async function* members(input: Input): AsyncGenerator<JsonItem> {
  if ((await input.peek()) === "}") return void (await input.take());
  for (;;) {
    const key = (await input.peek()) === '"' ? await input.value() : undefined;
    if (typeof key !== "string" || (await input.take()) !== ":") throw broken("a key is expected");
    if ((await input.peek()) === "[") {
      await input.take();
      if ((await input.peek()) === "]") yield { key, value: undefined, isEmpty: true };
      yield* elements(input, key);
    } else yield { key, value: await input.value() };
    const next = await input.take();
    if (next === "}") return;
    if (next !== ",") throw broken("two members are not divided by a comma");
  }
}

/** Text that is read as far as it is needed. */
class Input {
  readonly #chunks: AsyncIterator<string>;
  #text = "";
  #at = 0;

  constructor(chunks: AsyncIterable<string>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Lets go of the file, wherever in it the reading ended. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  /** The next character that is no blank. */
  async peek(): Promise<string | undefined> {
    for (;;) {
      BLANKS.lastIndex = this.#at;
      BLANKS.exec(this.#text);
      this.#at = BLANKS.lastIndex;
      if (this.#at < this.#text.length) return this.#text[this.#at];
      if (!(await this.#fill())) return undefined;
    }
  }

  async take(): Promise<string | undefined> {
    const char = await this.peek();
    this.#at++;
    return char;
  }

  async value(): Promise<unknown> {
    await this.peek();
    for (;;) {
      const end = endOfValue(this.#text, this.#at);
      const length = this.#text.length - this.#at;
      if (end === undefined && length > LONGEST) throw broken("one element is too long");
      // At least as much again is read, so that looking from its start anew costs little.
      if (end === undefined && (await this.#fill(length))) continue;
      const text = this.#text.slice(this.#at, end);
      this.#at = end ?? this.#text.length;
      try {
        return JSON.parse(text) as unknown;
      } catch {
        throw broken("an element cannot be read");
      }
    }
  }

  async #fill(atLeast = 0): Promise<boolean> {
    const parts = [this.#text.slice(this.#at)];
    this.#at = 0;
    for (let got = 0; got <= atLeast; ) {
      const { value, done } = await this.#chunks.next();
      if (done) {
        this.#text = parts.join("");
        return got > 0;
      }
      got += value.length;
      parts.push(value);
    }
    this.#text = parts.join("");
    return true;
  }
}

const BLANKS = /[ \t\r\n\ufeff]*/y;
const MARKS = /["{}[\]]/g;
const QUOTES = /["\\]/g;
const AFTER_SCALAR = /[,\]}\s]/g;

/** Where the value that begins at `from` ends; undefined when it goes on after this text. */
function endOfValue(text: string, from: number): number | undefined {
  const first = text[from];
  if (first === '"') return endOfString(text, from);
  if (first !== "{" && first !== "[") {
    AFTER_SCALAR.lastIndex = from;
    return AFTER_SCALAR.exec(text)?.index;
  }
  let depth = 0;
  for (let at: number | undefined = from; at !== undefined; ) {
    MARKS.lastIndex = at;
    const found = MARKS.exec(text);
    if (!found) return undefined;
    at = found.index + 1;
    if (found[0] === '"') at = endOfString(text, found.index);
    else if (found[0] === "{" || found[0] === "[") {
      if (++depth > DEEPEST) throw broken("it is nested too deep");
    } else if (--depth === 0) return at;
  }
  return undefined;
}

function endOfString(text: string, from: number): number | undefined {
  for (QUOTES.lastIndex = from + 1; ; QUOTES.lastIndex++) {
    const found = QUOTES.exec(text);
    if (!found) return undefined;
    if (found[0] === '"') return found.index + 1;
  }
}

const broken = (why: string): PalimpsestError =>
  new PalimpsestError("INVALID_FILE", `This is not a readable JSON file: ${why}.`, {
    hint: "Nothing was read from it after that point, and it was not changed.",
  });
