/** recall: what a question is, which layer answers it, and how the answer is told. Pure, but for `artifacts/`. */
export { askedFor } from "./answer/asked-for.js";
export { mayAnswer } from "./answer/may-answer.js";
export {
  type Artifact,
  type ArtifactLayerOptions,
  type ArtifactQuery,
  type ArtifactSource,
  artifactLayer,
  type ForgeOptions,
  forgeArtifacts,
  type GitOptions,
  gitArtifacts,
} from "./artifacts/index.js";
export { type BlockMemory, briefingSections, citationSections, itemOf, memorySections } from "./blocks.js";
export { compose, HONEST } from "./compose.js";
export { COVERED, coverage, isUnspaced, saysSomething, wordsHeld } from "./coverage.js";
export type { LayerName } from "./detect/cue.js";
export { type Detection, detectRecall } from "./detect/detect-recall.js";
export { withoutFrame } from "./detect/frame.js";
export { sidesOf } from "./disagree.js";
export {
  type Block,
  type EnvelopeOptions,
  envelope,
  type Item,
  type ReadItem,
  readEnvelopes,
  type Section,
  withoutEnvelopes,
} from "./envelope.js";
export type { Citation, Disagreement, Layer, LayerAnswer, LayerStatus, TraceItem } from "./layers.js";
export { isPlainlyKnown } from "./plainly-known.js";
export { secondLook } from "./second-look.js";
export { answerFrom, type LayerText } from "./texts.js";
export { cut, cutToTokens, tokensOf } from "./tokens.js";
export { type Loaded, type WakeUpParts, wakeUpSections } from "./wake-up.js";
export { type Walk, walk } from "./walk.js";
