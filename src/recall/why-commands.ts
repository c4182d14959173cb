import { type Hash, type MemoryId, shortHash } from "../core/base/index.js";

/** The exact commands that set something right. */
export interface WhyCommands {
  /** Say it better, or take it away. */
  readonly fix: readonly string[];
  /** Undo the commits that brought it in. */
  readonly revert: readonly string[];
  /** See everything that was made from it, and take that away too, the last made first. */
  readonly taint: readonly string[];
}

export function commandsFor(
  supports: readonly { readonly id: MemoryId; readonly commit: Hash }[],
  derived: readonly { readonly id: MemoryId; readonly from: MemoryId }[],
): WhyCommands {
  const forget = (id: string, reason: string) => `pal forget ${word(id)} --reason ${word(reason)}`;
  return {
    fix: supports.flatMap(({ id }) => [`pal update ${word(id)} "…"`, forget(id, "it is wrong")]),
    revert: [...new Set(supports.map(({ commit }) => `pal revert ${shortHash(commit)}`))],
    taint: [
      ...supports.map(({ id }) => `pal taint ${word(id)}`),
      ...derived.toReversed().map(({ id, from }) => forget(id, `made from ${from}`)),
    ],
  };
}

/** As a shell takes it: nothing in it is expanded. */
const word = (text: string): string =>
  /^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
