import { analyse, detectLanguage } from "../../view/index.js";
import type { ArtifactQuery } from "./port.js";

const ISSUE =
  /(?:\b(?:issues?|bugs?|tickets?|prs?|mrs?|pulls?|pull requests?|merge requests?)\s{0,2}(?:no\.?|number|nr\.?)?\s{0,2}#?|(?<![\w&/])#)(\d{1,7})\b/giu;
const FILE =
  /(?<![\w/.-])((?:[\w.@-]{1,80}\/){0,12}[\w.@-]{1,80}\.[A-Za-z][A-Za-z0-9]{0,7}|(?:[\w.@-]{1,80}\/){1,12}[\w.@-]{1,80}|Makefile|Dockerfile|README|LICENSE)(?::(\d{1,6})|,? line (\d{1,6}))?(?![\w/])/gu;
const COMMIT = /(?<![\w-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])([0-9a-f]{7,40})(?![\w-])/gu;
const MOST_WORDS = 6;

/** Derives from a question what to look for. Names come as they are written; nothing of it is ever a command. */
export function artifactQuery(question: string): ArtifactQuery {
  const text = question.slice(0, 2_000);
  const numbers = [...text.matchAll(ISSUE)].map(([, number]) => Number(number));
  const files = [...text.matchAll(FILE)]
    .filter(([, path = ""]) => !path.split("/").includes("..") && !/^\d+(?:\.\d+)*$/.test(path))
    .map(([, path = "", line, other]) => ({
      path,
      ...((line ?? other) !== undefined && { line: Number(line ?? other) }),
    }));
  const commits = [...text.matchAll(COMMIT)].map(([, hash = ""]) => hash);
  return { issues: [...new Set(numbers)], files, commits, words: tellingWords(text) };
}

/** Does the question name something that only such a source can have? */
export const isNamed = ({ issues, files, commits }: ArtifactQuery): boolean =>
  issues.length + files.length + commits.length > 0;

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
