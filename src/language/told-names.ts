import { detectLanguage } from "./detect.js";

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
 * writes every noun with a capital: what was told tells more of what is a name than how it is asked.
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
