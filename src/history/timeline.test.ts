import fc from "fast-check";
import { expect, it } from "vitest";
import { histories } from "./_histories.js";
import { timeline } from "./totals.js";

it("B87 a timeline has one row per line of history, every commit in one of them, and stays within its width", () => {
  fc.assert(
    fc.property(histories, fc.integer({ min: 1, max: 120 }), (commits, columns) => {
      const drawn = timeline(commits, columns);
      expect(drawn === undefined).toBe(commits.length === 0);
      expect((drawn?.rows ?? []).reduce((sum, row) => sum + row.commits, 0)).toBe(commits.length);
      for (const { cells, commits: count } of drawn?.rows ?? []) {
        expect([...cells]).toHaveLength(columns);
        expect(cells.trim()).toMatch(/^[●◆2-9+]([●◆2-9+─]*[●◆2-9+])?$/u);
        if (cells.includes("+")) continue;
        const shown = [...cells].reduce(
          (sum, cell) => sum + (/\d/.test(cell) ? Number(cell) : /[●◆]/u.test(cell) ? 1 : 0),
          0,
        );
        expect(shown).toBe(count);
      }
      expect((drawn?.ticks ?? []).every(({ column }) => column < columns)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

it("B87 the first commit stands at the left, the last at the right, others by their time", () => {
  const at = (day: number, name: string, links: string[], branches: string[] = []) => ({
    commit: name,
    links,
    branch: "work",
    branches,
    tags: [],
    time: new Date(Date.UTC(2026, 0, day)).toISOString(),
  });
  const drawn = timeline(
    [at(11, "d", ["c", "b"], ["main"]), at(6, "b", ["a"]), at(1, "c", ["a"]), at(1, "a", [])],
    11,
  );
  expect(drawn?.rows).toEqual([
    { name: "main", cells: "2─────────◆", commits: 3 },
    { name: "work", cells: "     ●     ", commits: 1 },
  ]);
  expect(drawn).toMatchObject({ from: "2026-01-01T00:00:00.000Z", to: "2026-01-11T00:00:00.000Z" });
});
