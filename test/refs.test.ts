import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sqliteStorage } from "../src/index.js";
import { seeded } from "./_damage.js";
import { notLinearizable, type RefCall } from "./_linear.js";
import { PATIENCE, ROOT, SEED, TORTURE, tell } from "./_processes.js";
import { expectLinearizable } from "./_swaps.js";

/** By trying every order: slow, but beyond doubt. */
function isLinearizable(calls: readonly RefCall[], last: string | null): boolean {
  const search = (left: readonly RefCall[], value: string | null): boolean => {
    if (left.every(({ result }) => result === "unknown") && value === last) return true;
    const earliestEnd = Math.min(...left.map(({ end }) => end));
    return left.some((call) => {
      if (call.start > earliestEnd) return false;
      const rest = left.filter((other) => other !== call);
      if (call.kind === "read") return call.value === value && search(rest, value);
      const hits = (call.expect ?? null) === value;
      if (call.result === "ok") return hits && search(rest, call.value);
      if (call.result === "stale") return !hits && search(rest, value);
      return (hits && search(rest, call.value)) || search(rest, value);
    });
  };
  return search(calls, null);
}

/** Histories of a real register, some of whose answers are then changed. */
const history = fc
  .record({
    steps: fc.array(
      fc.record({
        kind: fc.constantFrom("read" as const, "swap" as const),
        before: fc.integer({ min: 0, max: 4 }),
        after: fc.integer({ min: 0, max: 4 }),
        stale: fc.boolean(),
        killed: fc.boolean(),
        lies: fc.integer({ min: 0, max: 9 }),
      }),
      { maxLength: 7 },
    ),
  })
  .map(({ steps }) => {
    let value: string | null = null;
    const values: (string | null)[] = [null];
    const calls = steps.map((step, at): RefCall => {
      const span = { start: at * 2 - step.before, end: at * 2 + step.after };
      const lie = step.lies === 0 ? (values[at % values.length] ?? null) : value;
      if (step.kind === "read") return { ...span, kind: "read", value: lie, result: "ok" };
      const next = `v${at}`;
      const expect = step.stale ? (values[step.before % values.length] ?? null) : value;
      if (step.killed && step.lies < 5) {
        if (expect === value && step.lies < 3) {
          value = next;
          values.push(next);
        }
        return {
          ...span,
          end: Number.POSITIVE_INFINITY,
          kind: "swap",
          value: next,
          expect,
          result: "unknown",
        };
      }
      const hits = expect === value;
      if (hits) {
        value = next;
        values.push(next);
      }
      const result = (step.lies === 1 ? !hits : hits) ? "ok" : "stale";
      return { ...span, kind: "swap", value: next, expect, result };
    });
    return { calls, last: value };
  });

describe("refs as registers", PATIENCE, () => {
  test("the checker accepts what some order explains, and nothing else", () => {
    const counts = { yes: 0, no: 0 };
    fc.assert(
      fc.property(history, ({ calls, last }) => {
        const truth = isLinearizable(calls, last);
        counts[truth ? "yes" : "no"]++;
        const said = notLinearizable(calls, last);
        if (truth) expect(said).toBeUndefined();
        else expect(said).toBeDefined();
      }),
      { seed: SEED, numRuns: TORTURE ? 20_000 : 2_000 },
    );
    expect(Math.min(counts.yes, counts.no)).toBeGreaterThan(100);
  });

  test(`K8 reads and swaps of refs by four processes, some of them killed, are linearizable (B7, seed ${SEED})`, async () => {
    expect(existsSync(join(ROOT, "dist/index.js")), "run `npm run build` first").toBe(true);
    const random = seeded(SEED);
    let [swaps, unknown] = [0, 0];
    const histories = TORTURE ? 500 : 8;
    for (let round = 0; round < histories; round++) {
      const directory = mkdtempSync(join(tmpdir(), "pal-refs-"));
      const history = await expectLinearizable(directory, sqliteStorage, round, random);
      swaps += history.swaps;
      unknown += history.unknown;
      rmSync(directory, { recursive: true });
    }
    tell(`B7: ${histories} histories, ${swaps} swaps, ${unknown} of killed processes`);
  });
});
