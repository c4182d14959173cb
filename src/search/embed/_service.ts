import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  // biome-ignore lint/suspicious/noExplicitAny: what a client sent can have any shape
  readonly body: any;
}

export type Reply =
  | { readonly status?: number; readonly json?: unknown; readonly text?: string; readonly waitMs?: number }
  | undefined;

/** A service on this machine: `answer` decides, undefined leaves the caller without an answer. */
export async function serve(answer: (call: Call) => Reply): Promise<{
  readonly url: string;
  readonly calls: Call[];
  close(): Promise<void>;
}> {
  const calls: Call[] = [];
  const sockets = new Set<Socket>();
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString("utf8");
    const call = {
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers,
      body: text === "" ? undefined : JSON.parse(text),
    };
    calls.push(call);
    const reply = answer(call);
    if (!reply) return;
    const send = () => {
      response.statusCode = reply.status ?? 200;
      response.end(reply.text ?? JSON.stringify(reply.json));
    };
    if (reply.waitMs === undefined) send();
    else setTimeout(send, reply.waitMs);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    close: () =>
      new Promise((closed) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => closed());
      }),
  };
}

/** A vector that follows from the text: letters counted into 8 places. Texts with common letters are alike. */
export function lettersOf(text: string): number[] {
  const vector = new Array<number>(8).fill(0.01);
  for (const letter of text.toLowerCase()) vector[(letter.codePointAt(0) ?? 0) % 8]! += 1;
  return vector;
}

/** Speaks as an OpenAI-compatible service does, out of order on purpose. */
export function openAiReply({ method, path, body }: Call): Reply {
  if (method !== "POST" || !path.endsWith("/embeddings")) return { status: 404, json: { error: "no" } };
  if (!Array.isArray(body.input) || body.input.some((text: unknown) => text === ""))
    return { status: 400, json: { error: { message: "'input' must not be empty" } } };
  const data = body.input.map((text: string, index: number) => ({
    object: "embedding",
    index,
    embedding: lettersOf(text).slice(0, body.dimensions ?? 8),
  }));
  return { json: { object: "list", data: data.reverse(), model: body.model, usage: { total_tokens: 1 } } };
}

/** Speaks as Ollama does; `old` only knows the path that takes one text. */
export const ollamaReply =
  (old = false) =>
  ({ method, path, body }: Call): Reply => {
    if (method === "GET" && path === "/api/tags")
      return { json: { models: [{ name: "nomic-embed-text:latest", digest: "0a109f422b47e3a30ba2b10e" }] } };
    if (body?.model === "absent")
      return { status: 404, json: { error: 'model "absent" not found, try pulling it first' } };
    if (path === "/api/embed" && !old)
      return { json: { model: body.model, embeddings: body.input.map(lettersOf), total_duration: 1 } };
    if (path === "/api/embeddings") return { json: { embedding: lettersOf(body.prompt) } };
    return { status: 404, text: "404 page not found" };
  };
