import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { openStore } from "../src/index.js";

const FIXTURES = join(import.meta.dirname, "fixtures");
let directory: string | undefined;
afterEach(() => directory && rmSync(directory, { recursive: true }));

describe("B24 stores of earlier versions", () => {
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
});
