/** recall: answers from memory, or the word that there is none. */

export { type ForgeOptions, forgeArtifacts } from "./artifacts/forge.js";
export { type GitOptions, gitArtifacts } from "./artifacts/git.js";
export { type ArtifactLayerOptions, artifactLayer } from "./artifacts/layer.js";
export type { Artifact, ArtifactQuery, ArtifactSource } from "./artifacts/port.js";
export { HONEST, POSSIBLE } from "./compose.js";
export type { LayerName } from "./detect/cue.js";
export { type Detection, detectRecall } from "./detect/detect-recall.js";
export { type ReadItem, readEnvelopes, withoutEnvelopes } from "./envelope.js";
export type { Citation, Disagreement, Layer, LayerAnswer, LayerStatus, TraceItem } from "./layers.js";
export type { ContextOptions, PlaybookOptions, RecallOptions, WakeUpOptions } from "./options.js";
export { type PromptBlockOptions, promptBlock } from "./prompt-block.js";
export type { ContextBlock } from "./verbs/context.js";
export type { PlaybookAnswer } from "./verbs/playbooks.js";
export type { CitedMemory, Recall } from "./verbs/recall.js";
export type { WakeUp } from "./verbs/wake-up.js";
export type { Derived, Support, Why, WhyCommands } from "./verbs/why.js";
export { recallVerbs } from "./verbs.js";
export type { Loaded } from "./wake-up.js";
