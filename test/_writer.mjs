// A process that writes facts to a store and says of each that it was acknowledged, and after how long, until it is
// done or kills itself at its n-th storage transaction: before it, or after it but before anybody was told.
// Arguments: directory or URL, name, count, killAt (0 = never), when ("before" | "after")
import { writeSync } from "node:fs";
import { openStore, postgresStorage, sqliteStorage } from "../dist/index.js";

const [directory, name, count, killAt, when] = process.argv.slice(2);
const storage = directory.includes("://") ? postgresStorage(directory) : sqliteStorage(directory);
const { transact } = storage;
let calls = 0;
const die = () => process.kill(process.pid, "SIGKILL");
storage.transact = async (transaction) => {
  const isLast = ++calls === Number(killAt);
  if (isLast && when === "before") die();
  const result = await transact.call(storage, transaction);
  if (isLast) die();
  return result;
};
const store = await openStore(storage);
const pal = store.session({ agent: name });
for (let at = 0; at < Number(count); at++) {
  const id = `${name}-${at}`;
  const topic = at % 5 === 0 ? { topic: "contended" } : { id };
  const asked = performance.now();
  const { verdict, id: given, hash } = await pal.remember(`${name} wrote ${at}`, topic);
  const ms = performance.now() - asked;
  writeSync(1, `${JSON.stringify({ id: given, hash, verdict, ms })}\n`);
}
await store.close();
