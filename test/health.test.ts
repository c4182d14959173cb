import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { memoryStorage, openStore, type Storage, sqliteStorage } from "../src/index.js";
import { spaceProblem, waitingProblem } from "../src/storage/sqlite/care.js";
import { systemDriver } from "../src/storage/sqlite/driver.js";
import { withFaults } from "../src/storage/testing.js";
import { Ran, Shell } from "./_cli.js";

const MAIN = join(import.meta.dirname, "../dist/doors/cli/main.js");

let shell: Shell;
beforeEach(() => {
  shell = new Shell();
});
afterEach(() => {
  vi.useRealTimers();
  shell.remove();
});

const DAY_MS = 86_400_000;
const namesOf = ({ problems }: { readonly problems: readonly { readonly problem: string }[] }) =>
  problems.map(({ problem }) => problem);

async function healthOf(storage: Storage | string, clock = Date.now) {
  const store = await openStore(storage, { clock });
  const health = await store.health();
  await store.close();
  return health;
}

async function sql(statement: string): Promise<void> {
  const driver = await systemDriver();
  const db = driver.open(`file:${join(shell.store, "palimpsest.db")}`, { timeout: 1000 });
  db.exec(statement);
  db.close();
}

/** Runs `pal` as a user who is not root, because permissions mean nothing to root. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
function palAsNobody(...args: string[]) {
  const { status, stdout } = spawnSync(process.execPath, [MAIN, ...args, "-C", shell.store], {
    encoding: "utf8",
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  });
  return new Ran(status ?? -1, stdout, "");
}

describe("health", () => {
  it("H20 a healthy store can be read and written, and says so to store and session", async () => {
    await shell.pal("remember", "One");
    for (const storage of [sqliteStorage(shell.store), memoryStorage()]) {
      const store = await openStore(storage);
      const pal = store.session({ agent: "ann" });
      await pal.remember("Two");
      const health = await pal.health();
      expect(health).toMatchObject({ ok: true, exists: true, canRead: true, canWrite: true, problems: [] });
      expect(health).toMatchObject({ checked: "everything", lastCommit: expect.any(String) });
      expect(await store.health()).toMatchObject({ ok: true });
      await store.close();
      await expect(store.health()).rejects.toMatchObject({ code: "CLOSED" });
    }
  });

  it("H21 a store that is not there yet is no illness, and looking creates nothing", async () => {
    expect(await healthOf(shell.store)).toMatchObject({ ok: true, exists: false, canWrite: true });
    const ran = await shell.pal("doctor", "--json");
    expect(ran.code).toBe(1);
    expect(ran.json).toMatchObject({ exists: false, canWrite: true });
    expect((await shell.pal("list")).code).toBe(1);
  });

  it("H22 health reports a directory or a file that may not be written, and never calls such a store well", async () => {
    await shell.pal("remember", "One");
    const file = join(shell.store, "palimpsest.db");
    chmodSync(shell.home, 0o755);
    chmodSync(shell.store, 0o555);
    chmodSync(file, 0o444);
    const closed = palAsNobody("doctor", "--json");
    expect(closed.code).toBe(3);
    expect(closed.json).toMatchObject({ ok: false, canWrite: false });
    expect(namesOf(closed.json)).toEqual(expect.arrayContaining(["directory-read-only", "file-read-only"]));

    chmodSync(shell.store, 0o755);
    if (isRoot) chownSync(shell.store, NOBODY, NOBODY);
    const half = palAsNobody("doctor");
    expect(half.code).toBe(3);
    expect(half.out).toContain("✗ cannot be written");
    expect(half.out).toMatch(/file-read-only .*palimpsest\.db\n.*\n {2}→ Give yourself write permission/);
    expect(half.out).not.toContain("All is well");
  });

  it("H23 health reports a place where no store can be created", () => {
    chmodSync(shell.home, 0o555);
    const ran = palAsNobody("doctor", "--json");
    chmodSync(shell.home, 0o755);
    expect(ran.code).toBe(3);
    expect(ran.json).toMatchObject({ ok: false, exists: false, canWrite: false });
  });

  it("H60 doctor reports a directory that may not be entered, and no command speaks of a file in it", async () => {
    await shell.pal("remember", "One");
    chmodSync(shell.home, 0o755);
    chmodSync(shell.store, isRoot ? 0o700 : 0);
    const ran = palAsNobody("doctor", "--json");
    const { stderr } = spawnSync(process.execPath, [MAIN, "list", "-C", shell.store], {
      encoding: "utf8",
      ...(isRoot && { uid: NOBODY, gid: NOBODY }),
    });
    chmodSync(shell.store, 0o700);
    expect(ran.code).toBe(3);
    expect(ran.json).toMatchObject({ ok: false, canRead: false, canWrite: false });
    expect((ran.json as { problems: unknown[] }).problems[0]).toMatchObject({
      problem: "directory-closed",
      object: shell.store,
      fix: `ls -ld ${shell.store}`,
    });
    expect(stderr).toContain(`The directory ${shell.store} may not be entered`);
    expect(stderr).not.toContain("config.yaml");
  });

  it("H61 doctor reports a file where the store should be, and a parent that may not be written; the cure fits", () => {
    writeFileSync(shell.store, "a file");
    chmodSync(shell.home, 0o755);
    const file = palAsNobody("doctor", "--json").json as { problems: readonly { fix: string }[] };
    expect(file.problems[0]).toMatchObject({ problem: "not-a-directory", object: shell.store });
    expect(file.problems.filter(({ fix }) => fix.includes("chmod"))).toEqual([]);
    rmSync(shell.store);
    chmodSync(shell.home, 0o555);
    const parent = palAsNobody("doctor", "--json").json as { problems: readonly { fix: string }[] };
    chmodSync(shell.home, 0o755);
    expect(parent.problems).toMatchObject([
      {
        problem: "directory-read-only",
        object: shell.home,
        fix: `${isRoot ? "ls -ld" : "chmod u+rwx"} ${shell.home}`,
      },
    ]);
  });

  it("H24 health reports a disk that is full, or nearly", async () => {
    expect(spaceProblem(1000, "/x")).toMatchObject({ problem: "disk-full", severity: "error" });
    expect(spaceProblem(10 << 20, "/x")).toMatchObject({ problem: "disk-nearly-full", severity: "warning" });
    expect(spaceProblem(1 << 30, "/x")).toBeUndefined();
    const storage = memoryStorage();
    const store = await openStore(storage);
    await store.session().remember("One");
    // The write is the fifth call.
    const health = await healthOf(withFaults(storage, { failAt: 5, code: "STORE_FULL" }));
    expect(health).toMatchObject({ ok: false, canRead: true, canWrite: false });
    expect(health.problems[0]).toMatchObject({
      problem: "STORE_FULL",
      next: expect.stringContaining("space"),
    });
  });

  const small = join(tmpdir(), `pal-small-${process.pid}`);
  const mounted = (): boolean => {
    mkdirSync(small, { recursive: true });
    return spawnSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", small]).status === 0;
  };
  it.skipIf(!isRoot || process.platform !== "linux")(
    "C293 where no room is left not even for reading, every command says that the disk is full (needs a mount)",
    (context) => {
      if (!mounted()) return context.skip();
      try {
        const store = join(small, "store");
        const ran = (...args: string[]) =>
          spawnSync(process.execPath, [MAIN, ...args, "--store", store], { encoding: "utf8" });
        expect(ran("remember", "Likes tea").status).toBe(0);
        try {
          writeFileSync(join(small, "rest"), Buffer.alloc(4 << 20));
        } catch {
          // Full: that is what it is for.
        }
        for (const args of [["list"], ["remember", "More"], ["verify"], ["status"]]) {
          const { status, stderr } = ran(...args);
          expect([status, stderr]).toEqual([3, expect.stringContaining("The disk of the store is full")]);
        }
        const { status, stdout } = ran("doctor", "--json");
        expect(status).toBe(3);
        expect(namesOf(JSON.parse(stdout))).toEqual(["disk-full", "STORE_FULL"]);
      } finally {
        spawnSync("umount", [small]);
        rmSync(small, { recursive: true, force: true });
      }
    },
  );

  it.skipIf(!isRoot || process.platform !== "linux")(
    "H62 doctor reports a read-only disk as such, and a full one does not count as written to (needs a mount)",
    (context) => {
      if (!mounted()) return context.skip();
      try {
        const store = join(small, "store");
        const ran = (...args: string[]) =>
          spawnSync(process.execPath, [MAIN, ...args, "--store", store], { encoding: "utf8" }).stdout;
        ran("remember", "Likes tea");
        writeFileSync(join(small, "rest"), Buffer.alloc(1500 << 10));
        const full = ran("doctor");
        expect(full).toContain("✗ disk-full");
        expect(full).not.toContain("✓ can be written");
        rmSync(join(small, "rest"));
        spawnSync("mount", ["-o", "remount,ro", small]);
        const { problems } = JSON.parse(ran("doctor", "--json"));
        expect(problems[0]).toMatchObject({ problem: "file-system-read-only", fix: `findmnt -T ${store}` });
        expect(problems.filter(({ fix }: { fix: string }) => fix.includes("chmod"))).toEqual([]);
      } finally {
        spawnSync("umount", [small]);
        rmSync(small, { recursive: true, force: true });
      }
    },
  );

  it("H25 health reports a damaged index and a damaged file in one call (B9)", async () => {
    const store = await openStore(shell.store);
    const pal = store.session();
    // So many at once are in the index with their commit.
    await pal.transaction(async (tx) => {
      for (let at = 0; at < 2_100; at++) await tx.remember(`Fact number ${at}`);
    });
    await store.close();
    await sql("DELETE FROM lookup WHERE prefix IN (SELECT prefix FROM lookup LIMIT 3)");
    const health = await healthOf(shell.store);
    expect(health).toMatchObject({ ok: false, canRead: true });
    expect(namesOf(health)).toContain("index-missing");
    const ran = await shell.pal("doctor");
    expect(ran.code).toBe(1);
    expect(ran.out).toContain("✗ index-missing");
  });

  it("H26 health reports commits of the future, and a clock that was set while the program ran", async () => {
    const ahead = await openStore(shell.store, { clock: () => Date.now() + DAY_MS });
    await ahead.session().remember("One");
    expect(namesOf(await ahead.health())).toEqual([]);
    await ahead.close();
    expect(namesOf(await healthOf(shell.store))).toEqual(["commits-in-the-future"]);
    expect((await shell.pal("doctor")).out).toContain("! commits-in-the-future");

    for (const days of [1, -1]) {
      const store = await openStore(memoryStorage());
      vi.useFakeTimers({ toFake: ["Date"] });
      vi.setSystemTime(Date.now() + days * DAY_MS);
      expect((await store.health()).problems).toMatchObject([
        { problem: "clock-was-set", object: `by ${days * 24}.00 hours` },
      ]);
      vi.useRealTimers();
    }
  });

  it("H27 health reports a network file system, a long tail of upkeep and a stale lease as warnings", async () => {
    await shell.pal("remember", "One");
    expect(waitingProblem(100, 512)).toBeUndefined();
    expect(waitingProblem(100_000, 512)).toMatchObject({ problem: "upkeep-waiting" });
    const storage = sqliteStorage(shell.store, { fileSystemType: () => 0x6969 });
    await storage.setSide("lease/thin", JSON.stringify({ fence: 3, owner: "1-gone-0" }));
    const health = await healthOf(storage);
    expect(health).toMatchObject({ ok: false, canRead: true, canWrite: true });
    expect(namesOf(health)).toEqual(["network-file-system", "lease-stale"]);
  });

  it("H28 whatever call fails, health answers, and never ok after a failed write (B9)", async () => {
    const storage = memoryStorage();
    await (await openStore(storage)).session().remember("One");
    const whole = withFaults(storage, {});
    await (await openStore(whole)).health();
    for (const forEver of [false, true])
      for (let failAt = 1; failAt <= whole.calls; failAt++) {
        const store = await openStore(withFaults(storage, { failAt, forEver, code: "STORE_IO" }));
        const health = await store.health();
        expect(health.ok, `call ${failAt}`).toBe(false);
        expect(namesOf(health)).toContain("STORE_IO");
        if (forEver && failAt === 1) expect(health).toMatchObject({ canRead: false, canWrite: false });
      }
  });

  it("H29 a look ends in time, and says that it has not seen everything", async () => {
    const store = await openStore(shell.store);
    await store.session().rememberMany(Array.from({ length: 1_000 }, (_, at) => `Fact number ${at}`));
    expect(await store.health({ budgetMs: 0 })).toMatchObject({ ok: true, checked: "part" });
    expect(await store.health({ budgetMs: Number.POSITIVE_INFINITY })).toMatchObject({
      checked: "everything",
    });
    await sleep(1);
    await store.close();
  });

  it("H30 doctor answers 0 when all is well, 1 for a negative answer, 3 when the store cannot be used", async () => {
    await shell.pal("remember", "One");
    const well = await shell.pal("doctor");
    expect(well.code).toBe(0);
    expect(well.out).toContain("All is well.");
    await sql("PRAGMA application_id = 7");
    const foreign = await shell.pal("doctor", "--json");
    expect(foreign.code).toBe(3);
    expect(foreign.json).toMatchObject({ ok: false, canRead: false, canWrite: false });
    expect(foreign.json.problems[0]).toMatchObject({ problem: "NOT_A_STORE", next: expect.any(String) });
  });
});
