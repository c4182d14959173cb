import { action, checkGiven, shape, text } from "../../repo/index.js";
import { type Model, tokensIn, unavailable } from "./port.js";

/** What we need of a model object of the AI SDK (specification v2 or v3); the package itself is never loaded. */
export interface AiSdkModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  // biome-ignore lint/suspicious/noExplicitAny: versions of the specification differ in the shape of both
  doGenerate(options: any): PromiseLike<any>;
}

type Count = number | { readonly total?: number } | undefined;
const count = (given: Count): number | undefined => (typeof given === "object" ? given.total : given);

/** A model of the AI SDK, as `openai("…")` or any provider makes it. Its own retries apply to nothing: we ask once. */
export function aiSdkModel(model: AiSdkModel): Model {
  checkGiven(
    "aiSdkModel",
    { model },
    { model: shape({ provider: text, modelId: text, doGenerate: action }) },
  );
  return {
    id: `${model.provider}/${model.modelId}`,
    local: false,
    ask: async ({ system, prompt, schema, task, maxTokens, signal }) => {
      try {
        const { content, usage } = (await model.doGenerate({
          prompt: [
            { role: "system", content: system },
            { role: "user", content: [{ type: "text", text: prompt }] },
          ],
          maxOutputTokens: maxTokens,
          temperature: 0,
          responseFormat: { type: "json", schema, name: task.replace(/[^\w-]/g, "_") },
          abortSignal: signal,
        })) as {
          content: { type: string; text?: string }[];
          usage?: { inputTokens?: Count; outputTokens?: Count };
        };
        const text = content.flatMap((part) => (part.type === "text" ? [part.text ?? ""] : [])).join("");
        return {
          text,
          tokensIn: count(usage?.inputTokens) ?? tokensIn(system + prompt),
          tokensOut: count(usage?.outputTokens) ?? tokensIn(text),
        };
      } catch (error) {
        signal?.throwIfAborted();
        throw unavailable(`${model.provider} failed: ${(error as Error).message}.`, error);
      }
    },
  };
}
