import { join } from "node:path";
import type { McpServer, ServerContext } from "@modelcontextprotocol/server";
import { type Model, PalimpsestError, readPlainSync } from "../../session/index.js";
import type { Door } from "./door.js";

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

const MINUTES = 30;
const LARGEST_TASKS = 1 << 20;

/** Consolidates now and then while a server runs; of all servers of a store one does it. Returns the way to end it. */
export function startHeartbeat(
  door: Door,
  { env, cwd }: { readonly env: Readonly<Record<string, string | undefined>>; readonly cwd: string },
): () => void {
  const given = env.PAL_HEARTBEAT_MINUTES;
  const minutes = given === undefined || given === "" ? MINUTES : Number(given);
  if (!(minutes > 0)) return () => undefined;
  let busy = false;
  const beat = async (): Promise<void> => {
    if (busy) return;
    busy = true;
    try {
      const tasks = tasksIn(cwd);
      const { ran, report } = await door.session.heartbeat(tasks === undefined ? {} : { tasks });
      if (ran && report && report.proposals.length > 0)
        door.log(`heartbeat: ${report.proposals.length} proposals wait for review`);
    } catch (error) {
      door.log(`heartbeat: ${(error as Error).message}`);
    } finally {
      busy = false;
    }
  };
  const timer = setInterval(() => void beat(), minutes * 60_000).unref();
  return () => clearInterval(timer);
}

/** What HEARTBEAT.md of the working directory asks for; undefined where there is none. */
function tasksIn(cwd: string): string | undefined {
  try {
    return readPlainSync(join(cwd, "HEARTBEAT.md"), LARGEST_TASKS).toString();
  } catch {
    return undefined;
  }
}
