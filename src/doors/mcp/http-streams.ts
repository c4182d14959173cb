import type { IncomingMessage, ServerResponse } from "node:http";
import { escapeHidden } from "../cli/safe.js";

/** One client has one or two; what asks for more is not served rather than allowed to hold connections for ever. */
const MOST = 32;

/** Does this request ask to be told of changes, as clients of the older protocol do? */
export const asksForEvents = ({ method, headers }: IncomingMessage): boolean =>
  method === "GET" && /(?:^|[\s,])text\/event-stream\s*(?:[;,]|$)/i.test(headers.accept ?? "");

/** Connections of the older protocol that are kept open to tell of changes. The newer has a request for that. */
export class Streams {
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
