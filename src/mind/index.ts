/** mind: facts from conversations, contradictions, personas and what models cost. */

export type { Decision } from "./conflict.js";
export type { Fact } from "./fact.js";
export type { Finding, FindingKind } from "./findings.js";
export type { Message } from "./message.js";
export { Mind } from "./mind-host.js";
export { type AiSdkModel, aiSdkModel } from "./model/ai-sdk.js";
export type { Budget, DaySpent, Spent } from "./model/budget.js";
export { type ChatOptions, chatModel } from "./model/chat.js";
export type { Cost } from "./model/cost.js";
export type { Model, ModelAnswer, ModelRequest } from "./model/port.js";
export type { Patience } from "./model/retry.js";
export type { MindOptions } from "./options.js";
export type { PersonaScore } from "./persona.js";
export type { ConsolidateOptions, ConsolidationReport } from "./verbs/consolidate.js";
export type {
  ConsolidationCandidate,
  ConsolidationOptions,
  DeletionProposal,
} from "./verbs/consolidation.js";
export type { Figures, FiguresOptions } from "./verbs/figures.js";
export type { HandOver, HandOverOptions, TakenOver } from "./verbs/hand-over.js";
export type { Heartbeat, HeartbeatOptions } from "./verbs/heartbeat.js";
export type { PersonaAnswer } from "./verbs/persona.js";
export type { ConversationOptions, ConversationReport, FactOutcome } from "./verbs/process-conversation.js";
export type { Reflection, ReflectOptions, ReflectReport } from "./verbs/reflect.js";
export type { VaultStats } from "./verbs/vault-stats.js";
