// A process that opens the store, writes one fact, reads it and closes again, over and over, as `pal` calls do.
// Arguments: directory, name, count
import { writeSync } from "node:fs";
import { openStore } from "../dist/index.js";

const [directory, name, count] = process.argv.slice(2);
for (let at = 0; at < Number(count); at++) {
  const store = await openStore(directory);
  const pal = store.session({ agent: name });
  const asked = performance.now();
  const { verdict, id, hash } = await pal.remember(`${name} came by ${at}`, { id: `${name}-${at}` });
  const ms = performance.now() - asked;
  if ((await pal.get(id)) === undefined) throw new Error(`${id} is not there`);
  await store.close();
  writeSync(1, `${JSON.stringify({ id, hash, verdict, ms })}\n`);
}
