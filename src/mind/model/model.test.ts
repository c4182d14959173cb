import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { afterEach, describe, expect, it } from "vitest";
import { scriptedChat, type Turn } from "./_chat.js";
import { aiSdkModel } from "./ai-sdk.js";
import { ask, jsonIn, type Prompt } from "./ask.js";
import { CostLedger, type Purse } from "./budget.js";
import { chatModel } from "./chat.js";
import type { Model } from "./port.js";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
async function service(...script: Turn[]) {
  const chat = await scriptedChat(...script);
  open.push(chat);
  const options = { model: "tiny", baseUrl: chat.url, apiKey: "k", pauseMs: 5, silenceMs: 400 };
  return { chat, options, model: chatModel(options) };
}

const PROMPT: Prompt<{ readonly word: string }> = {
  task: "test/v1",
  system: "Answer.",
  schema: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
  maxTokens: 50,
  read: (value) => {
    const { word } = value as { word?: unknown };
    return typeof word === "string" ? { word } : "There is no word.";
  },
};
function purse(): Purse & { readonly notes: Map<string, string> } {
  const notes = new Map<string, string>();
  return {
    notes,
    read: async (key) => notes.get(key),
    swap: async (key, value, expect) => {
      if ((notes.get(key) ?? null) !== expect) return false;
      notes.set(key, value);
      return true;
    },
  };
}
const request = { task: "test/v1", system: "s", prompt: "p", schema: {}, maxTokens: 50 };

describe("chat services", () => {
  it("MI10 an answer is streamed, asked for with a schema, a key and a limit, and its tokens are counted by the service", async () => {
    const { chat, model } = await service({ say: { word: "hello" } });
    expect(await model.ask(request)).toEqual({ text: '{"word":"hello"}', tokensIn: 100, tokensOut: 20 });
    expect(chat.asked[0]).toMatchObject({
      model: "tiny",
      stream: true,
      max_tokens: 50,
      response_format: { type: "json_schema" },
    });
    expect(chat.keys).toEqual(["Bearer k"]);
    expect(model.local).toBe(true);
  });

  it("MI11 a service without streams, schemas or counts is understood too", async () => {
    const { chat, model } = await service(
      { status: 400, body: { error: { message: "unknown field response_format" } } },
      { say: { word: "plain" }, plain: true, usage: false },
    );
    expect((await model.ask(request)).text).toBe('{"word":"plain"}');
    expect(chat.asked[1].response_format).toBeUndefined();
    await model.ask(request);
    expect(chat.asked).toHaveLength(3);
  });

  it("MI12 rate limits, failures and broken streams are tried again with pauses, and then reported; refusals at once", async () => {
    const passing = await service(
      { status: 429, retryAfter: 0.01 },
      { say: "x", cut: true },
      { say: { word: "third" } },
    );
    expect((await passing.model.ask(request)).text).toBe('{"word":"third"}');
    const failing = await service({ status: 503 });
    await expect(failing.model.ask(request)).rejects.toMatchObject({ code: "MODEL_UNAVAILABLE" });
    expect(failing.chat.asked).toHaveLength(3);
    const refused = await service({ status: 401 });
    await expect(refused.model.ask(request)).rejects.toMatchObject({ code: "MODEL_UNAVAILABLE" });
    expect(refused.chat.asked).toHaveLength(1);
    const patient = await service({ status: 429, retryAfter: 3_600 });
    await expect(patient.model.ask(request)).rejects.toMatchObject({ code: "MODEL_UNAVAILABLE" });
    expect(patient.chat.asked).toHaveLength(1);
  });

  it("MI13 silence ends in time, slow pieces do not, and the caller can stop", async () => {
    const silent = await service({ hang: true });
    const impatient = chatModel({ ...silent.options, silenceMs: 60, tries: 1 });
    await expect(impatient.ask(request)).rejects.toMatchObject({ code: "MODEL_UNAVAILABLE" });
    const slow = await service({ say: { word: "slow" }, slowMs: 150 });
    expect((await slow.model.ask(request)).text).toBe('{"word":"slow"}');
    const stop = new AbortController();
    const stopped = silent.model.ask({ ...request, signal: stop.signal });
    setTimeout(() => stop.abort(), 20);
    await expect(stopped).rejects.toMatchObject({ name: "AbortError" });
    const nobody = chatModel({ model: "x", baseUrl: "http://127.0.0.1:1/v1", tries: 1 });
    await expect(nobody.ask(request)).rejects.toMatchObject({ code: "MODEL_UNAVAILABLE" });
  });

  it("MI14 a model object of the AI SDK is asked the same", async () => {
    const { chat } = await service({ say: { word: "sdk" }, plain: true });
    const provider = createOpenAICompatible({
      name: "local",
      baseURL: chat.url,
      supportsStructuredOutputs: true,
    });
    const model = aiSdkModel(provider("tiny"));
    expect(await model.ask(request)).toEqual({ text: '{"word":"sdk"}', tokensIn: 100, tokensOut: 20 });
    expect(chat.asked[0].messages).toHaveLength(2);
    const { chat: broken } = await service({ status: 401 });
    const none = aiSdkModel(createOpenAICompatible({ name: "local", baseURL: broken.url })("tiny"));
    await expect(none.ask(request)).rejects.toMatchObject({ code: "MODEL_UNAVAILABLE" });
  });
});

