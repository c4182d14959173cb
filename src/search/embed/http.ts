import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { closedEmbedder, unavailable } from "./unavailable.js";

export interface Timeouts {
  readonly connectMs: number;
  readonly readMs: number;
}

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

const DEFAULTS: Timeouts = { connectMs: 5_000, readMs: 30_000 };
/** Far above any answer of vectors; below what would hurt. */
const MAX_BYTES = 256 << 20;

/** A small client for one service: JSON in and out, a limit for connecting and one for silence, all cut by close. */
export class HttpClient {
  readonly base: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #timeouts: Timeouts;
  readonly #closing = new AbortController();

  constructor(base: string, headers: Readonly<Record<string, string>> = {}, timeouts: Timeouts = DEFAULTS) {
    try {
      this.base = new URL(base.endsWith("/") ? base : `${base}/`);
    } catch (cause) {
      throw unavailable(`Not the address of a service: ${base}.`, cause);
    }
    this.#headers = headers;
    this.#timeouts = timeouts;
  }

  /** Is the service on this machine? */
  get isLocal(): boolean {
    return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(this.base.hostname);
  }

  /** Posts a value (or gets, without one) and answers what came; a failure to reach the service is unavailable. */
  async call(path: string, body?: unknown, signal?: AbortSignal): Promise<HttpAnswer> {
    signal?.throwIfAborted();
    if (this.#closing.signal.aborted) throw closedEmbedder();
    const either = signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal;
    try {
      return await this.#send(new URL(path, this.base), body, either);
    } catch (error) {
      signal?.throwIfAborted();
      if (this.#closing.signal.aborted) throw closedEmbedder();
      const { message, code } = error as NodeJS.ErrnoException;
      throw unavailable(`${this.base.origin} cannot be reached: ${message || code}.`, error);
    }
  }

  /** As `call`, for a service that has to answer with JSON and without complaint. */
  async json(path: string, body?: unknown, signal?: AbortSignal): Promise<unknown> {
    const { status, text } = await this.call(path, body, signal);
    return this.read(status, text);
  }

  /** What an answer says, if it is a good one. */
  read(status: number, text: string): unknown {
    if (status !== 200)
      throw unavailable(`${this.base.origin} answered ${status}: ${text.slice(0, 200).trim() || "nothing"}.`);
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw unavailable(`${this.base.origin} did not answer with JSON.`, cause);
    }
  }

  close(): void {
    this.#closing.abort();
  }

  #send(url: URL, body: unknown, signal: AbortSignal): Promise<HttpAnswer> {
    const { connectMs, readMs } = this.#timeouts;
    const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const headers = {
      accept: "application/json",
      ...(payload && { "content-type": "application/json", "content-length": String(payload.length) }),
      ...this.#headers,
    };
    return new Promise((resolve, reject) => {
      const send = url.protocol === "https:" ? httpsRequest : httpRequest;
      const request = send(url, { method: payload ? "POST" : "GET", headers, signal }, (response) => {
        const parts: Buffer[] = [];
        let size = 0;
        response.on("data", (part: Buffer) => {
          size += part.length;
          if (size > MAX_BYTES) request.destroy(new Error("the answer is too long"));
          else parts.push(part);
        });
        response.on("error", reject);
        response.on("end", () => {
          clearTimeout(connecting);
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString("utf8") });
        });
      });
      const connecting = setTimeout(
        () => request.destroy(new Error(`no connection within ${connectMs} ms`)),
        connectMs,
      );
      const connected = (): void => clearTimeout(connecting);
      request.on("socket", (socket) => {
        if (!socket.connecting) connected();
        else socket.once(url.protocol === "https:" ? "secureConnect" : "connect", connected);
      });
      request.setTimeout(readMs, () => request.destroy(new Error(`no answer within ${readMs} ms`)));
      request.on("error", (error) => {
        clearTimeout(connecting);
        reject(error);
      });
      request.end(payload);
    });
  }
}
