// A model of the AI SDK with memory: on a branch, merged, as it was, explained and erased. Needs no key:
//   npm i ai && node examples/ai-sdk.mjs
import { generateText, wrapLanguageModel } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { memoryStorage, openStore } from "palimpsest";
import { memoryMiddleware, memoryTools } from "palimpsest/ai-sdk";

const store = await openStore(memoryStorage()); // a folder, to keep it
const on = (branch) => store.session({ agent: "orion", trust: "user", branch });
const session = on("main");

// In place of a model: it says whether it was shown the fact.
const scripted = new MockLanguageModelV3({
  doGenerate: async ({ prompt }) => ({
    content: [
      { type: "text", text: JSON.stringify(prompt).includes("peanuts") ? "No peanuts." : "I do not know." },
    ],
    finishReason: { unified: "stop", raw: undefined },
    usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
    warnings: [],
  }),
});
const ask = async (where, prompt = "What is Ann allergic to?") => {
  const model = wrapLanguageModel({ model: scripted, middleware: memoryMiddleware(where) });
  return (await generateText({ model, tools: memoryTools(where), prompt })).text;
};

await session.snapshot("first");
await session.createBranch("what-if");
const { id } = await on("what-if").remember("Ann is allergic to peanuts");
console.log("main:   ", await ask(session));
console.log("what-if:", await ask(on("what-if")));
await session.merge("what-if");
console.log("merged: ", await ask(session));
console.log("first:  ", (await session.recall("What is Ann allergic to?", { at: "first" })).text);
const why = await session.why("Ann is allergic to peanuts");
console.log("why:    ", JSON.stringify(why).slice(0, 100));
const { records } = await session.erase(id);
console.log("erased: ", records, "records;", await ask(session));
await store.close();
