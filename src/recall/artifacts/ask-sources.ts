import { analyse, detectLanguage } from "../../language/index.js";
import type { Citation, LayerAnswer } from "../layers.js";
import { answerFrom } from "../texts.js";
import { type Artifact, type ArtifactQuery, type ArtifactSource, glance, namedIn } from "./port.js";

const MOST = 5;

/** Asks all sources at once and judges what they found. */
export async function askSources(
  sources: readonly ArtifactSource[],
  question: string,
  signal: AbortSignal,
): Promise<LayerAnswer> {
  const query = artifactQuery(question);
  const answers = await Promise.allSettled(sources.map((source) => source.find(query, signal)));
  const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  const failed = answers.flatMap((answer) =>
    answer.status === "rejected" ? [messageOf(answer.reason)] : [],
  );
  const judged = judge(question, found);
  // What a source that failed might have held is not known.
  return judged.status === "empty" && failed.length > 0
    ? { ...judged, status: "unavailable", reason: failed.join(" ") }
    : judged;
}

/** What the question named is the answer, whatever its words; among the rest the words decide. */
function judge(question: string, found: readonly Artifact[]): LayerAnswer {
  const named = found.filter((one) => one.isNamed);
  const rest = answerFrom(question, found.filter((one) => !one.isNamed).map(textOf));
  if (named.length === 0) return rest;
  const citations = named.map((one) => ({ ...textOf(one), score: 1 }));
  return { status: "hit", best: 1, found: [...citations, ...rest.found].slice(0, MOST) };
}

const textOf = ({
  id,
  title,
  text,
  updatedAt,
  author,
  uri,
}: Artifact): Omit<Citation, "score"> & { title: string } => ({
  layer: "L3",
  id,
  title,
  text,
  uri,
  ...(updatedAt !== undefined && { updatedAt }),
  ...(author !== undefined && { speaker: author }),
});

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

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
