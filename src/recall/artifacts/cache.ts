import type { Artifact, ArtifactSource } from "./port.js";

export interface CacheOptions {
  /** How long an answer is good for; default a minute. */
  readonly ttlMs?: number;
  readonly clock?: () => number;
}

const TTL_MS = 60_000;
const MOST = 200;

/** The same source, asked at most once for one question within a time. Failures are not kept, nor is anything stored. */
export function cachedArtifacts(
  source: ArtifactSource,
  { ttlMs = TTL_MS, clock = Date.now }: CacheOptions = {},
): ArtifactSource {
  const known = new Map<string, { readonly until: number; readonly found: readonly Artifact[] }>();
  return {
    name: source.name,
    async find(query, signal) {
      const key = JSON.stringify(query);
      const kept = known.get(key);
      if (kept && kept.until > clock()) return kept.found;
      const found = await source.find(query, signal);
      known.delete(key);
      known.set(key, { until: clock() + ttlMs, found });
      for (const [oldest] of known) {
        if (known.size <= MOST) break;
        known.delete(oldest);
      }
      return found;
    },
  };
}
