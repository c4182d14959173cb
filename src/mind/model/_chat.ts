import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** What the service does with one request. */
export type Turn =
  | {
      readonly say: unknown;
      readonly usage?: boolean;
      readonly plain?: boolean;
      readonly cut?: boolean;
      readonly slowMs?: number;
    }
  | { readonly status: number; readonly body?: unknown; readonly retryAfter?: number }
  | { readonly hang: true };

// biome-ignore lint/suspicious/noExplicitAny: what a client sent can have any shape
export type Asked = any;

/** A chat service on this machine that speaks the OpenAI protocol and answers by a script, the last turn for ever. */
export async function scriptedChat(...script: Turn[]) {
  const asked: Asked[] = [];
  const keys: (string | undefined)[] = [];
  const sockets = new Set<Socket>();
  let at = 0;
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    asked.push(JSON.parse(Buffer.concat(parts).toString("utf8")));
    keys.push(request.headers.authorization);
    await answer(response, script[Math.min(at++, script.length - 1)]!);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    keys,
    close: () =>
      new Promise<void>((closed) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => closed());
      }),
  };
}

async function answer(response: ServerResponse, turn: Turn): Promise<void> {
  if ("hang" in turn) return;
  if ("status" in turn) {
    response.writeHead(turn.status, {
      "content-type": "application/json",
      ...(turn.retryAfter !== undefined && { "retry-after": String(turn.retryAfter) }),
    });
    response.end(JSON.stringify(turn.body ?? { error: { message: "no" } }));
    return;
  }
  const text = typeof turn.say === "string" ? turn.say : JSON.stringify(turn.say);
  const usage =
    turn.usage === false ? {} : { usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } };
  if (turn.plain) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(
      JSON.stringify({
        id: "c",
        choices: [{ index: 0, message: { role: "assistant", content: text } }],
        ...usage,
      }),
    );
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const chunk = (value: object) =>
    response.write(`data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", ...value })}\n\n`);
  const middle = Math.floor(text.length / 2);
  for (const [part, piece] of [text.slice(0, middle), text.slice(middle)].entries()) {
    chunk({ choices: [{ index: 0, delta: { content: piece } }] });
    if (part === 0 && turn.cut) {
      response.destroy();
      return;
    }
    if (turn.slowMs !== undefined) await new Promise((done) => setTimeout(done, turn.slowMs));
  }
  chunk({ choices: [], ...usage });
  response.end("data: [DONE]\n\n");
}
