/** gate: what may enter, and in which form. One gate for every write. */
export { judge, LIMITS, type Writer } from "./checks.js";
export type { MemoryChange, MemoryInput } from "./input.js";
export { checkShape } from "./shape.js";
export { type Refusal, type RefusalCode, refuse, type Verdict, type VerdictKind } from "./verdict.js";
