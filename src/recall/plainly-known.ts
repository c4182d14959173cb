import { wordsHeld } from "./coverage.js";
import type { Walk } from "./walk.js";

/** From here on memory plainly knows, if it holds several words of the question together: one may be the world's. */
const SURE = 0.85;
const TOGETHER = 2;

/** Does memory itself answer so surely that it may speak up where nobody asked for it? */
export const isPlainlyKnown = (question: string, { hit, trace }: Walk): boolean =>
  hit?.layer === "L1" &&
  (trace.find(({ layer }) => layer === "L1")?.best ?? 0) >= SURE &&
  wordsHeld(question, hit.citations[0]?.text ?? "") >= TOGETHER;
