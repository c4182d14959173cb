// A process that only reads a store, and is killed without closing it.
// Arguments: directory
import { openStore } from "../dist/index.js";

const store = await openStore(process.argv[2]);
await store.session({ agent: "looker" }).list();
process.kill(process.pid, "SIGKILL");
