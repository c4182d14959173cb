import { copyFileSync } from "node:fs";
import { expect, it } from "vitest";
import { PalimpsestError } from "../../core/base/errors.js";
import { hashOf, object, touchRow, transaction } from "../contract/data.js";
import type { Storage } from "../port.js";
import { testStore } from "./_store.js";
import type { Database } from "./driver.js";
import { salvageStore } from "./salvage.js";

const COLUMNS: readonly (readonly [string, readonly string[]])[] = [
  ["journal", ["seq", "touch", "ops", "directory", "objects"]],
  ["nodes", ["seq", "directory", "objects"]],
  ["lookup", ["prefix", "at"]],
  ["refs", ["name", "target", "meta"]],
  ["side", ["key", "value"]],
  ["meta", ["key", "value"]],
  ["vectors", ["at", "model", "key", "source", "vectors", "checksum"]],
  ["waiting", ["upto", "entries"]],
];
const VALUES = ["NULL", "'text'", "x''", "randomblob(300)", "7", "1152921504606846976"];

const [memory, node] = [object("memory", "one"), object("node", "two")];
const operation = object("operation", "three");
const model = "some model";
const key = hashOf("key");

async function fill(storage: Storage): Promise<void> {
  const many = Array.from({ length: 40 }, (_, n) => object("memory", `memory ${n}`));
  for (const [n, put] of many.entries())
    await storage.transact(
      transaction({
        put: n === 0 ? [memory, node, operation, put] : [put],
        refs: [{ name: `heads/${n}`, expect: null, next: { target: memory.hash, meta: { n } } }],
        touch: [touchRow({ id: `id ${n}`, links: [hashOf("link")] })],
        ops: n === 0 ? [operation.hash] : [],
      }),
    );
  await storage.setSide("note", "value");
  await storage.putVectors(model, [{ key, source: hashOf("source"), vectors: Int8Array.of(1, 2, 3) }], 0);
}

/** Without what keeps damage out of a column. */
function loosen(db: Database): void {
  const tables = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table'").all() as {
    readonly name: string;
    readonly sql: string;
  }[];
  for (const { name, sql } of tables) {
    const loose = sql.replace(/ NOT NULL/g, "").replace(`CREATE TABLE ${name}`, "CREATE TABLE loose");
    db.exec(`${loose}; INSERT INTO loose SELECT * FROM ${name}; DROP TABLE ${name};
      ALTER TABLE loose RENAME TO ${name}`);
  }
  db.exec("CREATE INDEX vector_of ON vectors (model, key)");
}

async function all(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
}

const CALLS: Readonly<Record<string, (storage: Storage) => Promise<unknown>>> = {
  exists: (storage) => storage.exists(),
  version: (storage) => storage.version(),
  get: async (storage) => {
    const bytes = await storage.get(memory.hash);
    expect(bytes === undefined || bytes instanceof Uint8Array).toBe(true);
  },
  getNode: (storage) => storage.get(node.hash),
  getMany: (storage) => storage.getMany([memory.hash, node.hash, operation.hash]),
  missing: (storage) => storage.missing([memory.hash, node.hash, hashOf("nothing")]),
  ref: (storage) => storage.ref("heads/3"),
  refs: (storage) => storage.refs(""),
  touchOf: (storage) => storage.touchOf(hashOf("scope"), hashOf("id 3")),
  touchLinked: (storage) => storage.touchLinked(hashOf("link"), 1),
  touchSince: (storage) => storage.touchSince(0),
  touchBefore: (storage) => storage.touchBefore(Number.MAX_SAFE_INTEGER),
  opsBefore: (storage) => storage.opsBefore(Number.MAX_SAFE_INTEGER),
  scan: (storage) => all(storage.scan()),
  objectsIn: (storage) => storage.objectsIn({ after: 0, upTo: 99 }, ["memory"]),
  side: (storage) => storage.side("note"),
  sides: (storage) => storage.sides(""),
  vectors: (storage) => storage.vectors(model, [key]),
  size: (storage) => storage.size(),
  diagnose: (storage) => storage.diagnose(),
  check: async (storage) => {
    for await (const { object } of storage.check()) expect(object).toBeTypeOf("string");
  },
  setSide: (storage) => storage.setSide("note", "other", "value"),
  putVectors: (storage) => storage.putVectors(model, [{ key, source: key, vectors: Int8Array.of(1) }], 0),
  removeVectors: (storage) => storage.removeVectors([hashOf("source")]),
  transact: (storage) =>
    storage.transact(
      transaction({
        put: [object("memory", "new")],
        refs: [{ name: "heads/3", expect: memory.hash, next: { target: memory.hash } }],
      }),
    ),
  tend: (storage) => storage.tend(),
  scrub: (storage) => storage.scrub(),
  remove: (storage) => storage.remove([memory.hash, node.hash]),
  rebuild: (storage) => storage.rebuild((async function* () {})(), 3),
};

it("S211 a column of any table that is of another type, empty or far too large is damage or harmless, for every call", async () => {
  const pristine = await testStore();
  const filled = pristine.open();
  await fill(filled);
  await filled.close();
  await pristine.sql(loosen);
  const found: string[] = [];
  for (const tailRows of [8192, 0])
    for (const [table, columns] of COLUMNS)
      for (const column of columns)
        for (const value of VALUES) {
          const damaged = await testStore();
          copyFileSync(pristine.file, damaged.file);
          if (tailRows === 0) {
            const indexed = damaged.open({ tailRows });
            await indexed.tend();
            await indexed.close();
          }
          try {
            await damaged.sql((db) => db.exec(`UPDATE OR IGNORE ${table} SET ${column} = ${value}`));
          } catch {
            // A key cannot be anything: then there is no such damage.
            continue;
          }
          const storage = damaged.open({ busyLimitMs: 200, tailRows });
          for (const [name, call] of Object.entries(CALLS))
            await call(storage).catch((error: unknown) => {
              if (!(error instanceof PalimpsestError))
                found.push(`${table}.${column} = ${value}: ${name}: ${error}`);
            });
          await storage.close();
          await salvageStore(damaged.directory);
        }
  expect(found).toEqual([]);
}, 120_000);
