import * as z from "zod";
import { PalimpsestError, type Session, shortHash, type Verdict } from "../../session/index.js";
import type { Seen } from "../cli/scope-words.js";
import { counted, quoted } from "./telling.js";

/** What every write answers. A refusal is an answer too: it says why, and what to do. */
export const verdictOut = z.object({
  verdict: z.enum(["accepted", "updated", "duplicate", "rejected", "quarantined"]),
  id: z.string().optional(),
  scope: z.string().optional(),
  branch: z.string().optional(),
  version: z.number().optional(),
  commit: z.string().optional(),
  code: z.string().optional(),
  reason: z.string().optional(),
  hint: z.string().optional(),
  of: z.string().optional(),
  contested: z.array(z.string()).optional(),
  staged: z.string().optional(),
  category: z.string().optional(),
  place: z.string().optional(),
});
export type VerdictOut = z.input<typeof verdictOut>;

/** What is not even well formed is refused like the rest: to a model it is one more reason to say it otherwise. */
export async function judged(session: Session, write: () => Promise<Verdict>): Promise<Verdict> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof PalimpsestError && error.code.startsWith("INVALID_"))) throw error;
    const { code, message: reason, hint } = error;
    return {
      verdict: "rejected",
      code,
      check: "shape",
      reason,
      hint,
      branch: session.branch as Verdict["branch"],
    };
  }
}

interface Filed {
  readonly category?: string | undefined;
  readonly place?: string | undefined;
}

/** A verdict as an answer; what was not stored has no id that could be used. */
export function verdictOf(
  given: Verdict,
  { names }: Seen,
  { category, place }: Filed = {},
  makes: "new" | "change" = "change",
): VerdictOut {
  const isNowhere = makes === "new" && given.verdict === "rejected";
  const { verdict, id, scope, branch, version, commit, code, of, contested, staged } = given;
  const hint =
    code === "SCOPE_NOT_VISIBLE" ? `Leave scope out, or use one of: ${names.join(", ")}.` : given.hint;
  // A field of its own would cost every client its description; the reason says it as well.
  const reason = [pastOf(given), given.reason].filter((one) => one !== undefined).join(". ") || undefined;
  return {
    verdict,
    ...(id !== undefined && !isNowhere && { id }),
    ...(scope !== undefined && !isNowhere && { scope }),
    ...(commit !== undefined && { branch }),
    ...(version !== undefined && { version }),
    ...(commit !== undefined && { commit: shortHash(commit) }),
    ...(code !== undefined && { code }),
    ...(reason !== undefined && { reason }),
    ...(hint !== undefined && { hint }),
    ...(of !== undefined && of !== id && { of }),
    ...(contested?.length && { contested: [...contested] }),
    ...(staged !== undefined && { staged }),
    ...(category !== undefined && commit !== undefined && { category }),
    ...(place !== undefined && { place }),
  };
}

/** What is no longer to be seen after a write. */
const pastOf = ({ verdict, id, replacedText }: Verdict): string | undefined =>
  verdict === "updated" && replacedText !== undefined
    ? `${id} said: ${quoted(replacedText, 400)}`
    : undefined;

type Done = "Stored" | "Updated" | "Forgot" | "Promoted";

export const tellVerdict =
  (done: Done) =>
  (answer: VerdictOut): string => {
    const { verdict, id, scope, branch, version, commit, code, reason, hint, of, contested } = answer;
    const { staged, category, place } = answer;
    const parts = [
      headOf(answer, done),
      code !== undefined && verdict !== "rejected" && `(${code})`,
      verdict === "duplicate" || verdict === "rejected" || id === undefined
        ? undefined
        : `${id}${scope === undefined ? "" : ` in ${scope}`}${branch === undefined ? "" : ` on ${branch}`}${version === undefined ? "" : `, version ${version}`}${commit === undefined ? "" : `, commit ${commit}`}.`,
      verdict === "rejected" &&
        id !== undefined &&
        `It is about ${id}${scope === undefined ? "" : ` in ${scope}`}.`,
      of !== undefined && verdict !== "duplicate" && `Compare ${of}.`,
      reason,
      contested?.length &&
        `Another version came in between; ${counted(contested.length, "field")} contested: ${contested.join(", ")}.`,
      hint !== undefined && `What to do: ${hint}`,
      staged !== undefined && `It waits as ${staged}.`,
      category !== undefined && `Category: ${category}.`,
      place !== undefined && `Its place is ${quoted(place)}.`,
    ];
    return parts.filter(Boolean).join(" ");
  };

function headOf({ verdict, id, scope, version, code, of }: VerdictOut, done: Done): string {
  switch (verdict) {
    case "rejected":
      return `Not stored (${code ?? "refused"}).`;
    case "quarantined":
      return "Not stored; a person has to look at it first:";
    case "duplicate":
      return `Already known as ${of ?? id}${id === undefined || of === undefined ? "" : ` (${id})`}${scope === undefined ? "" : ` in ${scope}`}${version === undefined ? "" : `, version ${version}`}; nothing changed.`;
    case "updated":
      return done === "Stored" ? "Renewed" : done;
    case "accepted":
      return done;
  }
}
