import { contestedIn, disagreements } from "./disagree.js";
import type { Citation, Disagreement, Layer, LayerAnswer, TraceItem } from "./layers.js";

export interface Walk {
  /** The layer that ended the walk; none when none did. */
  readonly hit?: { readonly layer: Layer["name"]; readonly citations: readonly Citation[] };
  /** What came nearest while nothing was enough. */
  readonly nearest?: Citation;
  readonly trace: readonly TraceItem[];
  readonly disagreements: readonly Disagreement[];
}

/** Asks the layers in order until one answers. What one could not be asked stays in the trace. */
export async function walk(question: string, layers: readonly Layer[]): Promise<Walk> {
  const trace: TraceItem[] = [];
  const misses: Citation[] = [];
  for (const [at, layer] of layers.entries()) {
    const answer = await asked(layer, question, trace);
    if (answer.status === "hit") {
      const later = layers.slice(at + 1).filter((other) => other.isNamedIn?.(question));
      return {
        hit: { layer: layer.name, citations: answer.found },
        trace,
        disagreements: [
          ...contestedIn(answer.found),
          ...(await fresher(question, answer.found, later, trace)),
        ],
      };
    }
    const [miss] = answer.found;
    if (miss) misses.push(miss);
  }
  const nearest = misses.sort((a, b) => b.score - a.score)[0];
  return { ...(nearest && { nearest }), trace, disagreements: [] };
}

async function fresher(
  question: string,
  found: readonly Citation[],
  layers: readonly Layer[],
  trace: TraceItem[],
): Promise<Disagreement[]> {
  const all: Disagreement[] = [];
  for (const layer of layers) {
    const answer = await asked(layer, question, trace);
    if (answer.status !== "unavailable") all.push(...disagreements(found, answer.found));
  }
  return all;
}

/** A layer that throws or takes too long is unavailable: nobody may conclude from that that nothing is there. */
async function asked(layer: Layer, question: string, trace: TraceItem[]): Promise<LayerAnswer> {
  const start = performance.now();
  const answer = await withinTime(layer, question).catch(
    (error: unknown): LayerAnswer => ({
      status: "unavailable",
      best: 0,
      found: [],
      reason: error instanceof Error ? error.message : String(error),
    }),
  );
  const { status, best, reason } = answer;
  const ms = performance.now() - start;
  trace.push({ layer: layer.name, status, ms, best, ...(reason !== undefined && { reason }) });
  return answer;
}

async function withinTime({ timeoutMs, ask }: Layer, question: string): Promise<LayerAnswer> {
  if (timeoutMs === undefined) return ask(question);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`It did not answer within ${timeoutMs} ms.`)), timeoutMs);
  });
  try {
    return await Promise.race([ask(question), late]);
  } finally {
    clearTimeout(timer);
  }
}
