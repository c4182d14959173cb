// A process that goes on writing facts and says of each that it was acknowledged, and when, until a write fails: then it
// says how, and closes the store. Told to by its input, it ends by itself.
// Arguments: directory, name
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openStore } from "../dist/index.js";

const [directory, name] = process.argv.slice(2);
const tell = (value) => writeSync(1, `${JSON.stringify(value)}\n`);
const store = await openStore(directory);
const pal = store.session({ agent: name });
let isEnding = false;
process.stdin.on("data", () => {
  isEnding = true;
});
for (let at = 0; !isEnding; at++) {
  const id = `${name}-${at}`;
  try {
    const { hash } = await pal.remember({ text: `${name} wrote ${at}`, id, type: "note" });
    tell({ id, hash, at: Date.now() });
  } catch (error) {
    tell({ code: error.code, message: error.message, at: Date.now() });
    break;
  }
  await sleep(5);
}
await store.close();
process.stdin.destroy();
