import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { hashOf, object, transaction } from "../contract/data.js";
import type { Storage } from "../port.js";
import { codeOf, testStore } from "./_store.js";
import { sqliteStorage } from "./index.js";

let later = 0;
beforeEach(() => {
  later = 0;
  const now = performance.now.bind(performance);
  const spy = vi.spyOn(performance, "now").mockImplementation(() => now() + later);
  onTestFinished(() => spy.mockRestore());
});
const secondPasses = () => {
  later += 1_001;
};

/** A store of its own folder in a folder of the test, open, with one memory in it that is only in the log. */
async function openStore() {
  const { directory: home, ...rest } = await testStore();
  const directory = join(home, "store");
  const file = join(directory, "palimpsest.db");
  const at = (path: string): Storage => {
    const storage = sqliteStorage(path);
    onTestFinished(() => storage.close().catch(() => undefined));
    return storage;
  };
  const storage = at(directory);
  const write = (text: string, to = storage) =>
    codeOf(to.transact(transaction({ put: [object("memory", text)] })));
  const has = async (text: string, where: Storage) =>
    (await where.get(object("memory", text).hash)) !== undefined;
  expect(await write("one")).toBe("no error");
  expect(await write("two")).toBe("no error");
  return { ...rest, home, directory, file, storage, at, write, has };
}
type Opened = Awaited<ReturnType<typeof openStore>>;

const calls: Readonly<Record<string, (storage: Storage) => Promise<unknown>>> = {
  transact: (storage) => storage.transact(transaction({ put: [object("memory", "three")] })),
  exclusive: (storage) => storage.exclusive(async () => undefined),
  setSide: (storage) => storage.setSide("key", "value"),
  putVectors: (storage) => storage.putVectors("m", [], 0),
  remove: (storage) => storage.remove([hashOf("x")]),
  rebuild: (storage) => storage.rebuild((async function* () {})(), 0),
  compact: (storage) => storage.compact(),
  get: (storage) => storage.get(hashOf("x")),
  version: (storage) => storage.version(),
  refs: (storage) => storage.refs(""),
  exists: (storage) => storage.exists(),
};

/** What is done to a store that is open; answers where it lies from now on, if anywhere. */
const moves: Readonly<Record<string, (opened: Opened) => string | undefined>> = {
  "its folder is renamed": ({ directory, home }) => {
    renameSync(directory, join(home, "elsewhere"));
    return join(home, "elsewhere");
  },
  "a folder above it is renamed": ({ home }) => {
    const moved = `${home}-moved`;
    renameSync(home, moved);
    onTestFinished(() => rmSync(moved, { recursive: true, force: true }));
    return join(moved, "store");
  },
  "its file alone is moved": ({ file, home }) => {
    mkdirSync(join(home, "alone"));
    renameSync(file, join(home, "alone", "palimpsest.db"));
    return join(home, "alone");
  },
  "its file is removed": ({ file }) => {
    rmSync(file);
    return undefined;
  },
  "its folder is removed": ({ directory }) => {
    rmSync(directory, { recursive: true });
    return undefined;
  },
  "its folder is removed and a file lies there": ({ directory }) => {
    rmSync(directory, { recursive: true });
    writeFileSync(directory, "a file");
    return undefined;
  },
};