describe("asking within a budget", () => {
  it("MI15 a malformed answer is repaired once, then reported with what was said", async () => {
    const repaired = await service(
      { say: "Sure! Here it is." },
      { say: '<think>hm</think>```json\n{"word":"ok"}\n```' },
    );
    const ledger = new CostLedger(purse());
    expect(await ask(repaired.model, ledger, PROMPT, "word?")).toMatchObject({
      value: { word: "ok" },
      cost: { calls: 2, tokensIn: 200 },
    });
    expect(repaired.chat.asked[1].messages[1].content).toContain("Sure! Here it is.");
    const garbage = await service({ say: "no" });
    const failed = await ask(garbage.model, ledger, PROMPT, "word?").catch((error) => error);
    expect(failed).toMatchObject({ code: "MODEL_ANSWER", data: { said: "no", cost: { calls: 2 } } });
    expect(garbage.chat.asked).toHaveLength(2);
  });

  it("MI16 a budget is never passed: by the call, by the day, by many at once; nothing is asked then", async () => {
    const asked: number[] = [];
    const model: Model = {
      id: "m",
      local: true,
      ask: async () => {
        asked.push(1);
        return { text: '{"word":"x"}', tokensIn: 40, tokensOut: 10 };
      },
    };
    let day = "2026-03-01";
    const shared = purse();
    const small = new CostLedger(shared, { callsPerDay: 3 }, () => day);
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => ask(model, small, PROMPT, "q")));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(asked).toHaveLength(3);
    expect((await small.days())[0]).toMatchObject({
      day,
      calls: 3,
      tokensIn: 120,
      tokensOut: 30,
      byTask: { "test/v1": { calls: 3 } },
    });
    day = "2026-03-02";
    await ask(model, small, PROMPT, "q");
    expect((await small.days()).map((one) => one.day)).toEqual(["2026-03-02", "2026-03-01"]);
    const tight = new CostLedger(purse(), { tokensPerCall: 20 });
    await expect(ask(model, tight, PROMPT, "q")).rejects.toMatchObject({ code: "BUDGET_SPENT" });
    const daily = new CostLedger(purse(), { tokensPerDay: 60 });
    await ask(model, daily, PROMPT, "q");
    await expect(ask(model, daily, PROMPT, "q")).rejects.toMatchObject({ code: "BUDGET_SPENT" });
  });

  it("MI17 JSON is found among thoughts, fences and chatter", () => {
    expect(jsonIn('Here: {"a":[1,2]} bye')).toEqual({ a: [1, 2] });
    expect(jsonIn("[1]")).toEqual([1]);
    expect(jsonIn("none")).toBeUndefined();
  });
});
