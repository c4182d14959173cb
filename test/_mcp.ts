import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { ROOT } from "./_processes.js";

export const MAIN = join(ROOT, "dist/doors/cli/main.js");

/** The clients people have: today's default, today's with the newest protocol, and the first generation. */
export const GENERATIONS = ["default", "modern", "first"] as const;
export type Generation = (typeof GENERATIONS)[number];

export interface Answer {
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly data: any;
  readonly isError: boolean;
}

export interface Place {
  readonly home: string;
  readonly store: string;
  readonly work: string;
  readonly env: Record<string, string>;
  remove(): void;
}

export function place(): Place {
  const home = mkdtempSync(join(tmpdir(), "pal-mcp-"));
  const [store, work] = [join(home, "store"), join(home, "work")];
  mkdirSync(work);
  const { PAL_HOME: _, PAL_AGENT: __, PAL_SESSION: ___, PAL_BRANCH: ____, ...inherited } = process.env;
  const env = {
    ...(inherited as Record<string, string>),
    PAL_HOME: store,
    PAL_AGENT: "tester",
    NO_COLOR: "1",
  };
  return { home, store, work, env, remove: () => rmSync(home, { recursive: true, force: true }) };
}

export interface Options {
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly generation?: Generation;
}

type Call = (
  params: { name: string; arguments: Record<string, unknown> },
  options: object,
) => Promise<unknown>;

const callOf =
  (callTool: Call) =>
  async (name: string, args: Record<string, unknown> = {}, options: object = {}): Promise<Answer> => {
    const result = (await callTool({ name, arguments: args }, options)) as {
      content: { text: string }[];
      structuredContent?: unknown;
      isError?: boolean;
    };
    return {
      text: result.content.map(({ text }) => text).join("\n"),
      data: result.structuredContent,
      isError: result.isError === true,
    };
  };

/** A real client with a real server process of its own. */
export async function connect(at: Place, { args = [], cwd = at.work, generation = "default" }: Options = {}) {
  const server = {
    ...{ command: process.execPath, args: [MAIN, "mcp", ...args], cwd, env: at.env },
    stderr: "pipe" as const,
  };
  let said = "";
  const hear = (stream: NodeJS.ReadableStream | null) =>
    stream?.on("data", (part) => {
      said += part;
    });
  if (generation === "first") {
    const transport = new OldTransport(server);
    hear(transport.stderr as NodeJS.ReadableStream | null);
    const client = new OldClient({ name: "first", version: "1" });
    await client.connect(transport);
    const call = callOf((params, options) => client.callTool(params, undefined, options));
    const onUpdate = (then: (uri: string) => void) =>
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => then(params.uri));
    // What the tests use of both clients has the same names and shapes.
    return { client: client as unknown as Client, call, onUpdate, pid: transport.pid, stderr: () => said };
  }
  const transport = new StdioClientTransport(server);
  hear(transport.stderr as NodeJS.ReadableStream | null);
  const client = new Client(
    { name: generation, version: "1" },
    generation === "modern" ? { versionNegotiation: { mode: "auto" } } : {},
  );
  await client.connect(transport);
  const call = callOf((params, options) => client.callTool(params, options));
  const onUpdate = (then: (uri: string) => void) =>
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => then(params.uri));
  return { client, call, onUpdate, pid: transport.pid, stderr: () => said };
}

/** The server alone, its lines as they come. */
export function bare(at: Place, args: readonly string[] = []) {
  const child: ChildProcess = spawn(process.execPath, [MAIN, "mcp", ...args], { cwd: at.work, env: at.env });
  let [out, err] = ["", ""];
  child.stdout?.on("data", (part) => {
    out += part;
  });
  child.stderr?.on("data", (part) => {
    err += part;
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const send = (...messages: object[]) =>
    child.stdin?.write(messages.map((one) => `${JSON.stringify({ jsonrpc: "2.0", ...one })}\n`).join(""));
  return { child, send, ended, out: () => out, err: () => err };
}

export const HELLO = [
  {
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bare", version: "1" } },
  },
  { method: "notifications/initialized" },
];
