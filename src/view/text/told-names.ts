import { detectLanguage } from "./detect.js";

const WORD = /\p{L}[\p{L}\p{N}-]*/gu;
/** A sentence that begins with a name: it has no article, and a verb of the third person or what somebody has follows. */
const BEGINS =
  /(?:^|[.!?]\s+)(\p{Lu}[\p{L}-]+)(?:['’]s? \p{L}|s? (?:\p{Lu}\p{L}+ )?(?:is|was|has|had|does|did|will|can|[a-z]{2,}s|[a-z]{2,}ed|went|got|broke|wrote|made|took|came|saw|left|bought|ist|war|hat|hatte|wird|mag|kann|will|soll|\p{Ll}{2,}t|\p{Ll}+te|kam|ging|fuhr|las|gab|nahm)(?!\p{L}))/gu;
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
    for (const [word] of text.matchAll(WORD)) if (word === word.toLowerCase()) small.add(word);
  }
  // `toms`, as chats write it; the German stemmer would not find `Lena` by `lenas`.
  return [...question.matchAll(WORD)]
    .map(([word]) => word)
    .filter((word) => {
      const low = word.toLowerCase();
      const name = !isGerman && !names.has(low) && low.endsWith("s") ? low.slice(0, -1) : low;
      return names.has(name) && !small.has(name);
    });
}
