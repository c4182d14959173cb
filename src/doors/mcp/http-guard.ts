import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { asksForEvents } from "./http-streams.js";

/** Why a request is turned away before anything of it is read; undefined lets it in. */
export interface Refused {
  readonly status: 400 | 401 | 403 | 404 | 405 | 413 | 415 | 429;
  readonly reason: string;
}

export interface Guard {
  readonly port: number;
  /** Asked at each request, so that a new token counts at once. */
  token(): string;
  /** Whether one more request is within the rate. */
  allows(): boolean;
}

export const PATH = "/mcp";
/** A memory has at most 64 KB; the rest is room for what JSON adds. */
export const MOST_BYTES = 1_048_576;

/**
 * Loopback is not a wall: any page in a browser can reach it, and names can be made to point there. So the host and the
 * origin have to be this very server, and everybody needs the token.
 */
export function refusal(request: IncomingMessage, guard: Guard): Refused | undefined {
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
