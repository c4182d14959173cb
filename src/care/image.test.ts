import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { storedStates } from "../../test/_nodes.js";
import { imagePath } from "../documents/verbs/image.js";
import { openStore, type Session, type Store } from "../session/index.js";
import { memoryStorage } from "../storage/index.js";
import { thinNodes } from "./thin.js";

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
  it("what a load writes is offered to upkeep on the way, not all of it at its end", async () => {
    const from = await openStore(memoryStorage(), { embedder: "none" });
    const notes = Array.from({ length: 6_000 }, (_, at) => ({ text: `Note ${at}`, type: "note" }));
    await from.session({ agent: "orion", trust: "user" }).rememberMany(notes);
    const file = join(home, "on-the-way.snap");
    await from.save(file);
    const storage = memoryStorage();
    const { transact, tend } = storage;
    let [written, most] = [0, 0];
    storage.transact = (given) => {
      written += given.put.filter(({ kind }) => kind !== "node").length + given.touch.length;
      most = Math.max(most, written);
      return transact.call(storage, given);
    };
    storage.tend = () => {
      written = 0;
      return tend.call(storage);
    };
    const to = await openStore(storage, { embedder: "none" });
    expect((await to.load(file))?.live).toBe(6_000);
    expect(most).toBeLessThan(3_000);
    await Promise.all([from.close(), to.close()]);
  });

  it("C251 reports how far it is; the callback may end it, and then there is no file", async () => {
    const store = await openStore(memoryStorage());
    const notes = Array.from({ length: 2_500 }, (_, at) => ({ text: `Note ${at}`, type: "note" }));
    await store.session({ agent: "orion", trust: "user" }).rememberMany(notes);
    const steps: [number, number][] = [];
    const { objects } = await store.save(join(home, "told.snap"), {
      onProgress: (...step) => steps.push(step),
    });
    const done = steps.map(([count]) => count);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(done).toEqual(expect.arrayContaining([1_000, 2_000]));
    const written = steps.filter(([count]) => count > 0);
    expect(new Set(written.map(([, total]) => total))).toEqual(new Set([objects]));
    const enough = new Error("Enough");
    const onProgress = (done: number) => {
      if (done > 0) throw enough;
    };
    await expect(store.save(join(home, "ended.snap"), { onProgress })).rejects.toBe(enough);
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
      expect(await to.load(file)).toEqual({ ...saved, unchanged: true });
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

  it("CA77 what was erased stays erased in a store that was loaded from an image: it is refused, and counted", async () => {
    const from = await openStore(memoryStorage());
    const pal = from.session({ agent: "orion", trust: "user" });
    const canary = { id: "secret", text: "The zanzibar canary sings", type: "note" };
    await pal.remember(canary);
    await pal.remember({ id: "other", text: "The weather is fine", type: "note" });
    await pal.erase("secret");
    await from.save(join(home, "erased.snap"));
    const storage = memoryStorage();
    const to = await openStore(storage);
    await to.load(join(home, "erased.snap"));
    for (const store of [to, await openStore(storage)]) {
      const there = store.session({ agent: "orion", trust: "user" });
      expect(await there.remember(canary)).toMatchObject({ verdict: "rejected", code: "ERASED" });
      expect((await there.history("secret"))[0]).toMatchObject({ op: "add", erased: true });
    }
    expect(await to.verify()).toMatchObject({ ok: true, problems: [], erased: 1 });
  });

  it("CA78 an image is of one moment: an erasure while it is written begins it anew", async () => {
    const store = await openStore(memoryStorage());
    const pal = store.session({ agent: "orion", trust: "user" });
    await pal.rememberMany(
      Array.from({ length: 400 }, (_, at) => ({
        id: `n${at}`,
        text: `The zanzibar canary ${at}`,
        type: "note",
      })),
    );
    const storage = memoryStorage();
    let erasures = 0;
    const { scan } = { scan: storage.scan.bind(storage) };
    const source = await openStore(storage);
    await store.save(join(home, "all.snap"));
    await source.load(join(home, "all.snap"));
    const eraser = source.session({ agent: "orion", trust: "user" });
    storage.scan = async function* (options) {
      let read = 0;
      for await (const object of scan(options)) {
        yield object;
        // Once while it counts, and once while it writes.
        if (++read === 250 && erasures < 2 && (options?.kinds?.length ?? 0) > 2) {
          erasures++;
          await eraser.erase(`n${erasures}`);
        }
      }
    };
    await source.save(join(home, "moved.snap"));
    expect(erasures).toBe(2);
    const text = readFileSync(join(home, "moved.snap"), "utf8");
    expect(text).toContain("The zanzibar canary 3");
    expect(text).not.toMatch(/The zanzibar canary [12]"/);
    const to = await openStore(memoryStorage());
    await to.load(join(home, "moved.snap"));
    expect(await to.verify()).toMatchObject({ ok: true, problems: [], erased: 2 });
  });

  it("V43 heads that a load stores do not lean on nodes that somebody dropped meanwhile", async () => {
    const from = await openStore(memoryStorage());
    const pal = from.session({ agent: "orion", trust: "user" });
    const write = (session: Session, text: string) =>
      session.rememberMany(
        Array.from({ length: 100 }, (_, at) => ({ id: `n${at}`, text: `${text} ${at}`, type: "note" })),
        { snapshot: false },
      );
    await write(pal, "main");
    await pal.createBranch("next");
    await from
      .session({ agent: "orion", trust: "user", branch: "next" })
      .remember({ id: "n7", text: "Seven", type: "note" });
    const file = join(home, "heads.snap");
    await from.save(file);

    const storage = memoryStorage();
    const to = await openStore(storage);
    const other = await openStore(storage);
    const transact = storage.transact.bind(storage);
    let heads = 0;
    storage.transact = async (transaction) => {
      const isNodes = transaction.put.length > 0 && transaction.put.every(({ kind }) => kind === "node");
      if (isNodes && ++heads === 2) {
        // Both branches go on, and what they left is dropped.
        for (const branch of ["main", "next"])
          for (let round = 0; round < 5; round++)
            await write(other.session({ agent: "orion", trust: "user", branch }), `${branch} ${round}`);
        await thinNodes(storage);
      }
      return transact(transaction);
    };
    await to.load(file);
    expect(heads).toBeGreaterThan(1);
    expect((await storedStates(storage)).half).toEqual([]);
  });

  it("D78 the default name is $MEMORY_SNAPSHOT_PATH, else memory.snap at home", () => {
    expect(imagePath({ MEMORY_SNAPSHOT_PATH: "/x/y.snap" })).toBe("/x/y.snap");
    expect(imagePath({})).toMatch(/[/\\]memory\.snap$/);
  });
});
