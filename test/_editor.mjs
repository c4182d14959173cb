// A process that reads a memory, waits until the others have read it too, and changes it on the version it read.
// Arguments: directory, name, id, ifHash
import { openStore } from "../dist/index.js";

const [directory, name, id, ifHash] = process.argv.slice(2);
const store = await openStore(directory);
const verdict = await store.session({ agent: name }).update(id, `${name} says so about ${id}`, { ifHash });
process.stdout.write(`${JSON.stringify({ verdict: verdict.verdict })}\n`);
await store.close();
