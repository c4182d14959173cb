import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStore, sqliteStorage } from "../src/index.js";
import { seeded } from "./_damage.js";

const TORTURE = process.env.PAL_TORTURE === "1";
const ROOT = join(import.meta.dirname, "..");
const SEED = Number(process.env.PAL_SEED ?? 1);

let directory: string;
beforeEach(() => {
  expect(existsSync(join(ROOT, "dist/index.js")), "run `npm run build` first").toBe(true);
  directory = mkdtempSync(join(tmpdir(), "pal-processes-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

interface Acknowledged {
  readonly id: string;
  readonly hash: string;
}

/** Runs one writer; resolves with what it was told before it ended, however it ended. */
function writer(name: string, count: number, killAt = 0, when = "before"): Promise<Acknowledged[]> {
  return new Promise((resolve, reject) => {
    const args = [join(ROOT, "test/_writer.mjs"), directory, name, count, killAt, when].map(String);
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    let out = "";
    let err = "";
    child.stdout.on("data", (data) => {
      out += data;
    });
    child.stderr.on("data", (data) => {
      err += data;
    });
    child.on("close", (code, signal) => {
      if (code !== 0 && signal !== "SIGKILL") return reject(new Error(`${name}: ${err}`));
      resolve(
        out
          .split("\n")
          .slice(0, -1)
          .map((row) => JSON.parse(row)),
      );
    });
  });
}

/** Every acknowledged version is in the history of its memory, the store is whole, nothing temporary lies about. */
async function expectAllThere(acknowledged: readonly Acknowledged[]): Promise<void> {
  const store = await openStore(sqliteStorage(directory));
  const pal = store.session({ agent: "reader" });
  const histories = new Map<string, Set<string | undefined>>();
  for (const { id, hash } of acknowledged) {
    if (!histories.has(id))
      histories.set(id, new Set((await pal.history(id)).map((version) => version.hash)));
    expect(histories.get(id)?.has(hash), `${id} ${hash} was acknowledged`).toBe(true);
  }
  expect((await store.verify()).problems).toEqual([]);
  await store.close();
  expect(readdirSync(directory).filter((file) => file.includes("tmp"))).toEqual([]);
}

describe("many processes on one store", () => {
  test("K1 several writers at once: every acknowledged write is there, one topic is one memory, the store is whole", async () => {
    const count = TORTURE ? 500 : 60;
    const told = await Promise.all(Array.from({ length: 4 }, (_, at) => writer(`w${at}`, count)));
    expect(told.map((list) => list.length)).toEqual(Array.from({ length: 4 }, () => count));
    await expectAllThere(told.flat());
  });

  test(`K2 writers that are killed at any transaction lose nothing that was acknowledged (seed ${SEED})`, async () => {
    const random = seeded(SEED);
    const acknowledged: Acknowledged[] = [];
    for (let round = 0; round < (TORTURE ? 250 : 6); round++) {
      const told = await Promise.all(
        Array.from({ length: 4 }, (_, at) => {
          const killAt = 1 + Math.floor(random() * 25);
          return writer(`r${round}w${at}`, 30, killAt, random() < 0.5 ? "before" : "after");
        }),
      );
      acknowledged.push(...told.flat());
    }
    expect(acknowledged.length).toBeGreaterThan(50);
    await expectAllThere(acknowledged);
  });
});
