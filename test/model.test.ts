import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memoryStorage, sqliteStorage } from "../src/index.js";
import { command, commandsWithBreaks, compare, expectLikeModel, Model, runModel, runReal } from "./_model.js";
import { testStore } from "./_worlds.js";

const TORTURE = process.env.PAL_TORTURE === "1";
describe("random sequences of verbs against a plain model (B5)", () => {
  test("L1 in memory: verdicts, states, histories and logs are those of the model", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 30 }), async (commands) => {
        const { store } = await testStore(memoryStorage());
        const session = store.session();
        const model = new Model();
        for (const next of commands) expect(await runReal(session, next)).toBe(runModel(model, next));
        await compare(session, model);
        const report = await store.verify();
        expect(report.problems).toEqual([]);
      }),
      { numRuns: TORTURE ? 100_000 : 150 },
    );
  });

  test("L2 on SQLite, closed and opened again at any point: the same", async () => {
    await fc.assert(
      fc.asyncProperty(commandsWithBreaks, async (commands) => {
        const directory = mkdtempSync(join(tmpdir(), "pal-model-"));
        try {
          await expectLikeModel(commands, () => sqliteStorage(directory));
        } finally {
          rmSync(directory, { recursive: true });
        }
      }),
      { numRuns: TORTURE ? 10_000 : 25 },
    );
  });

  test("L3 the same writes, queued together or one after the other, give the same state root", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 25 }), async (commands) => {
        const roots = [];
        for (const together of [true, false]) {
          const { store } = await testStore(memoryStorage());
          const session = store.session();
          if (together) await Promise.all(commands.map((next) => runReal(session, next)));
          else for (const next of commands) await runReal(session, next);
          roots.push((await session.stats()).root);
        }
        expect(roots[0]).toBe(roots[1]);
      }),
      { numRuns: TORTURE ? 20_000 : 60 },
    );
  });
});
