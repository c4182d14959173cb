import * as z from "zod";
import { PalimpsestError, type Session, shortHash, type Verdict } from "../../session/index.js";
import type { Seen } from "../cli/scope-words.js";
import { counted, quoted } from "./telling.js";
import type { Told } from "./tool.js";

/** What every write answers. A refusal is an answer too: it says why, and what to do. */
export const verdictOut = z.object({
  verdict: z.enum(["accepted", "updated", "duplicate", "rejected", "quarantined"]),
  id: z.string().optional(),
  scope: z.string().optional(),
  version: z.number().optional(),
  commit: z.string().optional(),
  code: z.string().optional(),
  reason: z.string().optional(),
  hint: z.string().optional(),
  of: z.string().optional(),
  contested: z.array(z.string()).optional(),
  staged: z.string().optional(),
});

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

export function tellVerdict(
  given: Verdict,
  done: "Stored" | "Updated" | "Forgot" | "Promoted",
  { names }: Seen,
  note = "",
): Told<z.input<typeof verdictOut>> {
  const verdict =
    given.code === "SCOPE_NOT_VISIBLE"
      ? { ...given, hint: `Leave scope out, or use one of: ${names.join(", ")}.` }
      : given;
  // What was not stored has no id that could be used.
  const isNew = (done === "Stored" || done === "Promoted") && verdict.verdict === "rejected";
  const { verdict: kind, id, scope, version, commit, code, hint, of, contested, staged } = verdict;
  // A field of its own would cost every client its description; the reason says it as well.
  const reason = [pastOf(verdict), verdict.reason].filter((one) => one !== undefined).join(". ") || undefined;
  const data = {
    verdict: kind,
    ...(id !== undefined && !isNew && { id }),
    ...(scope !== undefined && !isNew && { scope }),
    ...(version !== undefined && { version }),
    ...(commit !== undefined && { commit: shortHash(commit) }),
    ...(code !== undefined && { code }),
    ...(reason !== undefined && { reason }),
    ...(hint !== undefined && { hint }),
    ...(of !== undefined && { of }),
    ...(contested?.length && { contested: [...contested] }),
    ...(staged !== undefined && { staged }),
  };
  return { data, text: textOf(verdict, done) + note };
}

/** What is no longer to be seen after a write. */
const pastOf = ({ verdict, id, replacedText }: Verdict): string | undefined =>
  verdict === "updated" && replacedText !== undefined
    ? `${id} said: ${quoted(replacedText, 400)}`
    : undefined;

function textOf(given: Verdict, done: string): string {
  const { verdict, id, scope, version, code, reason, hint, of, contested, staged, against } = given;
  const why = `${reason ?? ""}${hint === undefined ? "" : ` What to do: ${hint}`}`;
  if (verdict === "rejected") return `Not stored (${code ?? "refused"}). ${why}`;
  if (verdict === "quarantined")
    return `Not stored; a person has to look at it first${staged === undefined ? "" : ` (it waits as ${staged})`}. ${why}`;
  if (verdict === "duplicate") return `Already known as ${of ?? id}; nothing changed.`;
  const open = contested?.length
    ? ` Another version came in between; ${counted(contested.length, "field")} contested: ${contested.join(", ")}.`
    : "";
  const past = pastOf(given);
  const doubt = against === undefined ? "" : ` ${why}`;
  return `${verdict === "updated" && done === "Stored" ? "Renewed" : done} ${id} in ${scope}, version ${version}.${past === undefined ? "" : ` ${past}.`}${open}${doubt}`;
}
