/** mind: facts from conversations, contradictions, personas and what models cost. */

export type { Decision } from "./conflict.js";
export type { Fact, Message } from "./facts.js";
export type { Finding, FindingKind } from "./findings.js";
export { Mind, type MindOptions } from "./mind-host.js";
export { type AiSdkModel, aiSdkModel } from "./model/ai-sdk.js";
export type { Budget, Cost, DaySpent, Spent } from "./model/budget.js";
export { type ChatOptions, chatModel, type Patience } from "./model/chat.js";
export type { Model, ModelAnswer, ModelRequest } from "./model/port.js";
export type {
  ConsolidateOptions,
  ConsolidationOptions,
  ConversationOptions,
  FiguresOptions,
  HandOverOptions,
  HeartbeatOptions,
  ReflectOptions,
} from "./options.js";
export type { ConsolidationReport } from "./verbs/consolidate.js";
export type { ConsolidationCandidate, DeletionProposal } from "./verbs/consolidation.js";
export type { Figures } from "./verbs/figures.js";
export type { HandOver, TakenOver } from "./verbs/hand-over.js";
export type { Heartbeat } from "./verbs/heartbeat.js";
export type { PersonaAnswer, PersonaScore } from "./verbs/persona.js";
export type { ConversationReport, FactOutcome } from "./verbs/process-conversation.js";
export type { Reflection, ReflectReport } from "./verbs/reflect.js";
export type { VaultStats } from "./verbs/vault-stats.js";
export { mindVerbs } from "./verbs.js";
