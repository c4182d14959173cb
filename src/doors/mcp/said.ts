import { type MemoryInput, PalimpsestError } from "../../session/index.js";

interface Saying {
  readonly text?: string | undefined;
  readonly subject?: string | undefined;
  readonly predicate?: string | undefined;
  readonly object?: string | undefined;
}

/** The text or the triple of a call; a triple has three parts or it is none. */
export function said({ text, subject, predicate, object }: Saying): Pick<MemoryInput, "text" | "triple"> {
  const triple =
    subject !== undefined && predicate !== undefined && object !== undefined
      ? { subject, predicate, object }
      : undefined;
  if (!triple && (subject ?? predicate ?? object) !== undefined)
    throw new PalimpsestError("INVALID_FIELD", "A triple needs subject, predicate and object.", {
      hint: "Give all three, or say it as one sentence in text.",
    });
  return { ...(text !== undefined && { text }), ...(triple && { triple }) };
}
