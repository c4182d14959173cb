export { type ForgeOptions, forgeArtifacts } from "./forge.js";
export { type GitOptions, gitArtifacts } from "./git.js";
export { type ArtifactLayerOptions, artifactLayer } from "./layer.js";
export type { Artifact, ArtifactQuery, ArtifactSource } from "./port.js";
