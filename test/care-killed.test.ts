import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fillStore, told } from "../src/care/_filled.js";
import { openStore, type Store, sqliteStorage } from "../src/index.js";
import { PATIENCE, ROOT, rowsOf, run, TORTURE, tell } from "./_processes.js";

let directory: string;
beforeEach(() => {
  expect(existsSync(join(ROOT, "dist/index.js")), "run `npm run build` first").toBe(true);
  directory = mkdtempSync(join(tmpdir(), "pal-killed-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const open = (name: string): Promise<Store> =>
  openStore(sqliteStorage(join(directory, name)), { embedder: "none" });

/** A store with something to collect and something to squeeze. */
async function prepare(): Promise<unknown> {
  const store = await open("whole");
  const pal = await fillStore(store, 24);
  await pal.createBranch("gone");
  const gone = store.session({ agent: "bob", trust: "user", branch: "gone" });
  for (let n = 0; n < 12; n++) await gone.remember({ text: `Nobody needs ${n}`, type: "note" });
  await pal.deleteBranch("gone");
  await pal.rememberMany(
    Array.from({ length: 300 }, (_, n) => ({ id: `bulk-${n}`, text: `Bulk ${n}`, type: "note" })),
  );
  const before = await withoutOps(store);
  await store.close();
  return before;
}

/** The log of operations goes on growing; everything else must be as it was. */
async function withoutOps(store: Store): Promise<unknown> {
  const { ops: _, ...rest } = (await told(store)) as Record<string, unknown>;
  return rest;
}

/** Rows of commits that a killed gc dropped are derived from nothing and mislead nobody; the next gc takes them out. */
async function expectWhole(name: string, before: unknown, mayLeave: readonly string[] = []): Promise<void> {
  const store = await open(name);
  expect(await withoutOps(store)).toEqual(before);
  const { problems } = await store.verify();
  const errors = problems.filter(
    ({ severity, problem }) => severity === "error" && !mayLeave.includes(problem),
  );
  expect(errors).toEqual([]);
  await store.close();
}

describe("care that is killed", PATIENCE, () => {
  test.each(["gc", "compact"] as const)(
    "CA36 a process killed before, during or after any step of %s loses nothing, and the next one does it",
    async (verb) => {
      const before = await prepare();
      const killed = async (killAt: number, when: string) => {
        rmSync(join(directory, "cut"), { recursive: true, force: true });
        cpSync(join(directory, "whole"), join(directory, "cut"), { recursive: true });
        return run("test/_carer.mjs", [join(directory, "cut"), verb, killAt, when]);
      };
      const whole = await killed(0, "never");
      const [steps] = rowsOf<{ from: number; calls: number }>(whole);
      expect(whole.err).toBe("");
      await expectWhole("cut", before);
      const { from, calls } = steps as { from: number; calls: number };
      const stride = TORTURE ? 1 : Math.ceil((calls - from) / 4);
      let kills = 0;
      for (let at = from + 1; at <= calls; at += stride)
        for (const when of TORTURE
          ? ["before", "during", "after"]
          : [["before", "during", "after"][kills % 3]]) {
          // The signs of life of its lease are steps too, and not as many each time: the last ones may never come.
          const { signal } = await killed(at, when as string);
          if (signal === "SIGKILL") kills++;
          await expectWhole("cut", before, ["touch-extra"]);
          const again = await run("test/_carer.mjs", [join(directory, "cut"), verb, 0, "never"]);
          expect(again.err).toBe("");
          await expectWhole("cut", before);
        }
      expect(kills).toBeGreaterThan(2);
      tell(`${verb}: ${calls - from} steps, ${kills} kills`);
    },
  );
});
