import type { Scope } from "../base/index.js";
import { laneOf, type MemoryRecord, trustRank } from "../ledger/index.js";
import { type Refusal, refuse } from "./verdict.js";

/** Characters a text may have, by lane. A belief is a sentence; documents and messages quote the world. */
export const LIMITS = { belief: 1_200, document: 65_536, message: 65_536 } as const;

/** Characters as people and Unicode count them: half of a surrogate pair is none. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** What the checks may ask about the writer. */
export interface Writer {
  sees(scope: Scope): boolean;
}

type Check = (record: MemoryRecord, writer: Writer) => Refusal | undefined;

/** The ordered checks every write passes; the first refusal is the verdict. */
const CHECKS: readonly Check[] = [
  function length({ text, type }) {
    const limit = LIMITS[laneOf(type)];
    if (text.length <= limit) return undefined;
    const size = countCharacters(text);
    if (size <= limit) return undefined;
    return refuse(
      "TOO_LONG",
      "length",
      `The text is too long: ${size} characters, the limit for type "${type}" is ${limit}.`,
      "Say it shorter, or store it as a document (type note).",
    );
  },
  function scope({ scope: target }, writer) {
    if (writer.sees(target)) return undefined;
    return refuse(
      "SCOPE_NOT_VISIBLE",
      "scope",
      `This session does not see the scope ${target}.`,
      "Write to a scope the session sees, or open a session that sees this one.",
    );
  },
  function tier({ tier: level, origin }) {
    if (level !== "canon" || trustRank(origin.trust) >= trustRank("user")) return undefined;
    return refuse(
      "TIER_NOT_ALLOWED",
      "tier",
      `Canon is for what a person vouches for; this write comes with the trust of "${origin.trust}".`,
      "Write it as a register, or have a user or operator write it.",
    );
  },
];

export function judge(record: MemoryRecord, writer: Writer): Refusal | undefined {
  for (const check of CHECKS) {
    const refusal = check(record, writer);
    if (refusal) return refusal;
  }
  return undefined;
}
