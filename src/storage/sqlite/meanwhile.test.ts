import { expect, it, onTestFinished, vi } from "vitest";
import { hashOf, object, touchRow, transaction } from "../contract/data.js";
import { packTouch } from "../touch-codec.js";
import { testStore } from "./_store.js";
import { replaceTouch, squeeze } from "./care.js";
import { Connection, openConnection } from "./connection.js";
import { systemDriver } from "./driver.js";
import { takeOut } from "./remove.js";

/** Another process's connection, and a way to have it act just before somebody prepares a certain statement. */
async function other(file: string) {
  const connection = openConnection(await systemDriver(), file, {});
  onTestFinished(() => connection.close({ fold: false }));
  const commit = (work: () => void): void => {
    connection.begin();
    work();
    connection.commit();
  };
  const before = (statement: string, work: () => void): void => {
    const sql = Connection.prototype.sql;
    const spy = vi.spyOn(Connection.prototype, "sql").mockImplementation(function (this: Connection, text) {
      if (this !== connection && text.includes(statement)) {
        spy.mockRestore();
        work();
      }
      return sql.call(this, text) as never;
    });
    onTestFinished(() => spy.mockRestore());
  };
  return { connection, commit, before };
}

it.each([
  ["a row is squeezed", "squeeze"],
  ["something is dropped from it", "drop"],
])("S206 an object of a large row is the one that was asked for while %s", async (_, how) => {
  const place = await testStore();
  const storage = place.open();
  const put = Array.from({ length: 16 }, (_, n) =>
    object("memory", `${String(n).padStart(4, "0")} ${"y".repeat(200)}`),
  );
  await storage.transact(transaction({ put }));
  if (how === "squeeze") await storage.remove([put[3]!.hash]);
  const { connection, commit, before } = await other(place.file);
  before("substr(objects", () =>
    commit(() => {
      if (how === "squeeze") squeeze(connection, 0);
      else takeOut(connection, [put[3]!.hash], "shrink");
    }),
  );
  expect(Buffer.from((await storage.get(put[10]!.hash)) ?? [])).toEqual(Buffer.from(put[10]!.bytes));
});

it("S207 the past of a memory is whole while another process makes the index anew", async () => {
  const place = await testStore();
  const storage = place.open({ tailRows: 0 });
  const touch = (version: number) => [touchRow({ id: "x", version })];
  for (let n = 0; n < 20; n++)
    await storage.transact(transaction({ put: [object("memory", `${n}`)], touch: touch(n) }));
  await storage.tend();
  const { connection, commit, before } = await other(place.file);
  const rows = new Map(Array.from({ length: 20 }, (_, n) => [n + 1, packTouch(touch(n))]));
  before("ORDER BY at DESC", () => commit(() => void replaceTouch(connection, rows, 20)));
  expect((await storage.touchOf(hashOf("scope"), hashOf("x"))).length).toBe(20);
});

it("S208 upkeep that finds the store locked when it notes what it cut comes again, and fails nobody", async () => {
  const place = await testStore();
  const storage = place.open();
  await storage.transact(transaction({ put: [object("memory", "a")], touch: [touchRow({ id: "x" })] }));
  const { connection, before } = await other(place.file);
  before("'scrubbed', ?", () => connection.begin());
  const rows = (async function* () {
    yield { seq: 1, touch: [touchRow({ id: "x" })] };
  })();
  await storage.rebuild(rows, 1);
  connection.rollback();
  const scrubbed = () => connection.sql("SELECT value FROM meta WHERE key = 'scrubbed'").get();
  expect(scrubbed()).toBeUndefined();
  await storage.tend();
  expect(scrubbed()).toEqual({ value: 1 });
});
