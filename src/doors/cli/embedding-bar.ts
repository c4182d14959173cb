import type { Store } from "../../session/index.js";
import type { Call } from "./command.js";
import { type Progress, progressBar } from "./progress.js";

/** Shows how the embedding of a store comes on, for as long as somebody waits for it. */
export async function embeddingBar({ io, out }: Call, store: Store): Promise<Progress> {
  const embedding = await store.embedding();
  const bar = progressBar(io.stderr, out.quiet, "embedding");
  const stop = embedding.onProgress(() => {
    const { embedded, waiting, phase } = embedding.state();
    if (phase === "preparing") bar.show(0);
    else if (waiting > 0) bar.show(embedded, embedded / (embedded + waiting));
  });
  return {
    show: bar.show,
    clear: () => {
      stop();
      return bar.clear();
    },
  };
}
