/** Who speaks in every chat; no name tells less. */
const ROLES = new Set([
  "user",
  "assistant",
  "system",
  "human",
  "ai",
  "bot",
  "agent",
  "tool",
  "model",
  "default",
]);
/** Names that are words too: only written as a name, with a capital, are they taken for one. */
const WORDS = new Set(
  (
    "amber april art august autumn bill bob brook buck carol chance chase christian daisy dale dawn dean dick drew " +
    "earl faith frank gene glen grace grant guy harmony harry heath hope hunter iris ivy jack jade jean jewel joy june " +
    "lance lee lily mark mason max may melody miles misty nick norm olive page pat patience pearl penny peter pierce " +
    "ray reed rich rob robin rocky rose roman royal ruby rusty sandy scout sky skip star stone storm sue summer sunny " +
    "tab terry tony trace van victor wade ward will willow wren young"
  ).split(" "),
);
const ARTICLES = new Set("a an the der die das den dem des ein eine einen einem einer eines".split(" "));

const WORD = /[\p{L}\p{M}][\p{L}\p{M}\p{N}'’-]*/gu;
const CAPITAL = /^\p{Lu}/u;

/** What a set of memories says about who is in them. */
export interface Mention {
  readonly speaker?: string | undefined;
  /** Of a triple; a person as often as a thing. */
  readonly subject?: string | undefined;
  readonly text: string;
}

/**
 * The names of speakers and subjects, learnt from memories. Names outweigh everything else in a sentence's vector, so
 * they are left out of what is embedded and found by their letters instead.
 *
 * A speaker's words are names in whatever case. A subject's words are names unless the texts use them as nouns: in
 * lower case, or after an article, which also tells in German, where every noun has a capital.
 */
export class Names {
  readonly #speakers = new Set<string>();
  readonly #subjects = new Set<string>();
  readonly #nouns = new Set<string>();
  #pattern: RegExp | undefined;

  learn({ speaker, subject, text }: Mention): void {
    for (const word of wordsOf(speaker)) if (!ROLES.has(fold(word))) this.#add(this.#speakers, fold(word));
    for (const word of wordsOf(subject)) if (CAPITAL.test(word)) this.#add(this.#subjects, fold(word));
    this.#learnNouns(text);
  }

  /** Takes over what others have learnt. */
  join(others: Iterable<Names>): this {
    for (const other of others) {
      for (const word of other.#speakers) this.#add(this.#speakers, word);
      for (const word of other.#subjects) this.#add(this.#subjects, word);
      for (const word of other.#nouns) this.#add(this.#nouns, word);
    }
    return this;
  }

  /** The names, in order, as one text: equal for those that strip alike. */
  get signature(): string {
    return this.#all().sort().join(" ");
  }

  /** The text without names and what belongs to them ('s); the text itself when nothing else would be left. */
  strip(text: string): string {
    this.#pattern ??= patternOf(this.#all());
    const stripped = text
      .replace(this.#pattern, (name: string) =>
        WORDS.has(fold(bare(name))) && !CAPITAL.test(name) ? name : "",
      )
      .replace(/^\s*[:,;–-]\s*/, "")
      .replace(/[^\S\n]{2,}/g, " ")
      .replace(/ ([,.;:!?])/g, "$1")
      .trim();
    return /[\p{L}\p{N}]/u.test(stripped) ? stripped : text.trim();
  }

  #all(): string[] {
    const subjects = [...this.#subjects].filter((word) => !this.#nouns.has(word) && !ARTICLES.has(word));
    return [...new Set([...this.#speakers, ...subjects])];
  }

  #learnNouns(text: string): void {
    let before = "";
    for (const [word] of text.matchAll(WORD)) {
      const folded = fold(bare(word));
      if (!CAPITAL.test(word) || ARTICLES.has(before)) this.#add(this.#nouns, folded);
      before = folded;
    }
  }

  #add(set: Set<string>, word: string): void {
    if (set.has(word)) return;
    set.add(word);
    this.#pattern = undefined;
  }
}

const fold = (word: string): string => word.toLowerCase();
const bare = (word: string): string => word.replace(/['’]s?$/, "");
/** Also out of `melanie-smith`, as an agent may be called. */
const wordsOf = (text: string | undefined): string[] =>
  (text?.match(/[\p{L}\p{M}\p{N}'’]+/gu) ?? []).map(bare).filter((word) => /\p{L}./u.test(word));

function patternOf(names: readonly string[]): RegExp {
  if (names.length === 0) return /(?!)/;
  const any = [...names]
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replace(/[.*+?^${}()|[\]\\-]/g, "\\$&"))
    .join("|");
  return new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])(?:${any})(?:['’]s?)?(?![\\p{L}\\p{M}\\p{N}])`, "giu");
}
