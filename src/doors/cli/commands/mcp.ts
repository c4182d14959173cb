import { resolve } from "node:path";
import type { Store } from "../../../session/index.js";
import { readPlainSync } from "../../../session/opening.js";
import { artifactsFrom } from "../artifacts.js";
import type { Call, Command } from "../command.js";
import { usage } from "../fail.js";
import { line, oneLine } from "../line.js";
import { withStore } from "../open.js";

/** How soon a server ends whose store was taken away. */
const LOOK_MS = 1_000;
/** After the client has closed its side, whatever still holds the process is let go. */
const EXIT_MS = 1_800;
const SHORTEST_TOKEN = 16;
const LARGEST_TOKEN = 1 << 16;

export const command: Command = {
  name: "mcp",
  summary: "serve the memory to an agent over the Model Context Protocol (stdin and stdout, or --http)",
  options: [
    { flags: "--tools <choice>", description: "default (9 tools) or full", choices: ["default", "full"] },
    {
      flags: "--compat <server>",
      description: "the tools of another server instead: server-memory, the official memory server",
      choices: ["server-memory"],
    },
    { flags: "--http <port>", description: "serve on 127.0.0.1 instead; 0 takes a free port" },
    {
      flags: "--token-file <file>",
      description:
        "with --http: the token, read anew at each request; default $PAL_MCP_TOKEN, else a new one",
    },
  ],
  examples: [
    "pal mcp",
    "pal mcp --agent orion --tools full",
    "pal mcp --http 7717",
    "pal mcp --compat server-memory",
  ],
  async run(call) {
    const { options, globals, io, out } = call;
    if (globals.operator)
      throw usage("An agent never writes with the trust of the operator.", "Leave --operator out.");
    if (options.has("compat") && options.has("tools"))
      throw usage("--compat has the tools of the other server.", "Leave --tools out.");
    const port = portOf(options.text("http"));
    const token = port === undefined ? undefined : tokenOf(call);
    return withStore(call, "creatable", async (store) => {
      const { openDoor, openGraph, serveOverHttp, serveOverStdio } = await import("../../mcp/index.js");
      const { version } = await import("../package-file.js");
      const common = {
        ...{ globals, io },
        clearance: port === undefined ? ("private" as const) : ("normal" as const),
        log: (text: string) => void out.complain([line`pal mcp: ${oneLine(text)}`]),
      };
      const door =
        options.text("compat") === undefined
          ? await openDoor(store, {
              ...{ ...common, version },
              layers: await artifactsFrom(io),
              tools: options.text("tools") === "full" ? "full" : "default",
            })
          : await openGraph(store, common);
      const loss = lossOf(store);
      if (port === undefined || token === undefined) {
        const input = io.stdin.open();
        void loss.noticed.then(() => input.destroy());
        await serveOverStdio(door, {
          input,
          write: (text) => io.stdout.write(text),
          onEnd: () => void setTimeout(() => process.exit(loss.error ? 3 : 0), EXIT_MS).unref(),
        });
      } else {
        const stopped = interrupted(call);
        const server = await serveOverHttp(door, { port, token: token.read });
        await out.complain([
          line`pal mcp: serving at ${server.url}`,
          ...(token.made === undefined ? [] : [line`pal mcp: Authorization: Bearer ${token.made}`]),
        ]);
        await Promise.race([stopped, loss.noticed]);
        await server.close();
      }
      loss.end();
      await door.close().catch((error) => {
        throw loss.error ?? error;
      });
      if (loss.error) throw loss.error;
      return 0;
    });
  },
};

/** A server outlives what is done to its store. It ends then, and says why: the next one serves what lies there. */
function lossOf(store: Store) {
  let notice: () => void = () => undefined;
  const noticed = new Promise<void>((resolve) => {
    notice = resolve;
  });
  const loss = { noticed, error: undefined as unknown, end: () => clearInterval(timer) };
  const timer = setInterval(() => {
    store.exists().catch((error: { readonly code?: unknown }) => {
      if (error.code !== "STORE_MOVED") return;
      loss.error ??= error;
      notice();
    });
  }, LOOK_MS).unref();
  return loss;
}

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
    const token = readPlainSync(path, LARGEST_TOKEN).toString().trim();
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
