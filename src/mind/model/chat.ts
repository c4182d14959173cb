import { setTimeout as sleep } from "node:timers/promises";
import { checkGiven, number, optional, readOnce, shape, text } from "../../repo/index.js";
import { type Model, type ModelAnswer, type ModelRequest, tokensIn, unavailable } from "./port.js";

export interface ChatOptions extends Patience {
  readonly model: string;
  /** Default `$OPENAI_BASE_URL`, else OpenAI's own; any service that speaks `/chat/completions`. */
  readonly baseUrl?: string;
  /** Default `$OPENAI_API_KEY`. A local service may need none. */
  readonly apiKey?: string;
  /** No answer, and then no further piece of it, for so long: the service is given up. Default 60,000. */
  readonly silenceMs?: number;
  /** The longest an answer may take as a whole; default 300,000. */
  readonly wholeMs?: number;
}

/** No answer we ask for is longer. */
const MOST_BYTES = 4 << 20;

const CHAT = shape({
  ...{ model: text, baseUrl: optional(text), apiKey: optional(text) },
  ...{ silenceMs: optional(number), wholeMs: optional(number) },
});

/** Any OpenAI-compatible chat service: Ollama, llama.cpp, vLLM, LM Studio, OpenAI. Answers are streamed. */
export function chatModel(options: ChatOptions): Model {
  const settings = readOnce(options);
  checkGiven("chatModel", { options: settings }, { options: CHAT });
  const base = addressOf(settings.baseUrl ?? process.env.OPENAI_BASE_URL ?? "https://api.openai.com/v1");
  const key = settings.apiKey ?? process.env.OPENAI_API_KEY;
  // Some services know neither schemas nor usage in streams; what one refused once is not asked again.
  let plain = false;
  const ask = async (request: ModelRequest): Promise<ModelAnswer> => {
    const asked = plain;
    try {
      return await once(base, key, settings, request, plain);
    } catch (error) {
      if (asked || !(error instanceof Refused)) throw error;
      plain = true;
      return once(base, key, settings, request, true);
    }
  };
  return {
    id: `${base.host}/${settings.model}`,
    local: /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(base.hostname),
    ask: async (request) => {
      try {
        return await patiently(() => ask(request), settings, request.signal);
      } catch (error) {
        request.signal?.throwIfAborted();
        if (error instanceof Transient || error instanceof Refused)
          throw unavailable(`${base.origin} ${error.message}`, error);
        throw error;
      }
    },
  };
}

class Refused extends Error {}

function addressOf(given: string): URL {
  try {
    return new URL(given.endsWith("/") ? given : `${given}/`);
  } catch (cause) {
    throw unavailable(`Not the address of a service: ${given}.`, cause);
  }
}

