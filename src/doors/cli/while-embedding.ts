import type { EmbeddingControl, Store } from "../../session/index.js";
import type { Call } from "./command.js";
import { orEnded, withProgress } from "./progress.js";
import { plural } from "./show.js";

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
