import { contestedIn, disagreements } from "./disagree.js";
import type { Citation, Disagreement, Layer, LayerAnswer, TraceItem } from "./layers.js";

export interface Walk {
  /** The layer that ended the walk, or came nearest to it; none when all were empty. */
  readonly hit?: Hit;
  /** Did the judge look at what memory found? */
  readonly isJudged: boolean;
  /** What came nearest while nothing was enough. */
  readonly nearest?: Citation;
  readonly trace: readonly TraceItem[];
  readonly disagreements: readonly Disagreement[];
}

interface Hit {
  readonly layer: Layer["name"];
  readonly citations: readonly Citation[];
  readonly isCertain: boolean;
}

/** Asks the layers in order until one answers. What one could not be asked stays in the trace. */
export async function walk(question: string, layers: readonly Layer[]): Promise<Walk> {
  const trace: TraceItem[] = [];
  const misses: Citation[] = [];
  const answers = new Map<Layer, LayerAnswer>();
  const ask = async (layer: Layer): Promise<LayerAnswer> => {
    const answer = answers.get(layer) ?? (await asked(layer, question, trace));
    answers.set(layer, answer);
    return answer;
  };
  let hit: (Hit & { readonly at: number }) | undefined;
  for (const [at, layer] of layers.entries()) {
    const { status, found, isCertain = false } = await ask(layer);
    const isHit = status === "hit";
    if (isHit || (status === "possible" && !hit)) {
      hit = { layer: layer.name, citations: found, isCertain: isHit && isCertain, at };
    } else if (found[0]) misses.push(found[0]);
    if (isHit) break;
  }
  const nearest = hit ? undefined : misses.sort((a, b) => b.score - a.score)[0];
  const isJudged = [...answers.values()].some((answer) => answer.isJudged);
  if (!hit) return { ...(nearest && { nearest }), isJudged, trace, disagreements: [] };
  const later = layers.slice(hit.at + 1).filter((other) => other.isNamedIn?.(question));
  const against = contestedIn(hit.citations);
  for (const layer of later) {
    const { status, found } = await ask(layer);
    if (status !== "unavailable") against.push(...disagreements(hit.citations, found));
  }
  return { hit, isJudged, trace, disagreements: against };
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
