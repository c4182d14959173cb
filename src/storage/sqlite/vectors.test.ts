import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hashOf, object, transaction } from "../contract/data.js";
import { problemsOf, testStore } from "./_store.js";

const entries = ["a", "b"].map((name) => ({
  key: hashOf(name),
  source: hashOf(`source ${name}`),
  vectors: Int8Array.from({ length: 384 }, (_, at) => at - 192),
}));
const keys = entries.map(({ key }) => key);

describe("vectors in SQLite", () => {
  it.each(["vectors", "key", "source", "checksum", "model"])(
    "S75 a vector whose %s was changed is not given out, and a check names it as a warning",
    async (column) => {
      const { open, sql } = await testStore();
      const first = open();
      await first.transact(transaction({ put: [object("memory", "one")] }));
      await first.putVectors("m", entries, 0);
      await first.close();
      const value =
        column === "checksum" || column === "model" ? `${column} + 1` : `X'00' || substr(${column}, 2)`;
      await sql((db) => db.exec(`UPDATE vectors SET ${column} = ${value} WHERE at = 1`));
      const storage = open();
      expect([...(await storage.vectors("m", keys)).keys()]).toEqual([keys[1]]);
      expect(await problemsOf(storage)).toEqual([
        { problem: "vectors-damaged", severity: "warning", object: "vectors 1" },
      ]);
      expect(await storage.putVectors("m", entries, 0)).toBe("ok");
      expect((await storage.vectors("m", keys)).size).toBe(2);
    },
  );

  it("S76 a store from before there were vectors opens, and takes them", async () => {
    const { open, directory } = await testStore();
    const fixture = join(import.meta.dirname, "../../../test/fixtures/store-v1/palimpsest.db");
    cpSync(fixture, join(directory, "palimpsest.db"));
    const storage = open();
    expect(await storage.vectors("m", keys)).toEqual(new Map());
    const { epoch } = await storage.version();
    expect(await storage.putVectors("m", entries, epoch)).toBe("ok");
    expect((await storage.vectors("m", keys)).size).toBe(2);
    expect(await problemsOf(storage)).toEqual([]);
  });

  it("S77 removed vectors leave no bytes in the file", async () => {
    const { open, file } = await testStore();
    const storage = open();
    await storage.transact(transaction({ put: [object("memory", "one")] }));
    const marked = { ...entries[0]!, vectors: new Int8Array(Buffer.from("find me in the file ".repeat(19))) };
    await storage.putVectors("m", [marked], 0);
    await storage.removeVectors([marked.source]);
    await storage.close();
    const { readFileSync, existsSync } = await import("node:fs");
    for (const path of [file, `${file}-wal`])
      if (existsSync(path)) expect(readFileSync(path).includes("find me")).toBe(false);
  });
});
