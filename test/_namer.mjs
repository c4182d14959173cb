// A process that does one thing to one name, as soon as it is told to go, and says what came of it.
// Arguments: directory or URL, "forget" | "erase", name
import { once } from "node:events";
import { openStore, postgresStorage, sqliteStorage } from "../dist/index.js";

const [place, deed, name] = process.argv.slice(2);
const store = await openStore(place.includes("://") ? postgresStorage(place) : sqliteStorage(place));
const pal = store.session({ agent: "ada", trust: "user", clearance: "confidential" });
process.stdout.write("ready\n");
await once(process.stdin, "data");
const done = await pal[deed](name).then(
  ({ verdict, records }) => verdict ?? `${records} records`,
  ({ code }) => code,
);
process.stdout.write(`${JSON.stringify(done)}\n`);
await store.close();
process.exit(0);
