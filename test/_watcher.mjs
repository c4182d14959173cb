// A process with a warm view: it looks for a word whenever it is asked to, and tells what it finds.
// Arguments: directory
import { createInterface } from "node:readline";
import { openStore } from "../dist/index.js";

const store = await openStore(process.argv[2]);
const pal = store.session({ agent: "watcher", scopes: ["*"], clearance: "confidential" });
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
for await (const line of createInterface({ input: process.stdin })) {
  const [verb, id, word] = line.split(" ");
  if (verb === "end") break;
  const { hits } = await pal.search(word);
  const memory = await pal.get(id).catch(() => undefined);
  const again = verb === "back" ? await pal.remember({ id, text: word, type: "note" }) : undefined;
  say({
    hits: hits.filter(({ text }) => text.includes(word)).length,
    text: memory?.text ?? null,
    code: again?.code ?? null,
  });
}
await store.close();
