import { action, checkGiven, listOf, object, readOnce, shape, text } from "../../repo/index.js";
import type { Layer } from "../layers.js";
import { type CacheOptions, cachedArtifacts } from "./cache.js";
import type { ArtifactSource } from "./port.js";
import { isNamed, namedIn } from "./port.js";

export interface ArtifactLayerOptions extends CacheOptions {
  /** For all sources together; default 10 s. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;

const SOURCES = listOf(shape({ name: text, find: action }), "sources, each with a name and a way to find");

/** L3: what forges and repositories say. Asked when memory does not know, or when the question names something there. */
export function artifactLayer(sources: readonly ArtifactSource[], options: ArtifactLayerOptions = {}): Layer {
  checkGiven("artifactLayer", { sources, options }, { sources: SOURCES, options: object });
  const { timeoutMs = TIMEOUT_MS } = readOnce(options);
  const cached = sources.map((source) => cachedArtifacts(source, options));
  return {
    name: "L3",
    isNamedIn: (question) => isNamed(namedIn(question)),
    async ask(question) {
      // The ranker is loaded by whoever asks, not by everybody who imports us.
      const { askSources } = await import("./ask-sources.js");
      return askSources(cached, question, AbortSignal.timeout(timeoutMs));
    },
  };
}
