import { setFlagsFromString } from "node:v8";
import type { EmbeddingControl, Store } from "../../session/index.js";
import type { Call } from "./command.js";
import { CliError } from "./fail.js";
import type { Io } from "./io.js";
import { line } from "./line.js";
import { plural } from "./show.js";
import { cut } from "./width.js";

export interface Progress {
  /** `fraction` is undefined when nobody knows how much there is; `doing` is said instead of what is done as a whole. */
  show(done: number, fraction?: number, doing?: string): void;
  clear(): Promise<void>;
}

const WIDTH = 24;
const EVERY_MS = 80;
/** Before that a rate is a guess. */
const SURE_MS = 500;
/** Before either, what is left is a guess: work begins slowly, and a wrong half hour frightens people away. */
const ENOUGH = { part: 0.05, ms: 15_000 };

/** A bar that somebody looks at, or nothing. A dumb terminal cannot take a line back. */
export function progressBar(
  { stderr: output, env }: Pick<Io, "stderr" | "env">,
  quiet: boolean,
  label: string,
  unit = inNumbers,
): Progress {
  if (quiet || !output.isTTY || env.TERM === "dumb") return { show() {}, async clear() {} };
  const started = performance.now();
  let last = 0;
  let shown: string | undefined;
  return {
    show(done, fraction, doing = label) {
      const now = performance.now();
      if (shown === doing && now - last < EVERY_MS) return;
      last = now;
      shown = doing;
      const text = cut(barText(doing, done, fraction, now - started, unit), (output.columns ?? 80) - 1);
      void output.write(`\r${text}\u001b[K`);
    },
    async clear() {
      if (shown !== undefined) await output.write("\r\u001b[K");
    },
  };
}

/** How what is counted is told: a number of things, or a size. */
const inNumbers = (count: number): string =>
  count.toLocaleString(
    "en-US",
    count < 1_000 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 },
  );

export function barText(
  label: string,
  done: number,
  fraction: number | undefined,
  elapsedMs = 0,
  unit = inNumbers,
): string {
  const count = unit(done);
  const isSure = elapsedMs >= SURE_MS && done > 0;
  const perSecond = (done * 1000) / elapsedMs;
  const rate = isSure ? `  ${unit(perSecond)}/s` : "";
  if (fraction === undefined || !Number.isFinite(fraction))
    return done === 0 ? line`${label}`.text : line`${label}  ${count}${rate}`.text;
  const part = Math.min(1, Math.max(0, fraction));
  const full = Math.round(part * WIDTH);
  const isTold = isSure && part > 0 && (part >= ENOUGH.part || elapsedMs >= ENOUGH.ms);
  const left = isTold ? `  ${duration((elapsedMs * (1 - part)) / part)} left` : "";
  return line`${label}  ${"━".repeat(full)}${"─".repeat(WIDTH - full)} ${`${Math.floor(part * 100)}%`.padStart(4)}  ${count}${rate}${left}`
    .text;
}

export function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${String(seconds % 60).padStart(2, "0")} s`
    : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

/** Work that takes its time, with a bar, and a way to stop it. */
export interface LongWork extends Progress {
  /** As `show`, and ends work that knows no signal: after Ctrl-C it throws. */
  readonly step: Progress["show"];
  /** The same for work that says how much there is. */
  readonly of: (done: number, total: number | undefined) => void;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/**
 * Runs something long with a bar. Work that ends with an error after Ctrl-C is said to be interrupted (exit 130), with
 * what became of it until then; work that answers all the same has its answer told.
 */
export async function withProgress<T>(
  { io, out }: Pick<Call, "io" | "out">,
  label: string,
  kept: (done: number) => string,
  work: (tools: LongWork) => Promise<T>,
  unit = inNumbers,
): Promise<T> {
  leanHeap();
  const bar = progressBar(io, out.quiet, label, unit);
  const stop = new AbortController();
  const ignore = io.onInterrupt(() => stop.abort());
  let seen = 0;
  const show: Progress["show"] = (done, fraction, doing) => {
    seen = done;
    bar.show(done, fraction, doing);
  };
  const step: Progress["show"] = (done, fraction) => {
    show(done, fraction);
    stop.signal.throwIfAborted();
  };
  try {
    const of: LongWork["of"] = (done, total) => step(done, total === undefined ? undefined : done / total);
    return await work({ show, step, of, clear: bar.clear, signal: stop.signal });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    throw new CliError("INTERRUPTED", `Interrupted: ${kept(seen)}.`, "Run it again to finish.", 130);
  } finally {
    ignore();
    await bar.clear();
  }
}

/**
 * Work that need not be waited for when it is ended, because it changes nothing or what it changes is whole at any time.
 * `graceMs` lets it finish what is nearly done.
 */
export function orEnded<T>(signal: AbortSignal, work: Promise<T>, graceMs = 0): Promise<T> {
  const ended = new Promise<never>((_, end) => {
    const later = () => void setTimeout(() => end(signal.reason), graceMs);
    signal.addEventListener("abort", later, { once: true });
  });
  return Promise.race([work, ended]);
}

/** A batch takes about as long; what is prepared before the first may take much longer, and nobody waits for that. */
const BATCH_MS = 1_500;

/** Runs what waits for vectors, with a bar of how the embedding comes on; Ctrl-C ends it after the batch under way. */
export async function whileEmbedding<T>(
  call: Call,
  store: Store,
  work: (embedding: EmbeddingControl) => Promise<T>,
): Promise<T> {
  const embedding = await store.embedding();
  const kept = (done: number) => `${plural(done, "memory", "memories")} embedded and kept`;
  return withProgress(call, "embedding", kept, async ({ show, signal }) => {
    // What had its vectors before is no work of this run.
    let before: number | undefined;
    const stop = embedding.onProgress(() => {
      const { embedded, waiting, phase } = embedding.state();
      if (phase === "preparing") return show(0, undefined, "preparing the model, once");
      before ??= embedded;
      const done = embedded - before;
      if (done > 0) show(done, done / (done + waiting));
    });
    signal.addEventListener("abort", () => embedding.pause(), { once: true });
    try {
      const answer = await orEnded(signal, work(embedding), BATCH_MS);
      signal.throwIfAborted();
      return answer;
    } finally {
      stop();
    }
  });
}

/** The newest engine of which it is known that it has the flag; one that has not would say so on stderr. */
const KNOWN = 14;

/**
 * For work that goes through everything: what is held stays small, but the engine lets garbage grow to several times of it
 * before it looks. Looking more often costs a few percent of the time and saves half of the memory.
 */
function leanHeap(): void {
  if (Number.parseInt(process.versions.v8, 10) <= KNOWN) setFlagsFromString("--heap-growing-percent=30");
}
