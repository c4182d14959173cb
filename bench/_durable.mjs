// node _durable.mjs <directory of a store> <memories in it>: durable writes beside raw commits and bare syncs, as JSON.
import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../dist/index.js";
import { fact } from "./_facts.mjs";
import { interleaved, openDatabase, PLAIN } from "./_measure.mjs";

const [directory, size] = process.argv.slice(2);
const COUNT = 256;

/** A database with one row per commit: what the same SQLite can do at best. */
async function rawSingleRows() {
  const db = await openDatabase(join(directory, "raw.db"));
  db.exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL");
  db.exec("CREATE TABLE facts (seq INTEGER PRIMARY KEY, id TEXT UNIQUE, body TEXT)");
  const insert = db.prepare("INSERT INTO facts (id, body) VALUES (?, ?)");
  let at = 0;
  return {
    write: () => insert.run(`mem-${Math.random().toString(36).slice(2)}-${at++}`, JSON.stringify(fact(at))),
    close: () => db.close(),
  };
}

const store = await openStore(directory, { gate: PLAIN });
const pal = store.session({ agent: "bench" });
const raw = await rawSingleRows();
const file = openSync(join(directory, "sync.bin"), "w");
let at = Number(size);
// Until the compiler is done and the state it writes to is in RAM.
for (let n = 0; n < 64 * COUNT; n++) await pal.remember(fact(at++));
const single = async () => {
  for (let n = 0; n < COUNT; n++) await pal.remember(fact(at++));
};
// Each promise with what it is measured against: what many callers leave to be collected is no cost of one.
const alone = await interleaved(
  {
    sync: () => {
      for (let n = 0; n < COUNT; n++) {
        writeSync(file, Buffer.alloc(300, at));
        fdatasyncSync(file);
      }
    },
    raw: () => {
      for (let n = 0; n < COUNT; n++) raw.write();
    },
    single,
  },
  { rounds: 17, count: COUNT },
);
const together = await interleaved(
  {
    single,
    group: async () => {
      for (let n = 0; n < COUNT; n += 32)
        await Promise.all(Array.from({ length: 32 }, () => pal.remember(fact(at++))));
    },
  },
  { rounds: 9, count: COUNT },
);
raw.close();
closeSync(file);
await store.close();
console.log(JSON.stringify({ alone, together }));
