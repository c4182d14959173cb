import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { type Guard, MOST_BYTES, PATH, type Refused, rateLimit, refusal } from "./http-guard.js";
import { asksForEvents, Streams } from "./http-streams.js";
import type { Serving } from "./serving.js";
import { listenedTo } from "./watching.js";

const BURST = 200;
const PER_SECOND = 50;
const SLOW_MS = 30_000;

export interface HttpOptions {
  /** 0 takes any that is free. */
  readonly port: number;
  token(): string;
}

export interface HttpServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves whoever has the token, on this machine only. The newer protocol knows no connections, so all requests with one
 * token are one client: they share one session and its branch.
 */
export async function serveOverHttp(
  { make, watching, log }: Serving,
  { port, token }: HttpOptions,
): Promise<HttpServer> {
  const handler = createMcpHandler(() => make(), {
    maxRequestBodySize: MOST_BYTES,
    onerror: (error) => log(error.message),
  });
  const streams = new Streams();
  watching.updated = (uri) => {
    handler.notify.resourceUpdated(uri);
    streams.tell("notifications/resources/updated", { uri });
  };
  watching.listed = () => {
    handler.notify.resourcesChanged();
    streams.tell("notifications/resources/list_changed");
  };
  const serve = toNodeHandler(handler, { onerror: (error) => log(error.message) });
  const allows = rateLimit(BURST, PER_SECOND);
  let guard: Guard | undefined;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refused = guard && refusal(request, guard);
    if (refused) return turnAway(request, response, refused);
    if (asksForEvents(request)) {
      if (!streams.add(response))
        turnAway(request, response, { status: 429, reason: "Too many are being told of changes." });
      return;
    }
    const body = await bodyOf(request);
    if ("refused" in body) return turnAway(request, response, body.refused);
    for (const uri of listenedTo(body.value)) await watching.follow(uri);
    await serve(request as Parameters<typeof serve>[0], response, body.value);
  };
  const server = createServer({ requestTimeout: SLOW_MS, headersTimeout: SLOW_MS }, (request, response) => {
    answer(request, response).catch((error: Error) => {
      log(error.message);
      response.destroy();
    });
  });
  await new Promise<void>((listening, failed) => {
    server.once("error", failed);
    server.listen(port, "127.0.0.1", listening);
  });
  const address = server.address() as { port: number };
  guard = { port: address.port, token, allows };
  return {
    url: `http://127.0.0.1:${address.port}${PATH}`,
    async close() {
      streams.end();
      await handler.close();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** No header lets another origin read this, and nothing may keep it. */
function turnAway(request: IncomingMessage, response: ServerResponse, { status, reason }: Refused): void {
  request.resume();
  response.writeHead(status, {
    "content-type": "application/json",
    "cache-control": "no-store",
    connection: "close",
    ...(status === 401 && { "www-authenticate": "Bearer" }),
    ...(status === 405 && { allow: "POST, GET" }),
    ...(status === 429 && { "retry-after": "1" }),
  });
  response.end(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32_000, message: reason } }));
}

/** The body as JSON, read no further than it may be long. */
async function bodyOf(request: IncomingMessage): Promise<{ value: unknown } | { refused: Refused }> {
  const parts: Buffer[] = [];
  let length = 0;
  // Leaving the loop must not end the connection: the answer still has to go out.
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    length += part.length;
    if (length > MOST_BYTES) return { refused: { status: 413, reason: "Too long." } };
    parts.push(part);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(parts).toString("utf8"));
    return isDeep(value)
      ? { refused: { status: 400, reason: "Nested deeper than anybody reads." } }
      : { value };
  } catch {
    return { refused: { status: 400, reason: "That is not JSON." } };
  }
}

/** Deeper than any argument of a tool; whoever reads it further on calls itself for every level. */
const DEEPEST = 200;

function isDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return true;
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  }
  return false;
}
