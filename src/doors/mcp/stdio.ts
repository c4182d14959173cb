import { PassThrough, type Readable, Writable } from "node:stream";
import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { escapeHidden } from "../cli/safe.js";
import type { Serving } from "./serving.js";
import { listenedTo } from "./watching.js";

/** How long a client that has closed its side may still wait for what it asked before. */
const LAST_ANSWERS_MS = 1_300;

export interface Pipes {
  readonly input: Readable;
  write(text: string): Promise<void>;
  /** Called when the input has ended: from now on the process is on its way out. */
  onEnd(): void;
}

/** Serves one client until it closes its side. */
export async function serveOverStdio({ make, watching, log }: Serving, pipes: Pipes): Promise<void> {
  const open = new OpenRequests();
  const inner = new StdioServerTransport(untilAnswered(pipes, open), writable(pipes));
  await new Promise<void>((closed) => {
    const transport: Transport = {
      start: () => {
        inner.onmessage = (message) => {
          open.came(message);
          for (const uri of listenedTo(message)) void watching.follow(uri).catch(() => undefined);
          transport.onmessage?.(message);
        };
        inner.onerror = (error) => transport.onerror?.(error);
        inner.onclose = () => {
          transport.onclose?.();
          closed();
        };
        return inner.start();
      },
      send: (message) => {
        open.went(message);
        return inner.send(message);
      },
      close: () => inner.close(),
    };
    serveStdio(
      () => {
        const made = make();
        const server = "server" in made ? made.server : made;
        watching.updated = (uri) => void server.sendResourceUpdated({ uri }).catch(() => undefined);
        watching.listed = () => void server.sendResourceListChanged().catch(() => undefined);
        return made;
      },
      { transport, onerror: (error) => log(error.message) },
    );
  });
}

/** What was asked and is not answered. A subscription is never answered, so it is not waited for. */
class OpenRequests {
  readonly #ids = new Set<RequestId>();
  #whenNone: (() => void) | undefined;

  came(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    if ("id" in message && message.method !== "subscriptions/listen") this.#ids.add(message.id);
    if (message.method === "notifications/cancelled")
      this.#settle((message.params as { requestId?: RequestId } | undefined)?.requestId);
  }

  went(message: JSONRPCMessage): void {
    if (!("method" in message)) this.#settle(message.id);
  }

  /** Calls back once nothing is open, now or later. */
  none(then: () => void): void {
    this.#whenNone = then;
    this.#settle(undefined);
  }

  #settle(id: RequestId | undefined): void {
    if (id !== undefined) this.#ids.delete(id);
    if (this.#ids.size === 0) this.#whenNone?.();
  }
}

/** The input, ending only when what came through it has been answered: `echo … | pal mcp` gets its answer. */
function untilAnswered({ input, onEnd }: Pipes, open: OpenRequests): Readable {
  const through = new PassThrough();
  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    onEnd();
    const timer = setTimeout(() => through.end(), LAST_ANSWERS_MS);
    // The last lines are still on their way through.
    setImmediate(() =>
      setImmediate(() =>
        open.none(() => {
          clearTimeout(timer);
          setImmediate(() => through.end());
        }),
      ),
    );
  };
  input.pipe(through, { end: false });
  input.once("end", end);
  input.once("close", end);
  input.once("error", end);
  return through;
}

/** What is written parses to the same and holds nothing hidden, whatever a memory says. */
const writable = ({ write }: Pipes): Writable =>
  new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      write(escapeHidden(String(chunk))).then(() => done(), done);
    },
  });
