import type { MemoryRecord } from "../core/ledger/index.js";
import { read, relationOf } from "../gate/index.js";
import type { Citation, Disagreement } from "./layers.js";

/** Words that say how far a thing is, told apart by what they mean for it. */
const OPEN =
  /\b(?:open|opened|reopened|unresolved|pending|in progress|not (?:yet )?(?:fixed|merged|done|closed)|still broken)\b/i;
const SHUT = /\b(?:closed|merged|fixed|done|resolved|released|shipped|finished|completed)\b/i;

const stateOf = (text: string): "open" | "shut" | undefined =>
  OPEN.test(text) ? "open" : SHUT.test(text) ? "shut" : undefined;

/**
 * Where an artifact that is newer than a memory says something else. The memory is still cited: whoever asked decides,
 * and knows of both.
 */
export function disagreements(memories: readonly Citation[], artifacts: readonly Citation[]): Disagreement[] {
  return memories.flatMap((memory) =>
    artifacts
      .filter(({ updatedAt }) => (updatedAt ?? "") > (memory.saidAt ?? memory.updatedAt ?? ""))
      .filter((artifact) => differs(memory.text, artifact.text))
      .slice(0, 1)
      .map(({ id, text, updatedAt, uri }) => ({
        about: memory.id,
        says: text,
        source: uri ?? id,
        ...(updatedAt !== undefined && { updatedAt }),
      })),
  );
}

function differs(memory: string, artifact: string): boolean {
  const [then, now] = [stateOf(memory), stateOf(artifact)];
  if (then !== undefined && now !== undefined) return then !== now;
  return artifact
    .split(/\n|(?<=[.!?])\s/)
    .slice(0, 40)
    .some((sentence) => relationOf(read(memory), read(sentence)) !== "free");
}

/** Every text that the sides of an open conflict give a memory; none where they agree. */
export const sidesOf = ({ contested }: Pick<MemoryRecord, "contested">): string[] =>
  (contested?.text?.terms ?? []).flatMap(({ value }) => (typeof value === "string" ? [value] : []));

/** Memories that speak with two voices: what the other sides of an open conflict say. */
export const contestedIn = (
  memories: readonly { readonly id: string; readonly text: string; readonly contested?: readonly string[] }[],
): Disagreement[] =>
  memories.flatMap(({ id, contested = [], text }) =>
    contested
      .filter((says) => says !== text)
      .map((says) => ({ about: id, says, source: "another side of an open conflict" })),
  );
