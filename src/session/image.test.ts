import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { memoryStorage } from "../storage/index.js";
import { imagePath } from "./image.js";
import { openStore, type Store } from "./index.js";

const home = mkdtempSync(join(tmpdir(), "pal-image-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function filled(): Promise<Store> {
  const store = await openStore(memoryStorage());
  const pal = store.session({ agent: "orion", trust: "user" });
  await pal.ingestAst({
    type: "HEADLINE",
    properties: { ID: "root", TITLE: "Röot" },
    contents: [{ type: "PARAGRAPH", "raw-content": "line\u2028end \ud83c\udf89\n" }],
  });
  for (let at = 0; at < 30; at++)
    await pal.remember(`Fact ${at}`, { topic: `t${at % 7}`, message: `write ${at}` });
  await pal.remember("Secret", { id: "s", sensitivity: "private" });
  await pal.forget("s");
  await pal.undo();
  return store;
}

describe("D75 images", () => {
  it("C251 tells how far it is; whoever is told may end it, and then there is no file", async () => {
    const store = await openStore(memoryStorage());
    const notes = Array.from({ length: 2_500 }, (_, at) => ({ text: `Note ${at}`, type: "note" }));
    await store.session({ agent: "orion", trust: "user" }).rememberMany(notes);
    const steps: [number, number][] = [];
    const { objects } = await store.save(join(home, "told.snap"), {
      onProgress: (...step) => steps.push(step),
    });
    expect(steps.map(([done]) => done)).toEqual(steps.map((_, at) => (at + 1) * 1_000));
    expect(steps.length).toBeGreaterThan(1);
    expect(new Set(steps.map(([, total]) => total))).toEqual(new Set([objects]));
    const onProgress = () => {
      throw new Error("Enough");
    };
    await expect(store.save(join(home, "ended.snap"), { onProgress })).rejects.toThrow("Enough");
    expect(readdirSync(home).filter((name) => name.includes("ended"))).toEqual([]);
  });

  it.each(["memory", "sqlite"])(
    "D75 a store loaded from an image says, remembers and proves the same (%s)",
    async (kind) => {
      const from = await filled();
      const file = join(home, `${kind}.snap`);
      const saved = await from.save(file);
      const to = await openStore(kind === "memory" ? memoryStorage() : join(home, "store"));
      expect(await to.load(file)).toEqual(saved);
      const [one, two] = [from.session({ agent: "orion" }), to.session({ agent: "orion" })];
      expect(await two.list()).toEqual(await one.list());
      expect(await two.log({ limit: 100 })).toEqual(await one.log({ limit: 100 }));
      expect(await two.history("s")).toEqual(await one.history("s"));
      expect(await two.ops()).toEqual(await one.ops());
      expect(await to.verify()).toMatchObject({ ok: true, problems: [], root: (await from.verify()).root });
      expect(await to.load(file)).toEqual(saved);
      const host = to.session({ agent: "orion", trust: "operator" });
      expect((await host.remember("And on it goes", { topic: "t1" })).verdict).toBe("updated");
      expect(await to.verify()).toMatchObject({ ok: true });
      await to.close();
    },
  );

  it("D75 a forged history is refused, although every hash and the digest are right", async () => {
    const file = join(home, "forged.snap");
    await (await filled()).save(file);
    const lines = readFileSync(file, "utf8").split("\n").slice(0, -2);
    const forged = lines.map((line) => line.replace(/("version":)2\b/, "$17"));
    expect(forged).not.toEqual(lines);
    const text = `${forged.join("\n")}\n`;
    writeFileSync(file, `${text}end ${createHash("sha256").update(text).digest("hex")}\n`);
    const other = await openStore(memoryStorage());
    await expect(other.load(file)).rejects.toMatchObject({ code: "DAMAGED" });
    expect(await other.exists()).toBe(false);
  });

  it("D76 the header says what it is, when it was made, how much it holds and where its refs stand", async () => {
    const store = await filled();
    const file = join(home, "head.snap");
    const { objects, refs } = await store.save(file);
    const lines = readFileSync(file, "utf8").split("\n");
    expect(lines[0]).toBe(";; Palimpsest image 1");
    expect(lines[1]).toMatch(/^;; Created: \d{4}-/);
    expect(lines[2]).toContain(`${objects} objects`);
    expect(lines[2]).toContain(`${refs} refs`);
    expect(lines[3]).toMatch(/^;; heads\/main [0-9a-f]{64}$/);
    expect(readdirSync(home).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("D77 a missing file is silent, a damaged or foreign one an error, and neither takes anything away", async () => {
    const store = await filled();
    const file = join(home, "bad.snap");
    await store.save(file);
    const whole = readFileSync(file, "utf8");
    const other = await openStore(memoryStorage());
    expect(await other.load(join(home, "none.snap"))).toBeUndefined();
    const cuts = Array.from({ length: 25 }, (_, at) => Math.floor((whole.length * at) / 25) + 25);
    for (const at of cuts)
      for (const bad of [whole.slice(0, at), `${whole.slice(0, at)}x${whole.slice(at + 1)}`]) {
        if (bad === whole) continue;
        writeFileSync(file, bad);
        await expect(other.load(file)).rejects.toMatchObject({
          code: expect.stringMatching(/^DAMAGED|INVALID_FILE$/),
        });
      }
    writeFileSync(file, "(:memory nil)");
    await expect(other.load(file)).rejects.toMatchObject({ code: "INVALID_FILE" });
    expect(await other.exists()).toBe(false);
    writeFileSync(file, whole);
    const own = await openStore(memoryStorage());
    await own.session().remember({ id: "mine", text: "Mine." });
    await expect(own.load(file)).rejects.toMatchObject({ code: "REFUSED" });
    expect(await own.session().list()).toHaveLength(1);
  });

  it("D78 the default name is $MEMORY_SNAPSHOT_PATH, else memory.snap at home", () => {
    expect(imagePath({ MEMORY_SNAPSHOT_PATH: "/x/y.snap" })).toBe("/x/y.snap");
    expect(imagePath({})).toMatch(/[/\\]memory\.snap$/);
  });
});
