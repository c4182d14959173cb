// A thread of LangGraph and its store of items on a branch, merged, read as it was, explained and erased. Needs no key:
//   npm i @langchain/langgraph-checkpoint @langchain/core && node examples/langgraph.mjs
import { emptyCheckpoint, uuid6 } from "@langchain/langgraph-checkpoint";
import { memoryStorage, openStore } from "palimpsest";
import { PalimpsestSaver, PalimpsestStore } from "palimpsest/langgraph";

const store = await openStore(memoryStorage()); // a folder, to keep it
// A scope of its own keeps what graphs do out of what is recalled.
const on = (branch) =>
  store.session({ agent: "graph", trust: "user", branch, scopes: ["project/graph"], home: "project/graph" });
const session = on("main");
const saver = new PalimpsestSaver(session);
const thread = { configurable: { thread_id: "ann", checkpoint_ns: "" } };

// A compiled graph calls this by itself: graph.compile({ checkpointer: saver, store: items }).
let step = 0;
const put = async (to, messages) => {
  const before = await to.getTuple(thread);
  const checkpoint = { ...emptyCheckpoint(), id: uuid6(step), channel_values: { messages } };
  checkpoint.channel_versions = { messages: ++step };
  await to.put(
    before?.config ?? thread,
    checkpoint,
    { source: "loop", step, parents: {} },
    { messages: step },
  );
};
const read = async (from) => (await from.getTuple(thread))?.checkpoint.channel_values.messages;

await put(saver, ["Book a table"]);
await session.snapshot("first");
await session.createBranch("what-if");
const other = new PalimpsestSaver(on("what-if"));
await put(other, ["Book a table", "…in Graz"]);
console.log("main:   ", await read(saver));
console.log("what-if:", await read(other));
const { added } = await session.merge("what-if");
console.log("merged: ", await read(saver), `(${added} documents)`);
console.log("first:  ", await read(new PalimpsestSaver(session, { at: "first" })));

const items = new PalimpsestStore(session);
await items.put(["ann"], "food", { text: "Ann is allergic to peanuts" });
const [hit] = await items.search(["ann"], { query: "what is Ann allergic to?" });
console.log("item:   ", hit?.value);
const why = await session.why("Ann is allergic to peanuts");
console.log("why:    ", JSON.stringify(why).slice(0, 100));

const report = await saver.eraseThread("ann");
console.log("erased: ", report.records, "records; left of the thread:", await read(saver));
await store.close();
