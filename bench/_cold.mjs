// A process that opens a store, searches once, and says how long that took from the opening on.
// Arguments: directory or URL
import { openStore } from "../dist/index.js";

const cpu = process.cpuUsage();
const start = performance.now();
const store = await openStore(process.argv[2]);
const { hits } = await store.session({ agent: "bench" }).search("Grace measured the Lisbon office");
const wall = performance.now() - start;
const took = process.cpuUsage(cpu);
process.stdout.write(JSON.stringify({ wall, cpu: (took.user + took.system) / 1000, hits: hits.length }));
await store.close();
