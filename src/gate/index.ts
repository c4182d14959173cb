/** gate: what judges a write. */

export {
  type Derivation,
  isInjected,
  type Neighbourhood,
  NOTHING_NEAR,
  type Principal,
  taintedBy,
  trustOf,
} from "./check.js";
export { isSingleValued } from "./checks/contradiction.js";
export { likeness, resemblance } from "./checks/duplicate.js";
export { journalSignal } from "./checks/journal.js";
export { assertNameHoldsNothing, cleanJson, cleanText, recheck } from "./checks/secrets.js";
export { type AutoAccept, type GateConfig, type Mode, type Modes, type Rules, rulesOf } from "./config.js";
export type { Kind } from "./detect/rule.js";
export { CHECKS, comparesBeliefs, type Judgement, judge } from "./gate.js";
export { tellsAnother } from "./likeness/difference.js";
export { fold } from "./likeness/fold.js";
export { tellsItsOwn, tellsOtherThing } from "./likeness/gaps.js";
export { read } from "./likeness/reading.js";
export { relationOf } from "./likeness/relation.js";
export { checkShape, type MemoryChange, type MemoryInput } from "./shape.js";
export {
  type AnyVerdict,
  type KnownVerdict,
  quarantine,
  type Refusal,
  type RefusalCode,
  type RefusedVerdict,
  refuse,
  strengthened,
  type Verdict,
  type VerdictKind,
} from "./verdict.js";
