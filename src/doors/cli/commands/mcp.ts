import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Call, Command } from "../command.js";
import { usage } from "../fail.js";
import { line, oneLine } from "../line.js";
import { withStore } from "../open.js";

/** After the client has closed its side, whatever still holds the process is let go. */
const EXIT_MS = 1_500;
const SHORTEST_TOKEN = 16;

export const command: Command = {
  name: "mcp",
  summary: "serve the memory to an agent over the Model Context Protocol (stdin and stdout, or --http)",
  options: [
    { flags: "--tools <choice>", description: "default (7 tools) or full", choices: ["default", "full"] },
    { flags: "--http <port>", description: "serve on 127.0.0.1 instead; 0 takes a free port" },
    {
      flags: "--token-file <file>",
      description:
        "with --http: the token, read anew at each request; default $PAL_MCP_TOKEN, else a new one",
    },
  ],
  examples: ["pal mcp", "pal mcp --agent orion --tools full", "pal mcp --http 7717"],
  async run(call) {
    const { options, globals, io, out } = call;
    if (globals.operator)
      throw usage("An agent never writes with the trust of the operator.", "Leave --operator out.");
    const port = portOf(options.text("http"));
    const token = port === undefined ? undefined : tokenOf(call);
    return withStore(call, "creatable", async (store) => {
      const { openDoor, serveOverHttp, serveOverStdio, startHeartbeat } = await import("../../mcp/index.js");
      const { version } = await import("../version.js");
      const door = openDoor(store, {
        globals,
        io,
        version,
        tools: options.text("tools") === "full" ? "full" : "default",
        clearance: port === undefined ? "private" : "normal",
        log: (text) => void out.complain([line`pal mcp: ${oneLine(text)}`]),
      });
      const endHeartbeat = startHeartbeat(door, io);
      if (port === undefined || token === undefined) {
        await serveOverStdio(door, {
          input: io.stdin.open(),
          write: (text) => io.stdout.write(text),
          onEnd: () => void setTimeout(() => process.exit(0), EXIT_MS).unref(),
        });
      } else {
        const stopped = interrupted(call);
        const server = await serveOverHttp(door, { port, token: token.read });
        await out.complain([
          line`pal mcp: serving at ${server.url}`,
          ...(token.made === undefined ? [] : [line`pal mcp: Authorization: Bearer ${token.made}`]),
        ]);
        await stopped;
        await server.close();
      }
      endHeartbeat();
      await door.close();
      return 0;
    });
  },
};

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw usage(`--http takes a port, not ${JSON.stringify(text)}.`, "For example --http 7717.");
}

interface Token {
  read(): string;
  /** Set when it was made now and somebody has to be told. */
  readonly made?: string;
}

function tokenOf({ options, io }: Call): Token {
  const file = options.text("tokenFile");
  const given = io.env.PAL_MCP_TOKEN;
  if (file === undefined && given !== undefined && given.length < SHORTEST_TOKEN)
    throw usage("$PAL_MCP_TOKEN is too short to be a secret.", `Use at least ${SHORTEST_TOKEN} characters.`);
  if (file === undefined && given !== undefined) return { read: () => given };
  if (file !== undefined) {
    const path = resolve(io.cwd, file);
    return { read: () => secretIn(path) };
  }
  const made = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
  return { read: () => made, made };
}

/** A file that is gone, or too short to be a secret, lets nobody in. */
function secretIn(path: string): string {
  try {
    const token = readFileSync(path, "utf8").trim();
    return token.length < SHORTEST_TOKEN ? "" : token;
  } catch {
    return "";
  }
}

const interrupted = ({ io }: Call): Promise<void> =>
  new Promise((stop) => {
    io.onInterrupt(stop);
    process.once("SIGTERM", () => stop());
  });
