/** gate: what judges a write. */

export { isSingleValued } from "./checks/contradiction.js";
export { likeness, resemblance } from "./checks/duplicate.js";
export { journalSignal } from "./checks/journal.js";
export { assertNameHoldsNothing, cleanJson, cleanText, recheck } from "./checks/secrets.js";
export { type AutoAccept, type GateConfig, type Mode, type Modes, type Rules, rulesOf } from "./config.js";
export type { Kind } from "./detect/finding.js";
export { strengthened } from "./evidence.js";
export { CHECKS, comparesBeliefs, type Judgement, judge } from "./gate.js";
export type { MemoryChange, MemoryInput } from "./input.js";
export { tellsAnother } from "./likeness/difference.js";
export { fold } from "./likeness/fold.js";
export { tellsItsOwn, tellsOtherThing } from "./likeness/gaps.js";
export { read } from "./likeness/reading.js";
export { relationOf } from "./likeness/relation.js";
export { isInjected, type Neighbourhood, NOTHING_NEAR } from "./neighbourhood.js";
export { checkShape } from "./shape.js";
export { type Derivation, taintedBy } from "./taint.js";
export { type Principal, trustOf } from "./trust.js";
export {
  type AnyVerdict,
  type KnownVerdict,
  quarantine,
  type Refusal,
  type RefusalCode,
  type RefusedVerdict,
  refuse,
  type Verdict,
  type VerdictKind,
} from "./verdict.js";
