import { generateText, simulateReadableStream, stepCountIs, streamText, wrapLanguageModel } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { afterEach, beforeEach, expect, it } from "vitest";
import { memoryMiddleware, memoryTools } from "../../src/doors/frameworks/ai-sdk.js";
import { memoryStorage, openStore, type Session, type Store } from "../../src/index.js";

let store: Store;
let session: Session;
const sessionOn = (branch: string): Session => store.session({ agent: "orion", trust: "user", branch });
beforeEach(async () => {
  store = await openStore(memoryStorage());
  session = sessionOn("main");
});
afterEach(() => store.close());

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};
const finish = (unified: "stop" | "tool-calls") => ({ unified, raw: undefined });
const answering = (text: string): MockLanguageModelV3 =>
  new MockLanguageModelV3({
    doGenerate: async () => ({
      ...{ content: [{ type: "text", text }], finishReason: finish("stop"), usage, warnings: [] },
    }),
    doStream: async () => ({
      stream: simulateReadableStream({
        chunks: [
          { type: "text-start", id: "1" },
          { type: "text-delta", id: "1", delta: text },
          { type: "text-end", id: "1" },
          { type: "finish", finishReason: finish("stop"), usage },
        ],
      }),
    }),
  });
const shown = (model: MockLanguageModelV3): string =>
  JSON.stringify([...model.doGenerateCalls, ...model.doStreamCalls].at(-1)?.prompt);
const ask = async (on: Session, prompt: string): Promise<string> => {
  const model = answering("I see.");
  await generateText({ model: wrapLanguageModel({ model, middleware: memoryMiddleware(on) }), prompt });
  return shown(model);
};

it("FW10 what memory knows is before the model, once, after the program's own words, and nothing else is", async () => {
  await session.remember("Ann is allergic to peanuts");
  const model = answering("No peanuts.");
  const wrapped = wrapLanguageModel({ model, middleware: memoryMiddleware(session, { wakeUp: 0 }) });
  await generateText({ model: wrapped, system: "You cook.", prompt: "What is Ann allergic to?" });
  const [own, memory, question] = model.doGenerateCalls[0]!.prompt;
  expect(own).toMatchObject({ role: "system", content: "You cook." });
  expect(memory).toMatchObject({ role: "system", content: expect.stringContaining("allergic to peanuts") });
  expect(question?.role).toBe("user");
  await generateText({ model: wrapped, prompt: "Who painted the fence?" });
  expect(shown(model)).not.toContain("peanuts");
});

it.each(["generate", "stream"])("FW11 facts in what was said are kept afterwards: %s", async (way) => {
  const model = answering("Graz is lovely.");
  const wrapped = wrapLanguageModel({ model, middleware: memoryMiddleware(session) });
  const asked = { model: wrapped, prompt: "I moved to Graz last week." };
  if (way === "generate") await generateText(asked);
  else expect(await streamText(asked).text).toBe("Graz is lovely.");
  const kept = JSON.stringify([await session.list(), await session.review()]);
  expect(kept).toContain("Graz");
});

it("FW12 a failing memory fails the call, or is told where somebody listens", async () => {
  await store.close();
  const asked = { model: answering("Hello."), prompt: "What did I say yesterday?" };
  const wrap = (options: object) =>
    wrapLanguageModel({ model: asked.model, middleware: memoryMiddleware(session, options) });
  await expect(generateText({ ...asked, model: wrap({}) })).rejects.toMatchObject({ code: "CLOSED" });
  const errors: unknown[] = [];
  const { text } = await generateText({
    ...asked,
    model: wrap({ onError: (one: unknown) => errors.push(one) }),
  });
  expect(text).toBe("Hello.");
  expect(errors.length).toBeGreaterThan(0);
  store = await openStore(memoryStorage());
});

it("FW13 a model adds, recalls and forgets by its tools", async () => {
  let call = 0;
  const calls = [
    { toolName: "memory_add", input: { text: "Ann is allergic to peanuts", topic: "allergy" } },
    { toolName: "memory_recall", input: { question: "What is Ann allergic to?" } },
    { toolName: "memory_history", input: { id: "allergy" } },
    { toolName: "memory_forget", input: { id: "allergy" } },
  ];
  const model = new MockLanguageModelV3({
    doGenerate: async () => {
      const next = calls[call++];
      const rest = { usage, warnings: [] };
      if (!next) return { content: [{ type: "text", text: "Done." }], finishReason: finish("stop"), ...rest };
      const { toolName, input } = next;
      const asked = { type: "tool-call" as const, toolCallId: `c${call}`, toolName };
      return {
        ...{ content: [{ ...asked, input: JSON.stringify(input) }], finishReason: finish("tool-calls") },
        ...rest,
      };
    },
  });
  const tools = { ...memoryTools(session) };
  const { steps, text } = await generateText({ model, tools, prompt: "Go.", stopWhen: stepCountIs(9) });
  expect(text).toBe("Done.");
  expect(steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output))).toMatchObject([
    { verdict: "accepted" },
    { answered: true, text: expect.stringContaining("peanuts") },
    [{ version: 1, text: "Ann is allergic to peanuts" }],
    { verdict: "accepted" },
  ]);
  expect(await session.list({ topic: "allergy" })).toEqual([]);
});

it("FW14 a model knows what its branch knows, and no more what was erased", async () => {
  await session.createBranch("other");
  const { id } = (await sessionOn("other").remember("Ann is allergic to peanuts")) as { id: string };
  const question = "What is Ann allergic to?";
  expect(await ask(session, question)).not.toContain("peanuts");
  expect(await ask(sessionOn("other"), question)).toContain("peanuts");
  await session.merge("other");
  expect(await ask(session, question)).toContain("peanuts");
  await session.erase(id);
  for (const branch of ["main", "other"])
    expect(await ask(sessionOn(branch), question)).not.toContain("peanuts");
});
