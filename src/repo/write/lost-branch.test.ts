import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Hash } from "../../core/base/hash.js";
import { openStore, repairStore, type Session, type Store } from "../../session/index.js";
import { type StoredObject, sqliteStorage } from "../../storage/index.js";
import { systemDriver } from "../../storage/sqlite/driver.js";

let home: string;
let store: Store | undefined;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "pal-lost-"));
});
afterEach(async () => {
  await store?.close();
  store = undefined;
  rmSync(home, { recursive: true, force: true });
});

async function open(directory = "store"): Promise<Session> {
  await store?.close();
  store = await openStore(join(home, directory));
  return store.session({ agent: "orion" });
}

async function sql(text: string, directory = "store"): Promise<void> {
  await store?.close();
  store = undefined;
  const db = (await systemDriver()).open(join(home, directory, "palimpsest.db"), { timeout: 0 });
  db.exec(text);
  db.close();
}

const RENAMED = "UPDATE refs SET name = 'heads/maio' WHERE name = 'heads/main'";
const GONE = "DELETE FROM refs WHERE name = 'heads/main'";

describe("a branch whose ref is lost", () => {
  it.each([RENAMED, GONE])(
    "S210 is damage for reads and writes, never an empty store: %s",
    async (damage) => {
      const pal = await open();
      await pal.remember("The llama lives in the barn");
      await pal.remember("The rocket is stored in hangar nine");
      await sql(damage);
      const calls: ((pal: Session) => Promise<unknown>)[] = [
        (pal) => pal.list(),
        (pal) => pal.search("llama"),
        (pal) => pal.log(),
        (pal) => pal.branches(),
        (pal) => pal.diff("main"),
        (pal) => pal.remember("A new fact of today"),
        (pal) => pal.remember("A new fact of today", { dryRun: true }),
        (pal) => pal.tag("first"),
        (pal) => pal.createBranch("other"),
        (pal) => pal.transaction((tx) => tx.remember("Another fact")),
      ];
      for (const call of calls)
        await expect(call(await open())).rejects.toMatchObject({
          code: "DAMAGED",
          hint: expect.stringMatching(/pal repair/),
        });
      expect(await store!.verify()).toMatchObject({ ok: false });
    },
  );

  it("S210 also when it is another than main, for those who were on it; one that was deleted or never there is NO_BRANCH", async () => {
    const pal = await open();
    await pal.remember("The llama lives in the barn");
    for (const name of ["work", "past"]) await pal.createBranch(name);
    await pal.deleteBranch("past");
    await pal.checkout("work");
    await pal.remember("The rocket is stored in hangar nine");
    await sql("DELETE FROM refs WHERE name = 'heads/work'");
    await expect((await open()).list()).rejects.toMatchObject({ code: "DAMAGED" });
    const other = store!.session({ agent: "vega" });
    await expect(other.checkout("work")).rejects.toMatchObject({ code: "DAMAGED" });
    await expect(other.merge("work")).rejects.toMatchObject({ code: "DAMAGED" });
    for (const name of ["past", "never"])
      await expect(other.checkout(name)).rejects.toMatchObject({ code: "NO_BRANCH" });
    expect(await other.list()).toHaveLength(1);
  });

  it("CA173 a store whose first branch has lost its ref gives no backup and no image, and is not well", async () => {
    await (await open()).remember("The llama lives in the barn");
    await sql(GONE);
    await open();
    await expect(store!.backup(join(home, "backup.pal"))).rejects.toMatchObject({ code: "DAMAGED" });
    await expect(store!.save(join(home, "memory.snap"))).rejects.toMatchObject({ code: "DAMAGED" });
    expect(readdirSync(home)).toEqual(["store"]);
    expect(await store!.health()).toMatchObject({ ok: false, canRead: false });
  });

  it("CA170 a repair brings back a branch that was begun anew: the longer line is the branch, the other is kept beside it", async () => {
    const pal = await open();
    await pal.remember("The llama lives in the barn");
    await pal.remember("The rocket is stored in hangar nine");
    const old = (await pal.branches()).find(({ name }) => name === "main")!.head;
    await sql(GONE);
    await beginAnew();
    const report = await repairStore(join(home, "store"), join(home, "saved"));
    expect(report).toMatchObject({ ok: true, mended: 2 });
    expect(report.moved.map(({ ref }) => ref)).toContain("heads/main");
    const saved = await open("saved");
    expect(await store!.verify()).toMatchObject({ ok: true, problems: [] });
    const names = await saved.branches();
    expect(names.find(({ name }) => name === "main")?.head).toBe(old);
    const beside = names.find(({ name }) => name.startsWith("recovered-"))!;
    expect((await saved.list()).map(({ text }) => text).sort()).toEqual([
      "The llama lives in the barn",
      "The rocket is stored in hangar nine",
    ]);
    await saved.merge(beside.name);
    expect(await saved.list()).toHaveLength(3);
    expect((await saved.ops()).some(({ verb }) => verb === "repair")).toBe(true);
  });

  it("CA177 where no commit of the first branch is left, a repaired store begins at the first one and can be used", async () => {
    await (await open()).remember("The llama lives in the barn");
    await store!.close();
    const storage = sqliteStorage(join(home, "store"));
    const gone: Hash[] = [];
    for await (const { hash, kind } of storage.scan())
      if (kind === "commit" || kind === "node") gone.push(hash);
    await storage.remove(gone);
    await storage.close();
    const report = await repairStore(join(home, "store"), join(home, "saved"));
    expect(report.moved.map(({ ref }) => ref)).toEqual(["heads/main"]);
    const saved = await open("saved");
    expect(await saved.list()).toEqual([]);
    expect(await saved.remember("The rocket is stored in hangar nine")).toMatchObject({
      verdict: "accepted",
    });
  });

  it("CA171 a repair brings back every ref that the operation log left somewhere, and its result verifies", async () => {
    const pal = await open();
    await pal.remember("The llama lives in the barn");
    await pal.createBranch("work");
    await pal.createBranch("past");
    await pal.deleteBranch("past");
    await pal.tag("first");
    await sql("DELETE FROM refs WHERE name IN ('heads/work', 'tags/first')");
    const report = await repairStore(join(home, "store"), join(home, "saved"));
    expect(report).toMatchObject({ ok: true, lost: [], mended: 0 });
    expect(report.moved.map(({ ref }) => ref).sort()).toEqual(["heads/work", "tags/first"]);
    const saved = await open("saved");
    expect((await saved.branches()).map(({ name }) => name)).toEqual(["main", "work"]);
    expect((await saved.tags()).map(({ name }) => name)).toEqual(["first"]);
    expect(await store!.verify()).toMatchObject({ ok: true, problems: [] });
  });
});

