import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { escapeHidden } from "../cli/safe.js";
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

/** Why a request is turned away before anything of it is read; undefined lets it in. */
interface Refused {
  readonly status: 400 | 401 | 403 | 404 | 405 | 413 | 415 | 429;
  readonly reason: string;
}

interface Guard {
  readonly port: number;
  /** Asked at each request, so that a new token counts at once. */
  token(): string;
  /** Whether one more request is within the rate. */
  allows(): boolean;
}

const PATH = "/mcp";
/** A memory has at most 64 KB; the rest is room for what JSON adds. */
const MOST_BYTES = 1_048_576;

/**
 * Loopback is not a wall: any page in a browser can reach it, and names can be made to point there. So the host and the
 * origin have to be this very server, and everybody needs the token.
 */
function refusal(request: IncomingMessage, guard: Guard): Refused | undefined {
  const { headers, method, url = "" } = request;
  const hosts = [`127.0.0.1:${guard.port}`, `localhost:${guard.port}`, `[::1]:${guard.port}`];
  if (countOf(request, "host") !== 1 || !hosts.includes(headers.host ?? ""))
    return { status: 403, reason: "This host is not served here." };
  const { origin } = headers;
  if (
    countOf(request, "origin") > 1 ||
    (origin !== undefined && !hosts.some((host) => origin === `http://${host}`))
  )
    return { status: 403, reason: "This origin may not call." };
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none")
    return { status: 403, reason: "Other sites may not call." };
  if (headers.upgrade !== undefined) return { status: 400, reason: "There is nothing to upgrade to." };
  if (countOf(request, "authorization") !== 1 || !isToken(headers.authorization ?? "", guard.token()))
    return { status: 401, reason: "Send the token as Authorization: Bearer." };
  if (!guard.allows()) return { status: 429, reason: "Too many requests; wait a moment." };
  if (url !== PATH) return { status: 404, reason: `The server is at ${PATH}.` };
  if (asksForEvents(request)) return undefined;
  if (method !== "POST") return { status: 405, reason: "Send POST." };
  if (!/^application\/json\s*(?:;|$)/i.test(headers["content-type"] ?? ""))
    return { status: 415, reason: "Send application/json." };
  if (Number(headers["content-length"] ?? 0) > MOST_BYTES) return { status: 413, reason: "Too long." };
  return undefined;
}

/** How often a header was sent; the parsed form keeps one of several and hides the rest. */
function countOf({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === name) count++;
  return count;
}

/** Compares digests, so that the time taken tells nothing of the token. */
function isToken(header: string, token: string): boolean {
  const [, given = ""] = /^Bearer (\S+)$/i.exec(header) ?? [];
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return token !== "" && timingSafeEqual(digest(given), digest(token));
}

/** So many requests at once, and so many a second after that. */
export function rateLimit(burst: number, perSecond: number, now: () => number = Date.now): () => boolean {
  let left = burst;
  let last = now();
  return () => {
    const time = now();
    left = Math.min(burst, left + ((time - last) / 1_000) * perSecond);
    last = time;
    if (left < 1) return false;
    left--;
    return true;
  };
}

/** One client has one or two; what asks for more is not served rather than allowed to hold connections for ever. */
const MOST = 32;

/** Does this request ask to be told of changes, as clients of the older protocol do? */
const asksForEvents = ({ method, headers }: IncomingMessage): boolean =>
  method === "GET" && /(?:^|[\s,])text\/event-stream\s*(?:[;,]|$)/i.test(headers.accept ?? "");

/** Connections of the older protocol that are kept open to tell of changes. The newer has a request for that. */
class Streams {
  readonly #open = new Set<ServerResponse>();

  /** False when there are too many. */
  add(response: ServerResponse): boolean {
    if (this.#open.size >= MOST) return false;
    this.#open.add(response);
    response.once("close", () => this.#open.delete(response));
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.flushHeaders();
    return true;
  }

  tell(method: string, params?: { readonly uri: string }): void {
    const message = { jsonrpc: "2.0", method, ...(params && { params }) };
    for (const stream of this.#open)
      stream.write(`event: message\ndata: ${escapeHidden(JSON.stringify(message))}\n\n`);
  }

  end(): void {
    for (const stream of this.#open) stream.end();
  }
}
