import { PalimpsestError } from "../../core/base/index.js";
import { cacheFolder, type EncoderThreads } from "../../encoder/index.js";
import type { MiniLmOptions } from "./minilm.js";
import type { OllamaOptions } from "./ollama.js";
import type { OpenAiOptions } from "./openai.js";
import type { Embedder } from "./port.js";

/** Which embedder is wanted: an own one, a name as `$PAL_EMBEDDER` takes it, or a name with its settings. */
export type EmbedderChoice =
  | Embedder
  | string
  | ({ readonly use: "minilm" } & Partial<MiniLmOptions>)
  | ({ readonly use: "openai" } & OpenAiOptions)
  | ({ readonly use: "ollama" } & OllamaOptions)
  | { readonly use: "none" };

export interface LoadOptions {
  /** Called when the model is made ready for the first time on this machine, which takes a second or two. */
  readonly onPreparing?: () => void;
  /** Ends the wait for a service. */
  readonly signal?: AbortSignal;
}

type Settings = Exclude<EmbedderChoice, Embedder | string>;

/**
 * Loads the embedder that was chosen, and nothing of the others; undefined for `none`. A name is `minilm`, `openai`,
 * `ollama` or `none`, for a service with `:model` behind it.
 */
export async function loadEmbedder(
  choice?: EmbedderChoice,
  { onPreparing, signal }: LoadOptions = {},
): Promise<Embedder | undefined> {
  if (typeof choice === "object" && "embed" in choice) return choice;
  const settings =
    typeof choice === "object" ? choice : parse(choice ?? (process.env.PAL_EMBEDDER || "minilm"));
  switch (settings.use) {
    case "none":
      return undefined;
    case "openai":
      return (await import("./openai.js")).openAiEmbedder(settings, signal);
    case "ollama":
      return (await import("./ollama.js")).ollamaEmbedder(settings, signal);
    case "minilm": {
      const { miniLmEmbedder } = await import("./minilm.js");
      const cacheDir = settings.cacheDir ?? (await cacheFolder());
      return miniLmEmbedder({ ...(onPreparing && { onPreparing }), ...settings, cacheDir });
    }
  }
}

function parse(name: string): Settings {
  const [use, ...rest] = name.split(":");
  const model = rest.join(":");
  const named = model === "" ? {} : { model };
  if (use === "openai" || use === "ollama") return { use, ...named };
  if ((use === "minilm" || use === "none") && model === "") return { use };
  throw new PalimpsestError("INVALID_VALUE", `There is no embedder ${JSON.stringify(name)}.`, {
    hint: "Choose minilm, openai, openai:<model>, ollama, ollama:<model> or none.",
  });
}

/** The threads of an embedder that runs in some here, for others that run the same engine. */
export const threadsOf = (embedder: Embedder | undefined): EncoderThreads | undefined =>
  (embedder as { readonly threads?: EncoderThreads } | undefined)?.threads;
