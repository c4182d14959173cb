import { analyse, detectLanguage } from "../../language/index.js";
import type { ArtifactQuery } from "./port.js";
import { glance, namedIn } from "./port.js";

const MOST_WORDS = 6;

/** Derives from a question what to look for. Names come as they are written; nothing of it is ever a command. */
export function artifactQuery(question: string): ArtifactQuery {
  return { ...namedIn(question), words: tellingWords(glance(question)) };
}

/** Names first, then long words: a source is asked for few words, so these have to tell. */
function tellingWords(text: string): string[] {
  const language = detectLanguage(text)?.code ?? "en";
  const words = analyse(text, language)
    .filter(({ stop }) => !stop)
    .map(({ start, end }) => ({
      word: text.slice(start, end),
      isName: start > 0 && /\p{Lu}/u.test(text[start] ?? ""),
    }))
    .filter(({ word }) => /^[\p{L}\p{N}][\p{L}\p{N}_-]{2,}$/u.test(word) && !/^\d+$/.test(word));
  const ordered = words.toSorted(
    (a, b) => Number(b.isName) - Number(a.isName) || b.word.length - a.word.length,
  );
  return [...new Set(ordered.map(({ word }) => word))].slice(0, MOST_WORDS);
}
