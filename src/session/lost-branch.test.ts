import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemDriver } from "../storage/sqlite/driver.js";
import { openStore, type Session, type Store } from "./index.js";

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
});
