import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../src/index.js";
import { Shell } from "./_cli.js";
import { bare, HELLO, type Place, place } from "./_mcp.js";
import { PATIENCE, ROOT, TORTURE } from "./_processes.js";

const PAL = join(ROOT, "dist/doors/cli/main.js");

let home: string;
let store: string;
beforeEach(() => {
  expect(existsSync(PAL), "run `npm run build` first").toBe(true);
  home = mkdtempSync(join(tmpdir(), "pal-moved-"));
  store = join(home, "store");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

interface Row {
  readonly id?: string;
  readonly hash: string;
  readonly at: number;
  readonly code?: string;
}

class Lasting {
  readonly rows: Row[] = [];
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<number | null>;

  constructor(directory: string, name: string) {
    this.child = spawn(process.execPath, [join(ROOT, "test/_lasting.mjs"), directory, name]);
    let rest = "";
    this.child.stdout.on("data", (data) => {
      const lines = (rest + String(data)).split("\n");
      rest = lines.pop() ?? "";
      this.rows.push(...lines.map((line) => JSON.parse(line) as Row));
    });
    this.ended = new Promise((resolve) => this.child.on("close", resolve));
  }

  async wrote(count: number): Promise<void> {
    await expect
      .poll(() => this.rows.length, { timeout: 60_000, interval: 10 })
      .toBeGreaterThanOrEqual(count);
  }

  get acknowledged(): Row[] {
    return this.rows.filter(({ id }) => id !== undefined);
  }

  get refused(): Row | undefined {
    return this.rows.find(({ code }) => code !== undefined);
  }
}

async function expectAllThere(directory: string, rows: readonly Row[], where: string): Promise<void> {
  const opened = await openStore(directory);
  const pal = opened.session({ agent: "reader" });
  for (const { id } of rows)
    expect((await pal.get(id as string))?.text, `${id} was acknowledged, ${where}`).toBeDefined();
  expect((await opened.verify()).problems).toEqual([]);
  await opened.close();
}

/** Acknowledged at least once a second means: no later than this, on a machine that is busy too. */
const LATEST_MS = 2_500;

/** What is done to a store that is written to; answers where it is to be found afterwards. */
const moves: Readonly<Record<string, () => string | undefined>> = {
  "the folder is renamed": () => {
    renameSync(store, join(home, "elsewhere"));
    return join(home, "elsewhere");
  },
  "the file alone is moved": () => {
    mkdirSync(join(home, "alone"));
    renameSync(join(store, "palimpsest.db"), join(home, "alone", "palimpsest.db"));
    return join(home, "alone");
  },
  "the folder is removed": () => {
    rmSync(store, { recursive: true });
    return undefined;
  },
  "a folder takes its place": () => {
    renameSync(store, join(home, "old"));
    cpSync(join(home, "old"), store, { recursive: true });
    return join(home, "old");
  },
  "a copy takes the place of its file": () => {
    cpSync(join(store, "palimpsest.db"), join(home, "copy.db"));
    renameSync(join(store, "palimpsest.db"), join(home, "palimpsest.db"));
    renameSync(join(home, "copy.db"), join(store, "palimpsest.db"));
    return home;
  },
  "it is restored from a backup": () => {
    const backup = join(home, "backup");
    const ran = (...args: string[]) =>
      spawnSync(process.execPath, [PAL, ...args, "-C", store], { encoding: "utf8" });
    expect(ran("backup", backup)).toMatchObject({ status: 0 });
    renameSync(store, join(home, "old"));
    expect(ran("restore", backup)).toMatchObject({ status: 0 });
    return join(home, "old");
  },
  "its log is removed": () => {
    rmSync(join(store, "palimpsest.db-wal"));
    return store;
  },
};

describe("a store that is taken away from processes that write", PATIENCE, () => {
  it.each(Object.entries(moves))(
    "K209 %s: within about a second writers get STORE_MOVED, and whatever they acknowledged is in the file",
    async (_, move) => {
      for (let round = 0; round < (TORTURE ? 10 : 1); round++) {
        rmSync(home, { recursive: true, force: true });
        mkdirSync(home);
        const writers = ["a", "b"].map((name) => new Lasting(store, name));
        await Promise.all(writers.map((writer) => writer.wrote(10 + round * 7)));
        const place = move();
        const moved = Date.now();
        await Promise.all(writers.map(({ ended }) => ended));
        for (const { refused, acknowledged } of writers) {
          expect(refused?.code).toBe("STORE_MOVED");
          expect(Math.max(...acknowledged.map(({ at }) => at)) - moved).toBeLessThan(LATEST_MS);
        }
        if (place !== undefined)
          await expectAllThere(
            place,
            writers.flatMap(({ acknowledged }) => acknowledged),
            `round ${round}`,
          );
      }
    },
  );

  it("K210 a second name of the file: writers stop within about a second, nobody opens either name, and with one name all is there", async () => {
    const writer = new Lasting(store, "a");
    await writer.wrote(20);
    mkdirSync(join(home, "second"));
    linkSync(join(store, "palimpsest.db"), join(home, "second", "palimpsest.db"));
    await writer.ended;
    expect(writer.refused?.code).toBe("STORE_LINKED");
    for (const at of [store, join(home, "second")])
      for (const args of [["list"], ["remember", "Likes tea"], ["status"], ["doctor"]]) {
        const ran = spawnSync(process.execPath, [PAL, ...args, "-C", at], { encoding: "utf8" });
        expect([args, ran.status]).toEqual([args, 3]);
        expect(ran.stdout + ran.stderr).toContain("2 names");
      }
    rmSync(join(store, "palimpsest.db"));
    await expectAllThere(join(home, "second"), writer.acknowledged, "under its second name");
  });

  it("K211 writers by two paths, one of them through a link, are writers of one store", async () => {
    mkdirSync(store);
    symlinkSync(store, join(home, "link"));
    const writers = [new Lasting(store, "a"), new Lasting(join(home, "link"), "b")];
    await Promise.all(writers.map((writer) => writer.wrote(30)));
    for (const { child } of writers) child.stdin.write("end\n");
    await Promise.all(writers.map(({ ended }) => ended));
    expect(writers.map(({ refused }) => refused)).toEqual([undefined, undefined]);
    await expectAllThere(
      store,
      writers.flatMap(({ acknowledged }) => acknowledged),
      "by two paths",
    );
  });
});

describe("health of a store that was taken away", () => {
  it("H263 tells in one call that it was moved, and that its file has two names; doctor and status do", async () => {
    const opened = await openStore(store);
    await opened.session().remember("One");
    const file = join(store, "palimpsest.db");
    linkSync(file, join(home, "second.db"));
    expect(await opened.health()).toMatchObject({
      ...{ ok: false, canRead: false, canWrite: false },
      problems: [{ problem: "STORE_LINKED", next: expect.stringContaining("-samefile") }],
    });
    const shell = new Shell();
    expect((await shell.pal("doctor", "-C", store)).out).toContain("STORE_LINKED");
    expect((await shell.pal("status", "-C", store)).code).toBe(3);
    shell.remove();
    rmSync(join(home, "second.db"));
    expect(await opened.health()).toMatchObject({ ok: true });
    renameSync(store, join(home, "moved"));
    expect(await opened.health()).toMatchObject({
      ...{ ok: false, canRead: false, canWrite: false },
      problems: [{ problem: "STORE_MOVED" }],
    });
    renameSync(join(home, "moved"), store);
    expect(await opened.health()).toMatchObject({ ok: true, canRead: true, canWrite: true });
    await opened.close();
  });
});

describe("an MCP server whose store is taken away", PATIENCE, () => {
  let at: Place;
  beforeEach(() => {
    at = place();
  });
  afterEach(() => at.remove());

  it("J250 ends with the clear error, also when nobody asks it anything, and the next one serves what lies there", async () => {
    const server = bare(at);
    const add = { method: "tools/call", params: { name: "memory_add", arguments: { text: "Likes tea" } } };
    server.send(...HELLO, { id: 1, ...add });
    await expect.poll(() => server.out(), { timeout: 30_000 }).toContain('"verdict":"accepted"');
    const moved = `${at.store}-moved`;
    renameSync(at.store, moved);
    expect(await server.ended).toBe(3);
    expect(server.err()).toMatch(
      /The store was moved or removed while it was open: .*\n.*start the program anew/,
    );
    const next = bare(at);
    next.send(...HELLO, { id: 1, ...add });
    await expect.poll(() => next.out(), { timeout: 30_000 }).toContain('"verdict":"accepted"');
    next.child.stdin?.end();
    expect(await next.ended).toBe(0);
    for (const directory of [at.store, moved]) {
      const opened = await openStore(directory);
      expect(await opened.session({ agent: "tester" }).list(), directory).toHaveLength(1);
      await opened.close();
    }
    rmSync(moved, { recursive: true });
  });

  it("J250 answers a call that comes before it has noticed with STORE_MOVED and never with success", async () => {
    const server = bare(at);
    const add = (id: number) => ({
      ...{ id, method: "tools/call" },
      params: { name: "memory_add", arguments: { text: `Likes tea number ${id}` } },
    });
    server.send(...HELLO, add(1));
    await expect.poll(() => server.out(), { timeout: 30_000 }).toContain('"verdict":"accepted"');
    rmSync(at.store, { recursive: true });
    await sleep(1_010);
    server.send(add(2));
    await server.ended;
    expect(server.out().split('"verdict":"accepted"')).toHaveLength(2);
  });
});
