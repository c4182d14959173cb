import { analyse } from "./analyse.js";
import { detectLanguage } from "./detect.js";
import { folded } from "./fold.js";
import type { Token } from "./token.js";

/** What a question asks for. Every text is a question: what is no filter and no phrase is words. */
export interface Query {
  /** The words to look for, those of the phrases included; lines stay lines. */
  readonly text: string;
  /** Quoted, to be found word by word in this order. */
  readonly phrases: readonly string[];
  /** Nothing was asked but phrases: a hit has to hold them all. Beside other words they only lift a hit. */
  readonly exact: boolean;
  /** Words of it that memory shows to be names; where this is not given, capitals decide. */
  readonly names?: readonly string[];
  readonly subjects: readonly string[];
  readonly types: readonly string[];
  readonly tags: readonly string[];
  /** Milliseconds since 1970. At or after the beginning of what `after:` names, and before that of `before:`. */
  readonly after?: number;
  readonly before?: number;
}

/** A longer quotation quotes somebody; nobody expects to find it letter by letter. */
const LONGEST_PHRASE = 12;
/** Quotations are bounded, so that a text full of opening marks is not read to its end from each of them. */
const PIECES =
  /(?:(subject|type|tag|before|after):)?(?:"([^"\n]*)"|“([^”\n]{0,200})”|„([^“”\n]{0,200})[“”]|«([^»\n]{0,200})»)|\S+/giu;
const FILTER = /^(subject|type|tag|before|after):(.+)$/isu;
const DATE =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[Tt](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)([Zz]|[+-]\d{2}:\d{2})?)?)?)?$/;

/** A person who asks with more has pasted something, and says at its beginning or at its end what they want. */
const LONGEST = 8_000;

/** As much of a question as is looked at. */
export const glanceAt = (question: string): string =>
  question.length <= LONGEST
    ? question
    : `${question.slice(0, LONGEST / 2)}\n${question.slice(-LONGEST / 2)}`.toWellFormed();

/**
 * Reads a question: words, `"quoted phrases"` and the filters subject:, type:, tag:, before: and after:, whose value may be
 * quoted. There is no wrong question: a filter with a value that cannot be read is a word.
 */
export function parseQuery(given: string): Query {
  const query = glanceAt(given);
  const words: string[] = [];
  const phrases: string[] = [];
  const lists = { subject: [] as string[], type: [] as string[], tag: [] as string[] };
  const times: { after?: number; before?: number } = {};
  let loose = /\n/.test(query.trim());
  let end = 0;
  for (const match of query.matchAll(PIECES)) {
    const quoted = match[2] ?? match[3] ?? match[4] ?? match[5];
    const bare = quoted === undefined ? FILTER.exec(match[0]) : undefined;
    const key = (match[1] ?? bare?.[1])?.toLowerCase();
    const value = (quoted ?? bare?.[2])?.trim() ?? "";
    if (key !== undefined && filtered(key, value, lists, times)) continue;
    if (words.length > 0) words.push(query.slice(end, match.index).includes("\n") ? "\n" : " ");
    words.push(key === undefined ? (quoted ?? match[0]) : match[0]);
    end = match.index + match[0].length;
    if (quoted !== undefined && key === undefined && isPhrase(value)) phrases.push(value);
    else loose = true;
  }
  return {
    text: words.join(""),
    phrases,
    exact: phrases.length > 0 && !loose,
    subjects: lists.subject,
    types: lists.type,
    tags: lists.tag,
    ...times,
  };
}

function filtered(
  key: string,
  value: string,
  lists: Record<"subject" | "type" | "tag", string[]>,
  times: { after?: number; before?: number },
): boolean {
  if (value === "") return false;
  if (key === "subject" || key === "type" || key === "tag") {
    // The type of a memory is a lower-case word.
    lists[key].push(key === "type" ? value.toLowerCase() : value);
    return true;
  }
  const at = dateOf(value);
  if (at === undefined) return false;
  if (key === "after") times.after = Math.max(at, times.after ?? at);
  else times.before = Math.min(at, times.before ?? at);
  return true;
}

/** The beginning of a year, month, day or minute; a time without a zone is UTC. */
function dateOf(text: string): number | undefined {
  const parts = DATE.exec(text);
  if (!parts) return undefined;
  const [, year, month = "01", day = "01", time = "00:00", zone = "Z"] = parts;
  const at = Date.parse(`${year}-${month}-${day}T${time}${zone.toUpperCase()}`);
  // 30 February reads as a day of March: not a date, so a word.
  const real = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
  return Number.isNaN(at) || !real ? undefined : at;
}

const isPhrase = (text: string): boolean => {
  const { length } = text.split(/\s+/u);
  return /[\p{L}\p{N}]/u.test(text) && length <= LONGEST_PHRASE;
};

/**
 * The terms to look for, each once: the question analysed in every language given (those of the memory), since a
 * short question rarely shows its own. Function words count only where there is nothing else.
 */