describe("a store that is moved while it is open", () => {
  it.each(Object.entries(moves))(
    "S431 %s: within a second every call is STORE_MOVED, and what was acknowledged is where it lies now",
    async (_, move) => {
      const opened = await openStore();
      const { storage, at, has } = opened;
      const place = move(opened);
      secondPasses();
      for (const [name, call] of Object.entries(calls)) {
        await expect(call(storage), name).rejects.toMatchObject({
          code: "STORE_MOVED",
          hint: expect.stringContaining("start the program anew"),
        });
        secondPasses();
      }
      // Nothing is made in its place either.
      expect(existsSync(opened.file)).toBe(false);
      if (place !== undefined) {
        // Also for who takes the file alone while this one is open.
        const taken = join(dirname(place), "taken");
        mkdirSync(taken);
        copyFileSync(join(place, "palimpsest.db"), join(taken, "palimpsest.db"));
        expect(await has("two", at(taken))).toBe(true);
        expect(await has("two", at(place))).toBe(true);
        expect(await has("three", at(place))).toBe(false);
      }
      await storage.close();
    },
  );

  it("S431 its file is replaced by another store: STORE_MOVED, and the other stays as it is", async () => {
    const opened = await openStore();
    const { storage, home, file, at, write, has } = opened;
    const other = at(join(home, "other"));
    await write("of another", other);
    await other.close();
    renameSync(join(home, "other", "palimpsest.db"), file);
    secondPasses();
    expect(await write("three")).toBe("STORE_MOVED");
    expect(await codeOf(storage.get(hashOf("x")))).toBe("STORE_MOVED");
    await storage.close();
    expect(await codeOf(at(opened.directory).get(hashOf("x")))).not.toBe("STORE_MOVED");
    expect(await has("three", at(opened.directory))).toBe(false);
  });

  it("S431 a link in its path that leads elsewhere now: STORE_MOVED", async () => {
    const { home, directory, at, write } = await openStore();
    const link = join(home, "link");
    symlinkSync(directory, link);
    const linked = at(link);
    expect(await write("by the link", linked)).toBe("no error");
    rmSync(link);
    mkdirSync(link);
    secondPasses();
    expect(await write("three", linked)).toBe("STORE_MOVED");
  });

  it("S432 a file with a second name is STORE_LINKED at opening and, where it gets one later, within a second; with one name it goes on", async () => {
    const { storage, home, directory, file, at, write, has } = await openStore();
    const second = join(home, "second");
    mkdirSync(second);
    linkSync(file, join(second, "palimpsest.db"));
    expect(await codeOf(at(second).get(hashOf("x")))).toBe("STORE_LINKED");
    expect(await write("by another name", at(second))).toBe("STORE_LINKED");
    expect(await codeOf(at(directory).refs(""))).toBe("STORE_LINKED");
    secondPasses();
    expect(await write("three")).toBe("STORE_LINKED");
    expect(await write("three")).toBe("STORE_LINKED");
    // Each of them holds what was acknowledged.
    copyFileSync(join(second, "palimpsest.db"), join(home, "palimpsest.db"));
    expect(await has("two", at(home))).toBe(true);
    rmSync(join(second, "palimpsest.db"));
    expect(await write("three")).toBe("no error");
    expect(await has("three", storage)).toBe(true);
  });

  it("S433 the name under which a store was built, which a killed process left, is no second name", async () => {
    const { storage, file, directory, at, write } = await openStore();
    linkSync(file, `${file}.123.0123456789ab.tmp`);
    secondPasses();
    expect(await write("three")).toBe("no error");
    await storage.close();
    expect(await write("four", at(directory))).toBe("no error");
    linkSync(file, `${file}.copy`);
    expect(await write("five", at(directory))).toBe("STORE_LINKED");
  });

  it.each([
    ["its log is removed", ["-wal"], "removed"],
    ["the map of its log is removed", ["-shm"], "removed"],
    ["both are removed", ["-wal", "-shm"], "removed"],
    ["its log is replaced", ["-wal"], "replaced"],
  ])(
    "S434 %s: STORE_MOVED within a second, and what was acknowledged is in the file",
    async (_, suffixes, how) => {
      const { storage, file, home, at, write, has } = await openStore();
      for (const suffix of suffixes) {
        if (how === "replaced") copyFileSync(file + suffix, `${file}${suffix}.new`);
        rmSync(file + suffix);
        if (how === "replaced") renameSync(`${file}${suffix}.new`, file + suffix);
      }
      secondPasses();
      await expect(storage.transact(transaction({ put: [object("memory", "three")] }))).rejects.toMatchObject(
        {
          code: "STORE_MOVED",
          message: expect.stringContaining(`was ${how}`),
        },
      );
      const taken = join(home, "taken");
      mkdirSync(taken);
      copyFileSync(file, join(taken, "palimpsest.db"));
      expect(await has("two", at(taken))).toBe(true);
      expect(await has("three", at(taken))).toBe(false);
      secondPasses();
      expect(await write("four")).toBe("STORE_MOVED");
    },
  );

  it("S434 what another program wrote into the file meanwhile is not overwritten by the log that was removed", async () => {
    const { storage, file } = await openStore();
    renameSync(file, `${file}.moved`);
    // As a program would that finds the file in its new place, without the log.
    const theirs = (sql: string) =>
      spawnSync(process.execPath, [
        "-e",
        `const { DatabaseSync } = require("@photostructure/sqlite");
         const db = new DatabaseSync(process.argv[1]);
         console.log(JSON.stringify(db.prepare(process.argv[2]).all()));
         db.exec("PRAGMA wal_checkpoint(TRUNCATE)");`,
        ...[`${file}.moved`, sql],
      ]).stdout.toString();
    theirs("INSERT INTO side VALUES ('theirs', 'kept') RETURNING key");
    for (let seconds = 0; seconds < 3; seconds++) secondPasses();
    expect(await codeOf(storage.version())).toBe("STORE_MOVED");
    await storage.close();
    expect(theirs("SELECT value FROM side")).toContain("kept");
    expect(theirs("PRAGMA integrity_check")).toContain("ok");
  });

  it("S435 what was moved away and is back works on, and nothing is lost", async () => {
    const { storage, directory, home, write, has } = await openStore();
    renameSync(directory, join(home, "away"));
    secondPasses();
    expect(await write("three")).toBe("STORE_MOVED");
    renameSync(join(home, "away"), directory);
    expect(await write("three")).toBe("no error");
    for (const text of ["one", "two", "three"]) expect(await has(text, storage)).toBe(true);
  });

  it("S436 two paths that lead to one store by links have one log, also by a link to its file", async () => {
    const { storage, home, directory, file, at, write, has } = await openStore();
    symlinkSync(directory, join(home, "link"));
    mkdirSync(join(home, "files"));
    symlinkSync(file, join(home, "files", "palimpsest.db"));
    const others = [at(join(home, "link")), at(join(home, "files"))];
    for (const [n, other] of others.entries()) {
      expect(await write(`by link ${n}`, other)).toBe("no error");
      expect(await has(`by link ${n}`, storage)).toBe(true);
      expect(await write(`by path ${n}`)).toBe("no error");
      expect(await has(`by path ${n}`, other)).toBe(true);
    }
    expect(readdirSync(join(home, "files"))).toEqual(["palimpsest.db"]);
    for (const other of others) await other.close();
    expect(await write("at the end")).toBe("no error");
  });

  it("S437 a link that leads nowhere is STORE_UNREADABLE for reads and writes, and no store is made", async () => {
    const { home, at, write } = await openStore();
    symlinkSync(join(home, "missing"), join(home, "link"));
    mkdirSync(join(home, "files"));
    symlinkSync(join(home, "missing", "palimpsest.db"), join(home, "files", "palimpsest.db"));
    for (const name of ["link", "files"]) {
      const storage = at(join(home, name));
      expect(await codeOf(storage.get(hashOf("x")))).toBe("STORE_UNREADABLE");
      expect(await write("x", storage)).toBe("STORE_UNREADABLE");
    }
    expect(existsSync(join(home, "missing"))).toBe(false);
  });

  const canMount =
    process.platform === "linux" &&
    process.getuid?.() === 0 &&
    spawnSync("unshare", ["--mount", "true"]).status === 0;
  it.runIf(canMount)(
    "S432 a file that is mounted by itself is STORE_LINKED; a folder that is mounted works (needs a mount)",
    async (context) => {
      const { home, directory, file, at, write, has, storage } = await openStore();
      const [alone, whole] = [join(home, "alone"), join(home, "whole")];
      mkdirSync(alone);
      mkdirSync(whole);
      writeFileSync(join(alone, "palimpsest.db"), "");
      const mounted = [
        [file, join(alone, "palimpsest.db")],
        [directory, whole],
      ].filter(([from, to]) => spawnSync("mount", ["--bind", from!, to!]).status === 0);
      try {
        if (mounted.length < 2) return context.skip();
        expect(await write("alone", at(alone))).toBe("STORE_LINKED");
        const twin = at(whole);
        expect(await write("whole", twin)).toBe("no error");
        expect(await has("whole", storage)).toBe(true);
        await twin.close();
      } finally {
        for (const [, to] of mounted) spawnSync("umount", ["--lazy", to!]);
      }
    },
  );

  it("S439 it is looked up once a second and not with every write; what was acknowledged before the look is where the file lies", async () => {
    const { directory, home, at, write, has } = await openStore();
    secondPasses();
    expect(await write("looked")).toBe("no error");
    renameSync(directory, join(home, "moved"));
    expect(await write("unseen")).toBe("no error");
    secondPasses();
    expect(await write("seen")).toBe("STORE_MOVED");
    expect(await has("unseen", at(join(home, "moved")))).toBe(true);
    expect(await has("seen", at(join(home, "moved")))).toBe(false);
  });
});
