import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A model that does what a prompt says, for hosts that are pointed at loopback: "CALL name key: value" calls a tool whose
 * name ends so, anything else is answered with a word. It speaks what Claude Code, Codex, OpenCode and Gemini CLI speak, and keeps
 * every request, because what a model was sent is what it knows.
 */
export interface HostModel {
  readonly url: string;
  readonly requests: string[];
  close(): Promise<void>;
}

interface Deed {
  readonly tool?: string;
  readonly space?: string;
  readonly args?: unknown;
  readonly text?: string;
}
interface Named {
  readonly name: string;
  readonly space?: string;
}

type Body = Record<string, unknown>;
const list = (value: unknown): Body[] => (Array.isArray(value) ? (value as Body[]) : []);
const textOf = (content: unknown): string =>
  typeof content === "string"
    ? content
    : list(content)
        .map(({ text, content: inner }) => (typeof text === "string" ? text : textOf(inner)))
        .join("\n");

export async function hostModel(): Promise<HostModel> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (part) => {
      text += part;
    });
    request.on("end", () => answer(request, text, response, requests));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

function answer({ method, url = "" }: IncomingMessage, text: string, to: ServerResponse, kept: string[]) {
  const json = (value: unknown) => {
    to.writeHead(200, { "content-type": "application/json" });
    to.end(JSON.stringify(value));
  };
  if (method !== "POST") return json({ object: "list", data: [{ id: "fake", object: "model" }], models: [] });
  const body = JSON.parse(text || "{}") as Body;
  if (url.includes("count_tokens")) return json({ input_tokens: 1 });
  kept.push(text);
  const id = `m${kept.length}`;
  if (url.includes("/messages")) return asAnthropic(body, id, to);
  if (url.includes("/responses")) return asResponses(body, id, to);
  if (url.includes("/chat/completions")) return asChat(body, id, to);
  return asGemini(body, url, to);
}

/** What is to be done: once called, a tool is not called again. */
function deed(tools: readonly Named[], user: string, isAnswered: boolean): Deed {
  const [, name = "", key = "", value = ""] = /CALL (\w+) (\w+): ([^"\n]+)/.exec(user) ?? [];
  const tool = tools.find((one) => name !== "" && one.name.endsWith(name));
  if (isAnswered || !tool) return { text: "Done." };
  return { tool: tool.name, ...(tool.space !== undefined && { space: tool.space }), args: { [key]: value } };
}

function events(to: ServerResponse) {
  to.writeHead(200, { "content-type": "text/event-stream" });
  return (data: unknown, name?: string) =>
    to.write(`${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`);
}

function asAnthropic(body: Body, id: string, to: ServerResponse) {
  const said = list(body.messages).filter(({ role }) => role === "user");
  const last = said.at(-1)?.content;
  const isAnswered = list(last).some(({ type }) => type === "tool_result");
  const { tool, args, text } = deed(list(body.tools) as never, textOf(last), isAnswered);
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id, type: "message", role: "assistant", model: body.model, content: [], usage };
  const send = events(to);
  const emit = (data: { type: string } & Body) => send(data, data.type);
  emit({ type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null } });
  const block = tool
    ? { type: "tool_use", id: `toolu_${id}`, name: tool, input: {} }
    : { type: "text", text: "" };
  emit({ type: "content_block_start", index: 0, content_block: block });
  const delta = tool
    ? { type: "input_json_delta", partial_json: JSON.stringify(args) }
    : { type: "text_delta", text };
  emit({ type: "content_block_delta", index: 0, delta });
  emit({ type: "content_block_stop", index: 0 });
  emit({
    type: "message_delta",
    delta: { stop_reason: tool ? "tool_use" : "end_turn", stop_sequence: null },
    usage,
  });
  emit({ type: "message_stop" });
  to.end();
}

function asResponses(body: Body, id: string, to: ServerResponse) {
  const tools = list(body.tools).flatMap((one) =>
    one.tools
      ? list(one.tools).map(({ name }) => ({ name: String(name), space: String(one.name) }))
      : [{ name: String(one.name ?? "") }],
  );
  const input = list(body.input);
  const user = input.filter(({ role }) => role === "user").at(-1);
  const isAnswered = input.at(-1)?.type === "function_call_output";
  const { tool, space, args, text } = deed(tools, textOf(user?.content), isAnswered);
  const item = tool
    ? {
        ...{ type: "function_call", id: `fc_${id}`, call_id: `call_${id}`, name: tool, status: "completed" },
        ...(space !== undefined && { namespace: space }),
        arguments: JSON.stringify(args),
      }
    : {
        ...{ type: "message", id, role: "assistant", status: "completed" },
        content: [{ type: "output_text", text, annotations: [] }],
      };
  const usage = {
    ...{ input_tokens: 1, output_tokens: 1, total_tokens: 2 },
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  };
  const send = events(to);
  const emit = (type: string, more: Body) => send({ type, ...more }, type);
  emit("response.created", { response: { id, object: "response", status: "in_progress", output: [] } });
  emit("response.output_item.added", { output_index: 0, item: { ...item, status: "in_progress" } });
  emit("response.output_item.done", { output_index: 0, item });
  emit("response.completed", {
    response: { id, object: "response", status: "completed", output: [item], usage },
  });
  to.end();
}

function asChat(body: Body, id: string, to: ServerResponse) {
  const tools = list(body.tools).map((one) => one.function as Named);
  const messages = list(body.messages);
  const user = messages.filter(({ role }) => role === "user").at(-1);
  const isAnswered = messages.at(-1)?.role === "tool";
  const { tool, args, text } = deed(tools, textOf(user?.content), isAnswered);
  const call = {
    id: `call_${id}`,
    type: "function",
    function: { name: tool, arguments: JSON.stringify(args) },
  };
  const said = tool
    ? { role: "assistant", tool_calls: [{ index: 0, ...call }] }
    : { role: "assistant", content: text };
  const chunk = { id, object: "chat.completion.chunk", created: 1, model: body.model };
  const send = events(to);
  send({ ...chunk, choices: [{ index: 0, delta: said, finish_reason: null }] });
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  send({ ...chunk, choices: [{ index: 0, delta: {}, finish_reason: tool ? "tool_calls" : "stop" }], usage });
  to.end("data: [DONE]\n\n");
}

function asGemini(body: Body, url: string, to: ServerResponse) {
  const tools = list(body.tools).flatMap((one) => list(one.functionDeclarations)) as never as Named[];
  const contents = list(body.contents);
  const last = list(contents.at(-1)?.parts);
  const { tool, args, text } = deed(
    tools,
    textOf(last),
    last.some((part) => part.functionResponse !== undefined),
  );
  const part = tool ? { functionCall: { name: tool, args } } : { text };
  const found = {
    candidates: [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  };
  if (!url.includes("stream")) {
    to.writeHead(200, { "content-type": "application/json" });
    to.end(JSON.stringify(found));
    return;
  }
  events(to)(found);
  to.end();
}
