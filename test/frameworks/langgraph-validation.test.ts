import { validate } from "@langchain/langgraph-checkpoint-validation";
import * as vitest from "vitest";
import { PalimpsestSaver } from "../../src/doors/frameworks/langgraph.js";
import { memoryStorage, openStore, type Store } from "../../src/index.js";

// FW1: the suite of LangGraph finds these where they are global.
Object.assign(globalThis, vitest);

let store: Store | undefined;
validate({
  checkpointerName: "palimpsest",
  async createCheckpointer() {
    store = await openStore(memoryStorage());
    return new PalimpsestSaver(store.session({ agent: "graph", trust: "user" }));
  },
  async destroyCheckpointer() {
    await store?.close();
  },
});
