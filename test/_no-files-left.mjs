// Opens files until none can be opened, and says what opening a store that was in use, and reading a file, end in.
import { openSync } from "node:fs";
import { openStore } from "../dist/index.js";

const [place, file] = process.argv.slice(2);
const tried = async (work) => {
  try {
    await work();
    return "no error";
  } catch ({ name, code, message }) {
    return `${name} ${code}: ${message}`;
  }
};
const first = await openStore(place, { embedder: "none" });
const session = first.session();
await session.remember("The lamp is lit");
await session.import(file).catch(() => {});
const list = async () => (await openStore(place, { embedder: "none" })).session().list();
await list();
/** What is let go of meanwhile, as by the garbage collector, is taken too. */
const takeAll = () => {
  try {
    for (;;) openSync("/dev/null");
  } catch {
    // Now there are none.
  }
};
/** Until it ends in an error: what others let go of while it runs may just be enough for it. */
const triedUntil = async (work) => {
  let said = "no error";
  for (let round = 0; round < 100 && said === "no error"; round++) {
    takeAll();
    said = await tried(work);
  }
  return said;
};
const store = await triedUntil(list);
const read = await triedUntil(() => session.import(file));
process.stdout.write(JSON.stringify({ store, file: read }));
process.exit(0);
