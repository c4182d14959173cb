/** mind: what needs judgement. It only ever proposes; nothing here writes. */
export { conflictText, type Decision, isOpen, resolveByRules, type Side } from "./conflict.js";
export { extractFacts } from "./extract/extract.js";
export type { Fact } from "./fact.js";
export {
  type Belief,
  clusterFindings,
  type Finding,
  type FindingKind,
  isStronger,
  type Pair,
  pairFindings,
  singleFindings,
} from "./findings.js";
export { guarded } from "./guard.js";
export { FADED, HALF_LIFE, importance, type Weighed } from "./importance.js";
export { type Message, parseMessages } from "./message.js";
export { type AiSdkModel, aiSdkModel } from "./model/ai-sdk.js";
export { type Asked, ask, estimate, type Prompt } from "./model/ask.js";
export { type Budget, CostLedger, type DaySpent, type Purse, type Spent } from "./model/budget.js";
export { type ChatOptions, chatModel } from "./model/chat.js";
export { type Cost, FREE, isModelFailure, sumCosts } from "./model/cost.js";
export type { Model, ModelAnswer, ModelRequest } from "./model/port.js";
export type { Patience } from "./model/retry.js";
export { budgetFrom, type MindOptions, modelFrom } from "./options.js";
export {
  choosePersona,
  contentOf,
  type Persona,
  type PersonaChoice,
  type PersonaScore,
  personaScores,
} from "./persona.js";
export { plainSummary } from "./plain-summary.js";
export { CONFLICT } from "./prompts/conflict-v1.js";
export { EXTRACT, type Extracted } from "./prompts/extract-v1.js";
export { type Insight, SUMMARY } from "./prompts/summary-v1.js";
export { supported, transcripts } from "./transcript.js";
