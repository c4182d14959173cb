// A process that writes one fact for each line it is given, says what was acknowledged, and never closes the store.
// Arguments: directory
import { createInterface } from "node:readline";
import { openStore } from "../dist/index.js";

const store = await openStore(process.argv[2]);
const pal = store.session({ agent: "stepper" });
for await (const line of createInterface({ input: process.stdin })) {
  const { commit } = await pal.remember(line, { topic: `topic ${line.length % 3}` });
  process.stdout.write(`${commit}\n`);
}
process.kill(process.pid, "SIGKILL");
