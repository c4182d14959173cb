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

const NAMED = /[\p{L}\p{M}\p{N}]+(?:['’]s(?![\p{L}\p{N}]))?/gu;

/**
 * A text without the names of speakers, in any case: who speaks is known anyway, and a model of meaning takes two texts about
 * the same person for similar, whatever they say.
 */
export function withoutNames(text: string, names: ReadonlySet<string>): string {
  if (names.size === 0) return text;
  const rest = text
    .replace(NAMED, (word) => (names.has(word.replace(/['’]s$/u, "").toLowerCase()) ? "" : word))
    .replace(/[^\S\n]{2,}/gu, " ")
    .trim();
  return /[\p{L}\p{N}]/u.test(rest) ? rest : text;
}
