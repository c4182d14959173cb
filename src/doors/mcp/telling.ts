import { type MemoryInput, PalimpsestError, tokensOf } from "../../session/index.js";
import { visible } from "../cli/safe.js";

/** At most so many characters, whole ones. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, Math.max(0, most - 1)).replace(/[\uD800-\uDBFF]$/u, "")}…`;
}

/** A text somebody stored, as a quotation on one line: it can neither end its line nor its quotes. */
export const quoted = (text: string, most = Number.POSITIVE_INFINITY): string =>
  JSON.stringify(cut(visible(text), most));

/** The same without the quotes, for names among other words. */
export const bare = (text: string): string => quoted(text).slice(1, -1);

/** A value whose strings hold nothing hidden. */
export function shown<T>(value: T): T {
  if (typeof value === "string") return visible(value) as T;
  if (Array.isArray(value)) return value.map(shown) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (one === undefined ? [] : [[visible(key), shown(one)]])),
  ) as T;
}

export interface Fitted<T> {
  readonly items: readonly T[];
  /** How many did not fit. */
  readonly left: number;
}

/**
 * As many items as fit a budget of tokens, in order. The first always comes, with its text cut to what there is:
 * an answer that says nothing helps nobody.
 */
export function fitting<T extends { readonly text?: string | undefined }>(
  items: readonly T[],
  budget: number,
): Fitted<T> {
  const taken: T[] = [];
  let room = budget;
  for (const item of items) {
    const cost = tokensOf(JSON.stringify(shown(item)));
    if (cost > room) {
      if (taken.length === 0) taken.push(shortened(item, cost - room));
      break;
    }
    room -= cost;
    taken.push(item);
  }
  return { items: taken, left: items.length - taken.length };
}

function shortened<T extends { readonly text?: string | undefined }>(item: T, tooMany: number): T {
  const { text = "" } = item;
  const perToken = text.length / Math.max(1, tokensOf(JSON.stringify(visible(text))));
  return { ...item, text: cut(text, Math.max(40, Math.floor(text.length - (tooMany + 2) * perToken))) };
}

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

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
