import * as z from "zod";

/** Arguments that several tools take. Lengths are bounded here; what a memory may be is the gate's to say. */
export const id = z.string().min(1).max(512);
export const branchName = z.string().min(1).max(128);
export const scopeWord = z.string().max(160);
export const home = scopeWord.optional();
export const budget = z.int().min(100).max(20_000).default(2_000);
export const limit = z.int().min(1).max(100).default(10);

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
