import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { openStore } from "../src/index.js";

const FIXTURES = join(import.meta.dirname, "fixtures");
let directory: string | undefined;
afterEach(() => directory && rmSync(directory, { recursive: true }));

describe("stores of earlier versions (B24)", () => {
  test.each(["store-v1", "store-v2"])(
    "S63 %s opens, verifies, answers as it did when it was written, and takes new writes",
    async (name) => {
      directory = mkdtempSync(join(tmpdir(), "pal-fixture-"));
      cpSync(join(FIXTURES, name), directory, { recursive: true });
      const expected = JSON.parse(readFileSync(join(FIXTURES, `${name}.json`), "utf8"));
      const store = await openStore(directory);
      expect((await store.verify({ since: expected.root })).problems).toEqual([]);
      const all = store.session({ agent: "op", scopes: ["*"], clearance: "confidential" });
      expect(await all.stats()).toMatchObject({
        head: expected.head,
        root: expected.root,
        memories: expected.memories,
      });
      const hashes = (await all.list()).map(({ id, scope, version, hash, merkle }) => [
        id,
        scope,
        version,
        hash,
        merkle,
      ]);
      expect(hashes).toEqual(expected.hashes);
      for (const [id, text] of Object.entries(expected.found ?? {}))
        expect((await all.search(text as string)).hits.map((hit) => hit.id)).toContain(id);
      expect((await all.remember("Still writable")).verdict).toBe("accepted");
      expect((await store.verify()).ok).toBe(true);
      await store.close();
    },
  );

  test("CA50 an upgrade keeps the file as it was, beside the new one, and that one still opens", async () => {
    directory = mkdtempSync(join(tmpdir(), "pal-fixture-"));
    cpSync(join(FIXTURES, "store-v1"), join(directory, "store"), { recursive: true });
    const before = await openStore(join(directory, "store"));
    const list = await before.session({ scopes: ["*"] }).list();
    await before.session().remember("Written after the upgrade");
    await before.close();
    const names = readdirSync(join(directory, "store"));
    expect(names).toContain("palimpsest.v1.db");
    expect(names.filter((name) => name.endsWith(".tmp"))).toEqual([]);
    cpSync(join(directory, "store", "palimpsest.v1.db"), join(directory, "old", "palimpsest.db"));
    const old = await openStore(join(directory, "old"));
    expect((await old.verify()).problems).toEqual([]);
    expect(await old.session({ scopes: ["*"] }).list()).toEqual(list);
    await old.close();
  });

  test("CA51 what is erased later is still in that file: the receipt says so, and compacting with dropOld ends it", async () => {
    directory = mkdtempSync(join(tmpdir(), "pal-fixture-"));
    cpSync(join(FIXTURES, "store-v1"), directory, { recursive: true });
    const store = await openStore(directory);
    const pal = store.session({ scopes: ["*"], trust: "user", clearance: "confidential" });
    const telling = (await pal.list()).find(({ text }) => text.length > 16);
    const { receipt } = await pal.erase(telling?.id as string, { scope: telling?.scope as string });
    expect(receipt).toMatchObject({ clean: false, left: ["palimpsest.v1.db"], old: ["palimpsest.v1.db"] });
    const kept = await store.compact();
    expect(readdirSync(directory)).toContain("palimpsest.v1.db");
    const { after } = await store.compact({ dropOld: true });
    expect(readdirSync(directory).filter((name) => /\.v1\./.test(name))).toEqual([]);
    expect(after).toBeLessThan(kept.after);
    expect((await store.verify()).problems).toEqual([]);
    const other = (await pal.list()).find(({ text }) => text.length > 16);
    const last = await pal.erase(other?.id as string, { scope: other?.scope as string });
    expect(last.receipt).toMatchObject({ clean: true, left: [], old: [] });
    await store.close();
  });
});
