import { once } from "node:events";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore, type Store } from "../session/index.js";
import { memoryStorage, sqliteStorage } from "../storage/index.js";
import { fillStore, told } from "./_filled.js";

let home: string;
const stores: Store[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "pal-backup-"));
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  rmSync(home, { recursive: true, force: true });
});
const at = (name: string) => join(home, name);
async function open(name: string | "memory"): Promise<Store> {
  const store = await openStore(name === "memory" ? memoryStorage() : sqliteStorage(at(name)));
  stores.push(store);
  return store;
}
const failure = (work: Promise<unknown>) => work.then(() => undefined).catch((error) => error.code);

describe("backup and restore", () => {
  it.each([
    ["store", "memory"],
    ["memory", "other"],
    ["store", "other"],
  ])(
    "CA20 a backup of any kind of store restores into any kind, with the same root and the same answers (%s to %s)",
    async (from, to) => {
      const source = await open(from);
      await fillStore(source);
      const made = await source.backup(at("all.pal"));
      expect(made).toMatchObject({ file: at("all.pal"), bytes: readFileSync(at("all.pal")).length });
      const target = await open(to);
      const report = await target.restore(at("all.pal"));
      const { root, head } = await source.verify();
      expect(report).toMatchObject({ root, head, objects: made.objects, refs: made.refs, tombstones: 0 });
      expect(await target.verify()).toMatchObject({ ok: true, problems: [], root });
      expect(await told(target)).toEqual(await told(source));
      const pal = target.session({ agent: "ada", trust: "user" });
      expect(await pal.remember({ text: "It goes on", type: "note" })).toMatchObject({ verdict: "accepted" });
      expect(await target.verify({ since: head })).toMatchObject({ ok: true, problems: [] });
    },
  );

  it("CA21 a backup is of one moment while others write, and an erasure meanwhile is not in it", async () => {
    const store = await open("store");
    const pal = await fillStore(store);
    await pal.remember("The zanzibar canary sings", { id: "secret" });
    let isOver = false;
    const writing = (async () => {
      for (let n = 0; !isOver; n++) await pal.remember({ text: `Meanwhile ${n}`, type: "note" });
    })();
    const other = await open("store");
    await other.backup(at("one.pal"));
    const erasing = other.session({ agent: "ada", trust: "user" }).erase("secret");
    await other.backup(at("two.pal"));
    await erasing;
    isOver = true;
    await writing;
    for (const name of ["one", "two"]) {
      const target = await open(`restored-${name}`);
      await target.restore(at(`${name}.pal`));
      expect(await target.verify()).toMatchObject({ ok: true, problems: [] });
    }
    await store.backup(at("three.pal"));
    expect(readFileSync(at("three.pal"), "utf8")).not.toContain("zanzibar");
  });

  it("CA22 it restores into an empty place only, and a backup replaces no file unless the caller asks for it", async () => {
    const store = await open("store");
    await fillStore(store, 8);
    await store.backup(at("a.pal"));
    expect(await failure(store.backup(at("a.pal")))).toBe("NAME_TAKEN");
    await store.backup(at("a.pal"), { overwrite: true });
    const other = await open("memory");
    await other.session().remember("Mine");
    const before = await other.session().list();
    expect(await failure(other.restore(at("a.pal")))).toBe("REFUSED");
    expect(await other.session().list()).toEqual(before);
    expect(await failure(store.restore(at("none.pal")))).toBe("INVALID_FILE");
  });

  it("CA23 with tombstones of a store or a backup, what was erased since does not come back (B21)", async () => {
    const store = await open("store");
    const pal = await fillStore(store, 8);
    await pal.remember("The zanzibar canary sings", { id: "secret", message: "zanzibar it is" });
    await store.backup(at("old.pal"));
    await pal.erase("secret");
    await store.backup(at("new.pal"));
    for (const [name, tombstones] of [
      ["of-store", at("store")],
      ["of-file", at("new.pal")],
    ] as const) {
      const target = await open(name);
      const report = await target.restore(at("old.pal"), { tombstones });
      expect(report.tombstones).toBe(1);
      const there = target.session({ agent: "ada", trust: "user" });
      expect(await there.get("secret")).toBeUndefined();
      expect((await there.search("zanzibar")).hits).toEqual([]);
      expect(await there.remember("The zanzibar canary sings", { id: "secret" })).toMatchObject({
        code: "ERASED",
      });
      expect(await target.verify()).toMatchObject({ ok: true, problems: [], erased: 2 });
      await target.close();
      expect(readFileSync(join(at(name), "palimpsest.db"), "latin1")).not.toContain("zanzibar");
    }
    const naive = await open("naive");
    expect((await naive.restore(at("old.pal"))).tombstones).toBe(0);
    expect(await naive.session().get("secret")).toBeDefined();
    const later = await open("later");
    await later.restore(at("new.pal"));
    expect(
      await later.session({ trust: "user" }).remember("The zanzibar canary sings", { id: "secret" }),
    ).toMatchObject({
      code: "ERASED",
    });
  });

  it("CA24 a damaged store gives no backup, and leaves no file", async () => {
    const store = await open("store");
    await fillStore(store, 8);
    await store.close();
    const file = join(at("store"), "palimpsest.db");
    const bytes = readFileSync(file);
    const place = bytes.indexOf("Memory 3 about");
    bytes[place] = 77 ^ 1;
    writeFileSync(file, bytes);
    const damaged = await open("store");
    expect(await failure(damaged.backup(at("bad.pal")))).toBe("DAMAGED");
    expect(existsSync(at("bad.pal"))).toBe(false);
    copyFileSync(file, at("kept"));
  });

  it("CA25 rebuilding changes no answer, and heals whatever was derived", async () => {
    const storage = sqliteStorage(at("store"));
    const store = await openStore(storage);
    stores.push(store);
    await fillStore(store);
    await store.settle();
    const before = await told(store);
    const nodes = [];
    for await (const { hash } of storage.scan({ kinds: ["node"] })) nodes.push(hash);
    await storage.remove(nodes);
    const { seq, epoch } = await storage.version();
    await storage.rebuild((async function* () {})(), seq);
    expect(await store.verify()).toMatchObject({ ok: false });
    const report = await store.rebuild();
    expect(report.events).toBeGreaterThan(40);
    expect(report.nodes).toBeGreaterThan(0);
    expect((await storage.version()).epoch).toBe(epoch + 2);
    expect(await store.verify()).toMatchObject({ ok: true, problems: [] });
    expect(await told(store)).toEqual(before);
    const other = await open("store");
    expect(await told(other)).toEqual(before);
  });
});

it.skipIf(process.platform === "win32")(
  "CA159 a backup that cannot be opened is an error of the call, also of one that is refused before it is read",
  async () => {
    const socket = at("socket");
    const server = createServer().listen(socket);
    await once(server, "listening");
    const uncaught: unknown[] = [];
    const note = (error: unknown) => uncaught.push(error);
    process.on("uncaughtException", note);
    try {
      const target = await open("memory");
      expect(await failure(target.restore(socket))).toBe("INVALID_FILE");
      await fillStore(target);
      expect(await failure(target.restore(socket))).toBe("REFUSED");
      await new Promise((later) => setTimeout(later, 50));
      expect(uncaught).toEqual([]);
    } finally {
      process.off("uncaughtException", note);
      server.close();
    }
  },
);
