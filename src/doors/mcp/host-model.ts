import type { McpServer, ServerContext } from "@modelcontextprotocol/server";
import { type Model, PalimpsestError } from "../../session/index.js";

/** The model of whoever called us, asked through the protocol: only where `$PAL_MODEL` is "host" and the client offers it. */
export function hostModel(server: McpServer, { mcpReq }: ServerContext): Model | undefined {
  if (process.env.PAL_MODEL !== "host") return undefined;
  if (!server.server.getClientCapabilities()?.sampling) return undefined;
  const name = server.server.getClientVersion()?.name ?? "client";
  return {
    id: `host/${name}`,
    local: false,
    ask: async ({ system, prompt, schema, maxTokens, signal }) => {
      const text = `${prompt}\n\nAnswer with JSON of this schema and nothing else:\n${JSON.stringify(schema)}`;
      try {
        const { content } = await mcpReq.requestSampling(
          {
            systemPrompt: system,
            messages: [{ role: "user", content: { type: "text", text } }],
            maxTokens,
            temperature: 0,
          },
          signal ? { signal } : {},
        );
        const parts = Array.isArray(content) ? content : [content];
        const said = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
        // The protocol counts no tokens; four bytes make one.
        const tokens = (given: string) => Math.ceil(Buffer.byteLength(given) / 4);
        return { text: said, tokensIn: tokens(system + text), tokensOut: tokens(said) };
      } catch (cause) {
        signal?.throwIfAborted();
        throw new PalimpsestError(
          "MODEL_UNAVAILABLE",
          `The client's model failed: ${(cause as Error).message}.`,
          { cause },
        );
      }
    },
  };
}
