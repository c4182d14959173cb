// A conversation of the OpenAI Agents SDK on a branch, merged, read as it was, explained and erased. Needs no key:
//   npm i @openai/agents-core && node examples/openai-agents.mjs
import { Agent, Runner, setTracingDisabled } from "@openai/agents-core";
import { assistantMessage, ScriptedModel } from "@openai/agents-core/testing";
import { memoryStorage, openStore } from "palimpsest";
import { PalimpsestSession } from "palimpsest/openai-agents";

setTracingDisabled(true);
const store = await openStore(memoryStorage()); // a folder, to keep it
// A scope of its own keeps what was said out of what is recalled.
const on = (branch) =>
  store.session({ agent: "orion", trust: "user", branch, scopes: ["project/talk"], home: "project/talk" });
const session = on("main");
const main = new PalimpsestSession(session, { sessionId: "ann" });

const model = new ScriptedModel(
  ["A table for when?", "Graz it is.", "Two, then."].map((one) => [assistantMessage(one)]),
);
const agent = new Agent({ name: "waiter", model });
const runner = new Runner();
const texts = async (one) =>
  (await one.getItems()).map(({ content }) => (typeof content === "string" ? content : content[0].text));

await runner.run(agent, "Book a table", { session: main });
await session.snapshot("first");
await session.createBranch("what-if");
const other = new PalimpsestSession(on("what-if"), { sessionId: "ann" });
await runner.run(agent, "in Graz", { session: other });
await runner.run(agent, "for two", { session: main });
console.log("main:   ", await texts(main));
console.log("what-if:", await texts(other));
await session.merge("what-if");
console.log("merged: ", await texts(main));
console.log("first:  ", await texts(new PalimpsestSession(session, { sessionId: "ann", at: "first" })));
const why = await session.why("in Graz");
console.log("why:    ", JSON.stringify(why).slice(0, 100));
const report = await main.eraseSession();
console.log("erased: ", report.records, "records; left of the conversation:", await texts(main));
await store.close();
