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