it("CA172 a repair counts what it had to add to the operation log, and never says then that nothing was lost", async () => {
  const pal = await open();
  for (const text of ["The llama lives in the barn", "The rocket is in hangar nine", "Tea is at four"])
    await pal.remember(text);
  const second = (await pal.ops())[1]!.op;
  await store!.close();
  const storage = sqliteStorage(join(home, "store"));
  await storage.remove([second]);
  await storage.close();
  const report = await repairStore(join(home, "store"), join(home, "saved"));
  expect(report.mended).toBe(1);
  const saved = await open("saved");
  expect((await saved.ops()).map(({ op }) => op)).not.toContain(second);
  const { problems } = await store!.verify();
  expect(problems.map(({ problem }) => problem)).not.toContain("operation-gap");
});

/** What a program did that took the lost ref for that of an empty store: it wrote on the first commit. */
async function beginAnew(): Promise<void> {
  const fresh = await openStore(join(home, "fresh"));
  await fresh.session({ agent: "orion" }).remember("A new fact of today");
  await fresh.close();
  const from = sqliteStorage(join(home, "fresh"));
  const to = sqliteStorage(join(home, "store"));
  const put: StoredObject[] = [];
  for await (const { hash, kind, bytes } of from.scan()) put.push({ hash, kind, bytes });
  const { touch } = await from.touchSince(0);
  const { ops } = await from.opsBefore(Number.MAX_SAFE_INTEGER);
  const refs = [...(await from.refs("heads/"))].map(([name, next]) => ({ name, expect: null, next }));
  await to.transact({ put, refs, touch, ops, epoch: 0 });
  await from.close();
  await to.close();
}