async function once(
  base: URL,
  key: string | undefined,
  { model, silenceMs = 60_000, wholeMs = 300_000 }: ChatOptions,
  { system, prompt, schema, task, maxTokens, signal }: ModelRequest,
  plain: boolean,
): Promise<ModelAnswer> {
  const name = task.replace(/[^\w-]/g, "_");
  const body = {
    model,
    messages: [
      { role: "system", content: system },
      { role: "user", content: prompt },
    ],
    max_tokens: maxTokens,
    temperature: 0,
    stream: true,
    ...(!plain && {
      stream_options: { include_usage: true },
      response_format: { type: "json_schema", json_schema: { name, strict: true, schema } },
    }),
  };
  const silence = new AbortController();
  const hush = (): NodeJS.Timeout => setTimeout(() => silence.abort(), silenceMs);
  let timer = hush();
  const until = AbortSignal.any([silence.signal, AbortSignal.timeout(wholeMs), ...(signal ? [signal] : [])]);
  try {
    const response = await fetch(new URL("chat/completions", base), {
      method: "POST",
      headers: { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify(body),
      signal: until,
    });
    if (!response.ok) throw await complaint(response);
    const answer = new Answer(tokensIn(system + prompt));
    let size = 0;
    for await (const piece of sseData(response)) {
      clearTimeout(timer);
      timer = hush();
      size += piece.length;
      if (size > MOST_BYTES) throw new Refused("answers without end.");
      answer.take(piece);
    }
    return answer.done();
  } catch (error) {
    signal?.throwIfAborted();
    if (until.aborted) throw new Transient("did not answer in time.");
    if (error instanceof TypeError) throw new Transient(`cannot be reached: ${reason(error)}.`);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

const reason = (error: Error): string =>
  (error.cause as Error | undefined)?.message ||
  (error.cause as { code?: string } | undefined)?.code ||
  error.message;

async function complaint(response: Response): Promise<Error> {
  const text = (await response.text().catch(() => "")).slice(0, 200).trim() || "nothing";
  const problem = `answered ${response.status}: ${text}.`;
  const { status } = response;
  if (status === 429 || status >= 500 || status === 408) {
    const after = Number(response.headers.get("retry-after"));
    return new Transient(problem, Number.isFinite(after) && after > 0 ? after * 1_000 : undefined);
  }
  return status === 400 || status === 422 ? new Refused(problem) : unavailable(`The model ${problem}`);
}

/** An answer as it comes in, in pieces of a stream or whole. */
class Answer {
  #text = "";
  #usage: { prompt_tokens?: number; completion_tokens?: number } | undefined;
  readonly #asked: number;

  constructor(asked: number) {
    this.#asked = asked;
  }

  take(piece: string): void {
    let chunk: {
      choices?: { delta?: { content?: string | null }; message?: { content?: string | null } }[];
      usage?: { prompt_tokens?: number; completion_tokens?: number } | null;
      error?: { message?: string } | string;
    };
    try {
      chunk = JSON.parse(piece);
    } catch {
      throw new Transient("sent a piece that is no JSON.");
    }
    if (chunk.error)
      throw new Transient(
        `failed while answering: ${typeof chunk.error === "string" ? chunk.error : chunk.error.message}.`,
      );
    const [choice] = chunk.choices ?? [];
    this.#text += choice?.delta?.content ?? choice?.message?.content ?? "";
    if (chunk.usage) this.#usage = chunk.usage;
  }

  done(): ModelAnswer {
    return {
      text: this.#text,
      tokensIn: this.#usage?.prompt_tokens ?? this.#asked,
      tokensOut: this.#usage?.completion_tokens ?? tokensIn(this.#text),
    };
  }
}

/** The data of server-sent events, one piece each, to `[DONE]`; an answer that is no stream is one piece. */
async function* sseData(response: Response): AsyncGenerator<string> {
  const type = response.headers.get("content-type") ?? "";
  if (!type.includes("event-stream") || !response.body) {
    yield await response.text();
    return;
  }
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
    rest += decoder.decode(bytes, { stream: true });
    const lines = rest.split(/\r?\n/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const data = /^data:\s?(.*)$/.exec(line)?.[1];
      if (data === "[DONE]") return;
      if (data) yield data;
    }
  }
}

/** Something that may pass: the caller may try again, at the earliest after so long. */
class Transient extends Error {
  constructor(
    message: string,
    readonly afterMs?: number,
  ) {
    super(message);
  }
}

export interface Patience {
  /** How often it is tried at most; default 3. */
  readonly tries?: number;
  /** The first pause; each further one is twice as long, with some chance in it. Default 500. */
  readonly pauseMs?: number;
  /** No pause is longer, whatever a service asks for; default 20,000. */
  readonly mostMs?: number;
}

/** Tries until it works, fails for good, or patience ends. */
async function patiently<T>(
  run: () => Promise<T>,
  { tries = 3, pauseMs = 500, mostMs = 20_000 }: Patience,
  signal?: AbortSignal,
): Promise<T> {
  for (let tried = 1; ; tried++)
    try {
      signal?.throwIfAborted();
      return await run();
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof Transient) || tried >= tries) throw error;
      const pause = error.afterMs ?? pauseMs * 2 ** (tried - 1) * (0.75 + Math.random() / 2);
      // A service that asks to be left alone for longer than we would wait gets its wish at once.
      if (pause > mostMs) throw error;
      await sleep(pause, undefined, signal ? { signal } : {});
    }
}
