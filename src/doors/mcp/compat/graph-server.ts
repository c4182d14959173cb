import {
  type CallToolResult,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { type KnowledgeGraph, PalimpsestError } from "../../../session/index.js";
import { safeJson, visible } from "../../cli/safe.js";
import type { Following, Serving } from "../serving.js";
import { GRAPH_TOOLS, type GraphTool } from "./graph-tools.js";

export const GRAPH_URI = "memory://knowledge-graph";
const RESOURCE = {
  name: "knowledge-graph",
  title: "Knowledge Graph",
  uri: GRAPH_URI,
  description: "The full knowledge graph with all entities and relations",
  mimeType: "application/json",
};

/** The official memory server's interface over a graph in our store. Clients are told its name, because some look at it. */
export function makeGraphServer(graph: KnowledgeGraph, following: Following, log: Serving["log"]): Server {
  const server = new Server(
    { name: "memory-server", version: "0.6.3" },
    { capabilities: { resources: { subscribe: true, listChanged: true }, tools: { listChanged: true } } },
  );
  server.setRequestHandler("tools/list", () => ({ tools: listed() as never }));
  server.setRequestHandler("tools/call", async ({ params }, ctx: ServerContext) => {
    const tool = GRAPH_TOOLS.find(({ name }) => name === params.name);
    if (!tool) return failed(`MCP error -32602: Tool ${params.name} not found`);
    const given = tool.input.safeParse(params.arguments ?? {});
    if (!given.success)
      return failed(
        `MCP error -32602: Input validation error: Invalid arguments for tool ${tool.name}: ${given.error.issues.map(told).join("\n")}`,
      );
    try {
      const { text, data } = await tool.run(graph, given.data);
      return { content: [{ type: "text", text }], structuredContent: data } as CallToolResult;
    } catch (error) {
      if (ctx.mcpReq.signal.aborted) return failed("Cancelled.");
      if (error instanceof PalimpsestError) return failed(error.message);
      log(`unexpected: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      return failed("Something went wrong inside the server; nothing is known to be written.");
    }
  });
  server.setRequestHandler("resources/list", () => ({ resources: [RESOURCE] }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] }));
  server.setRequestHandler("resources/read", async ({ params }) => {
    if (params.uri !== GRAPH_URI) throw new ResourceNotFoundError(params.uri);
    const { mimeType } = RESOURCE;
    return { contents: [{ uri: GRAPH_URI, mimeType, text: safeJson(await graph.read(), 2) }] };
  });
  server.setRequestHandler("resources/subscribe", async ({ params }) => {
    await following.follow(params.uri);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params }) => {
    following.unfollow(params.uri);
    return {};
  });
  return server;
}

const failed = (text: string): CallToolResult => ({
  content: [{ type: "text", text: visible(text) }],
  isError: true,
});

/** `Invalid input: expected string, received number at entities[0].name` */
const told = ({ message, path }: { message: string; path: readonly PropertyKey[] }): string =>
  path.length === 0
    ? message
    : `${message} at ${path.reduce<string>((at, key) => (typeof key === "number" ? `${at}[${key}]` : at === "" ? String(key) : `${at}.${String(key)}`), "")}`;

let tools: readonly object[] | undefined;
/** Made once: over HTTP every request has a server of its own. */
const listed = (): readonly object[] => {
  tools ??= GRAPH_TOOLS.map(({ name, title, description, input, output, annotations }: GraphTool) => ({
    ...{ name, title, description, annotations },
    inputSchema: z.toJSONSchema(input, { target: "draft-7", io: "input" }),
    outputSchema: z.toJSONSchema(output, { target: "draft-7", io: "output" }),
    execution: { taskSupport: "forbidden" },
  }));
  return tools;
};
