import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PalimpsestError } from "../core/base/errors.js";
import type { Hash } from "../core/base/hash.js";
import { openStore, repairStore } from "../session/index.js";
import { type StoredObject, sqliteStorage } from "../storage/index.js";
import { type Database, systemDriver } from "../storage/sqlite/driver.js";
import { fillStore, told } from "./_filled.js";

const TORTURE = process.env.PAL_TORTURE === "1";
let home: string;
let pristine: Buffer;
let objects: (StoredObject & { at: number })[];
let told0: unknown;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "pal-repair-"));
  const storage = sqliteStorage(join(home, "store"));
  const store = await openStore(storage);
  const pal = await fillStore(store, 30);
  await pal.rememberMany(
    Array.from({ length: 150 }, (_, n) => ({
      id: `bulk-${n}`,
      text: `Bulk memory ${n} ${"lorem ipsum ".repeat(n % 60)}`,
      type: "note",
    })),
  );
  await pal.erase("bulk-149");
  told0 = await told(store);
  await store.close();
  pristine = readFileSync(join(home, "store", "palimpsest.db"));
  const again = sqliteStorage(join(home, "store"));
  objects = [];
  for await (const { hash, kind, bytes } of again.scan())
    if (kind !== "node") objects.push({ hash, kind, bytes, at: pristine.indexOf(bytes) });
  await again.close();
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

let count = 0;
async function repaired(bytes: Buffer) {
  const [from, to] = [join(home, `damaged-${++count}`), join(home, `saved-${count}`)];
  mkdirSync(from);
  writeFileSync(join(from, "palimpsest.db"), bytes);
  const report = await repairStore(from, to);
  expect(readFileSync(join(from, "palimpsest.db")).equals(bytes)).toBe(true);
  const storage = sqliteStorage(to);
  const kept = new Set<Hash>();
  for await (const { hash } of storage.scan()) kept.add(hash);
  await storage.close();
  rmSync(from, { recursive: true });
  return { report, kept, to };
}

/** Objects whose bytes are as they were, and that something intact names: nobody else could tell that they are any. */
function expected(bytes: Buffer): Hash[] {
  const intact = objects.filter(
    ({ at, bytes: own }) => at >= 0 && bytes.subarray(at, at + own.length).equals(own),
  );
  const named = new Set<string>();
  for (const { kind, bytes: own } of intact)
    if (kind !== "memory" && kind !== "note")
      for (const hash of Buffer.from(own)
        .toString("latin1")
        .match(/[0-9a-f]{64}/g) ?? [])
        named.add(hash);
  return intact.filter(({ hash }) => named.has(hash)).map(({ hash }) => hash);
}

function random(seed: number): (below: number) => number {
  let state = seed * 2654435761;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return (state >>> 0) % below;
  };
}

const DAMAGE: readonly [string, (bytes: Buffer, below: (n: number) => number) => Buffer][] = [
  ["one flipped bit", (bytes, below) => flip(bytes, below, 1)],
  ["many flipped bits", (bytes, below) => flip(bytes, below, 40)],
  ["a cut", (bytes, below) => bytes.subarray(0, 4096 + below(bytes.length - 4096))],
  ["pages of zeros", (bytes, below) => pages(bytes, below, () => Buffer.alloc(4096))],
  ["a page over another", (bytes, below) => pages(bytes, below, () => bytes.subarray(0, 4096))],
  ["the first page gone", (bytes) => Buffer.concat([Buffer.alloc(4096, 0xaa), bytes.subarray(4096)])],
  ["swapped pages", (bytes, below) => swap(bytes, below)],
];
function flip(bytes: Buffer, below: (n: number) => number, times: number): Buffer {
  const copy = Buffer.from(bytes);
  for (let n = 0; n < times; n++) copy[below(copy.length)]! ^= 1 << below(8);
  return copy;
}
function pages(bytes: Buffer, below: (n: number) => number, make: () => Buffer): Buffer {
  const copy = Buffer.from(bytes);
  for (let n = 0; n < 3; n++) make().copy(copy, below(copy.length / 4096) * 4096);
  return copy;
}
function swap(bytes: Buffer, below: (n: number) => number): Buffer {
  const copy = Buffer.from(bytes);
  const [a, b] = [below(copy.length / 4096) * 4096, below(copy.length / 4096) * 4096];
  bytes.copy(copy, a, b, b + 4096);
  bytes.copy(copy, b, a, a + 4096);
  return copy;
}

