import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { openStore } from "../src/index.js";

const FIXTURES = join(import.meta.dirname, "fixtures");
let directory: string | undefined;
afterEach(() => directory && rmSync(directory, { recursive: true }));

describe("stores of earlier versions", () => {
  test.each(["store-v1"])(
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
      expect((await all.remember("Still writable")).verdict).toBe("accepted");
      expect((await store.verify()).ok).toBe(true);
      await store.close();
    },
  );
});
