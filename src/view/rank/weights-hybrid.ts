import type { Weights } from "./weights.js";

export const HYBRID: Weights = { provenance: "", byFeature: { words: 1 } };