export function queryTokens(text: string, languages: readonly string[] = []): Token[] {
  const tokens = new Map<string, Token>();
  for (const language of languages.length === 0 ? [undefined] : languages)
    for (const token of analyse(text, language)) {
      const known = tokens.get(token.term);
      if (!known || (token.stop && !known.stop)) tokens.set(token.term, token);
    }
  const all = [...tokens.values()];
  const telling = all.filter(({ stop }) => !stop);
  return telling.length > 0 ? telling : all;
}

const letters = (text: string): string =>
  folded(text)
    .match(/[\p{L}\p{N}\p{M}]+/gu)
    ?.join(" ") ?? "";
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Whether the text holds the phrase, whatever its case, accents and punctuation. */
export function holdsPhrase(text: string, phrase: string): boolean {
  const wanted = letters(phrase);
  if (UNSPACED.test(wanted)) return letters(text).replaceAll(" ", "").includes(wanted.replaceAll(" ", ""));
  return ` ${letters(text)} `.includes(` ${wanted} `);
}

/** A shorter question is all question. */
const LONG = 300;
const LINES = 3;

/** What a long question ends with, which is what it asks: the rest is a pasted text, or the talk that led to it. */
export function tailOf(question: string): string {
  if (question.length <= LONG) return question;
  return question.trim().split("\n").slice(-LINES).join("\n");
}

/** Who speaks by role has no name. */
const ROLES = new Set(["user", "assistant", "system", "human", "ai", "bot", "agent", "tool", "model"]);
const WORDS = /[\p{L}\p{M}\p{N}]+/gu;

/** The words of the names of those who speak in a memory, lower case; roles are no names. */
export function nameWords(speakers: Iterable<string>): Set<string> {
  const names = new Set<string>();
  for (const speaker of speakers)
    for (const word of speaker.toLowerCase().match(WORDS) ?? []) if (!ROLES.has(word)) names.add(word);
  return names;
}

const WORD = /\p{L}[\p{L}\p{N}-]*/gu;
/** A sentence that begins with a name: it has no article, and a verb of the third person or what somebody has follows. */
const BEGINS =
  /(?:^|[.!?]\s+)(\p{Lu}[\p{L}-]+)(?:['’]s? \p{L}|s? (?:\p{Lu}\p{L}+ )?(?:is|was|has|had|does|did|will|can|[a-z]{2,}s|[a-z]{2,}ed|went|got|broke|wrote|made|took|came|saw|left|bought|ist|war|hat|hatte|wird|mag|kann|will|soll|\p{Ll}{2,}t|\p{Ll}+te|kam|ging|fuhr|las|gab|nahm)(?!\p{L}))/gu;
/** What stands before somebody's name belongs to it, in German too. */
const TITLED =
  /(?<!\p{L})(Frau|Herrn?|Dr|Prof|Mrs?|Ms|Oma|Opa|Onkel|Tante|[Aa]unt|[Uu]ncle|[Gg]randma|[Gg]randpa|Madame|Monsieur|Mme|[Tt]ante|[Oo]ncle|[Ss]eñora?|[Tt]í[ao])\.? (\p{Lu}[\p{L}-]+)/gu;
/** Inside a sentence, where a language writes only names so. */
const INSIDE = /(?<=[\p{Ll},] )\p{Lu}[\p{L}-]+/gu;

/**
 * The words of a question that texts show to be names, as the question writes them. People ask in small letters, and German
 * writes every noun with a capital: what memory holds shows better what is a name than how the question is written.
 */
export function toldNames(question: string, texts: readonly string[]): string[] {
  const isGerman = detectLanguage(question)?.code === "de";
  const names = new Set<string>();
  const small = new Set<string>();
  for (const text of texts) {
    const language = detectLanguage(text);
    for (const [, name = ""] of text.matchAll(BEGINS))
      if (!language?.words.has(name.toLowerCase())) names.add(name.toLowerCase());
    if (!isGerman && language?.code !== "de")
      for (const [name] of text.matchAll(INSIDE)) names.add(name.toLowerCase());
    for (const [, title = "", name = ""] of text.matchAll(TITLED))
      for (const word of [title, name]) names.add(word.toLowerCase());
    for (const [word] of text.matchAll(WORD)) if (word === word.toLowerCase()) small.add(word);
  }
  // `toms`, as chats write it; the German stemmer would not find `Lena` by `lenas`.
  const found = [...question.matchAll(WORD)].filter(([word]) => {
    const low = word.toLowerCase();
    const name = !isGerman && !names.has(low) && low.endsWith("s") ? low.slice(0, -1) : low;
    return names.has(name) && !small.has(name);
  });
  return joined(question, found, texts.join("\n").toLowerCase());
}

/** Words that stand together in the question as in a text are one name: somebody's first and last, a title and a name. */
function joined(question: string, words: readonly RegExpExecArray[], texts: string): string[] {
  const names: { from: number; to: number }[] = [];
  for (const { 0: word, index } of words) {
    const last = names.at(-1);
    const [from, to] = [index, index + word.length];
    const isNext = last && /^\.? $/.test(question.slice(last.to, from));
    const bare = question.slice(last?.from, to).toLowerCase().replaceAll(".", "");
    if (isNext && texts.replaceAll(".", "").includes(bare)) last.to = to;
    else names.push({ from, to });
  }
  return names.map(({ from, to }) => question.slice(from, to));
}