describe("repair (B4)", () => {
  it("CA40 of a whole store nothing is lost, and the new one answers the same", async () => {
    const { report, to } = await repaired(pristine);
    expect(report).toMatchObject({ lost: [], moved: [], ok: true });
    const store = await openStore(to);
    expect(await told(store)).toEqual(told0);
    expect(await store.verify()).toMatchObject({ ok: true, problems: [] });
    expect(await store.session({ agent: "ada", trust: "user" }).get("bulk-149")).toBeUndefined();
    await store.close();
  });

  it("CA41 of damaged stores every whole object is saved, without a crash and without touching the old one", async () => {
    const times = TORTURE ? 200 : 14;
    for (let seed = 0; seed < times; seed++) {
      const [name, damage] = DAMAGE[seed % DAMAGE.length]!;
      const bytes = damage(pristine, random(seed + 1));
      const found = await repaired(bytes).catch((error: PalimpsestError) => error);
      if (found instanceof PalimpsestError) {
        // A file that was cut to almost nothing: then there must have been nothing to save.
        expect([found.code, expected(bytes)], `${name} ${seed}`).toEqual(["DAMAGED", []]);
        continue;
      }
      const { report, kept, to } = found;
      const missing = expected(bytes).filter((hash) => !kept.has(hash));
      expect(missing, `${name} ${seed}`).toEqual([]);
      const store = await openStore(to);
      const list = await store.session({ agent: "ada" }).list({ limit: 1000 });
      expect(list.length, `${name} ${seed}`).toBeGreaterThan(report.memories === 0 ? -1 : 0);
      await store.close();
      rmSync(to, { recursive: true });
    }
  });

  it("CA42 what is lost is named by id and commit, and a branch goes back to its last whole commit", async () => {
    const lost = objects.find(
      ({ kind, at, bytes }) => kind === "memory" && at > 0 && Buffer.from(bytes).includes("Memory 29 about"),
    )!;
    const bytes = Buffer.from(pristine);
    bytes[lost.at + 10]! ^= 1;
    const { report, to } = await repaired(bytes);
    expect(report.lost).toEqual([
      { kind: "memory", hash: lost.hash, commit: expect.any(String), scope: "shared", id: "m-9" },
    ]);
    expect(report).toMatchObject({ moved: [], ok: false });
    const store = await openStore(to);
    expect((await store.session({ agent: "ada" }).list({ limit: 1000 })).length).toBeGreaterThan(150);
    await store.close();
    const head = objects.findLast(({ kind }) => kind === "commit")!;
    bytes[head.at + 10]! ^= 1;
    const second = await repaired(bytes);
    expect(second.report.moved.map(({ ref }) => ref)).toContain("heads/main");
    expect(second.report.memories).toBeGreaterThan(100);
  });

  it("CA160 a new store whose last writes stayed in its log is not taken for whole, and nothing of it is left", async () => {
    const to = join(home, "with-log");
    const driver = await systemDriver();
    const readers: Database[] = [];
    const onProgress = () => {
      const made = readdirSync(home).find((name) => name.startsWith("with-log."));
      if (readers.length > 0 || made === undefined) return;
      const reader = driver.open(`file:${join(home, made, "palimpsest.db")}`, { timeout: 0 });
      reader.exec("BEGIN");
      reader.prepare("SELECT count(*) FROM journal").get();
      readers.push(reader);
    };
    await expect(repairStore(join(home, "store"), to, { onProgress })).rejects.toMatchObject({
      code: "STORE_IO",
    });
    expect(readers.length).toBe(1);
    expect(readdirSync(home).filter((name) => name.startsWith("with-log"))).toEqual([]);
    for (const reader of readers) reader.close();
  });

  it("CA43 it goes into an empty place only, reads the log of a store that was never closed, and refuses what is no store", async () => {
    await expect(repairStore(join(home, "store"), join(home, "store"))).rejects.toMatchObject({
      code: "REFUSED",
    });
    await expect(repairStore(join(home, "nowhere"), join(home, "x"))).rejects.toMatchObject({
      code: "INVALID_FILE",
    });
    mkdirSync(join(home, "noise"));
    writeFileSync(join(home, "noise", "palimpsest.db"), "This is another file. ".repeat(1000));
    await expect(repairStore(join(home, "noise"), join(home, "x"))).rejects.toMatchObject({
      code: "DAMAGED",
    });
    const open = await openStore(join(home, "open"));
    await open.session().remember("Only in the log", { id: "log" });
    mkdirSync(join(home, "copied"));
    for (const name of ["palimpsest.db", "palimpsest.db-wal"])
      copyFileSync(join(home, "open", name), join(home, "copied", name));
    await repairStore(join(home, "copied"), join(home, "from-log"));
    const saved = await openStore(join(home, "from-log"));
    expect((await saved.session().get("log"))?.text).toBe("Only in the log");
    await saved.close();
    await open.close();
  });

  it("CA174 a repair does not put a store beside the log of another", async () => {
    const to = join(home, "with-old-log");
    mkdirSync(to);
    writeFileSync(join(to, "palimpsest.db-wal"), "the log of a store that is gone");
    await expect(repairStore(join(home, "store"), to)).rejects.toMatchObject({
      code: "DAMAGED",
      message: expect.stringContaining("palimpsest.db-wal"),
    });
    expect(readdirSync(to)).toEqual(["palimpsest.db-wal"]);
  });

  it("CA175 a repair of a file in which nothing is left names the backup, and no command that cannot help", async () => {
    mkdirSync(join(home, "hopeless"));
    writeFileSync(join(home, "hopeless", "palimpsest.db"), "");
    await expect(repairStore(join(home, "hopeless"), join(home, "x"))).rejects.toMatchObject({
      code: "DAMAGED",
      hint: expect.stringMatching(/^(?!.*pal verify).*pal restore/),
    });
  });

  it("CA176 a store of a newer program is STORE_NEWER for a repair too, and nothing is made", async () => {
    const bytes = Buffer.from(pristine);
    bytes.writeUInt32BE(99, 60);
    const [from, to] = [join(home, "newer"), join(home, "of-newer")];
    mkdirSync(from);
    writeFileSync(join(from, "palimpsest.db"), bytes);
    await expect(repairStore(from, to)).rejects.toMatchObject({ code: "STORE_NEWER" });
    expect(readdirSync(home).filter((name) => name.startsWith("of-newer"))).toEqual([]);
    bytes.writeUInt32BE(0x80000003, 60);
    writeFileSync(join(from, "palimpsest.db"), bytes);
    expect(await repairStore(from, to)).toMatchObject({ ok: true, lost: [] });
  });
});
