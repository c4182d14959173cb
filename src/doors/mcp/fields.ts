import * as z from "zod";
import type { Field } from "../../session/index.js";

/** Arguments that several tools take. Lengths are bounded here; what a memory may be is the gate's to say. */
export const id = z.string().min(1).max(512);
export const branchName = z.string().min(1).max(128);
export const scopeWord = z.string().max(160);
export const home = scopeWord.optional();
export const budget = z.int().min(100).max(20_000).default(2_000);
export const limit = z.int().min(1).max(100).default(10);

/** How much of an argument a door takes: characters of a text, or the size of a number. */
interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

/**
 * An argument that is an option of a verb: of what kind it is, and what may be chosen, is the verb's to say. What an option
 * means is said where a model would not guess it: each such sentence costs every conversation.
 */
export const argument = <T>(option: Field<T>, bounds: Bounds = {}) =>
  schemaOf(option, bounds).optional() as z.ZodOptional<z.ZodType<Exclude<T, undefined>>>;

function schemaOf({ form, choices = [] }: Field<never> | Field, { min, max }: Bounds): z.ZodType {
  if (form === "flag") return z.boolean();
  if (form === "choice") return z.enum(choices);
  if (form === "list") return z.array(z.string());
  if (form === "json") return z.record(z.string(), z.json());
  const kind = form === "text" ? z.string() : form === "count" ? z.int() : z.number();
  return between(kind, form === "count" ? (min ?? 1) : min, max);
}

function between(kind: z.ZodString | z.ZodNumber | z.ZodInt, min?: number, max?: number): z.ZodType {
  const from = min === undefined ? kind : kind.min(min);
  return max === undefined ? from : from.max(max);
}

export const part = z.string().min(1).max(1_200);
/** What is said, in either form. */
export const saying = {
  text: z.string().min(1).max(70_000).optional().describe("one whole sentence"),
  subject: part.optional(),
  predicate: part.optional(),
  object: part.optional(),
};
export const about = {
  confidence: z.number().min(0).max(1).optional(),
  tags: z.array(z.string().max(128)).max(50).optional(),
};
