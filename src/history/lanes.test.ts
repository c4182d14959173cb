import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { histories } from "./_histories.js";
import type { Drawable } from "./lanes.js";
import { type LaneRow, laneRows } from "./lanes.js";

const RUNS = process.env.PAL_TORTURE === "1" ? 100_000 : 300;
const ARMS: Readonly<Record<string, string>> = {
  "│": "ud",
  "╯": "ul",
  "╰": "ur",
  "╮": "dl",
  "╭": "dr",
  "┤": "udl",
  "├": "udr",
  "─": "lr",
  "┴": "ulr",
  "┬": "dlr",
  "┼": "udlr",
};

/** Which commits the lines below a commit lead to, read from the characters alone, as an eye would. */
function parentsSeen(rows: readonly LaneRow[], from: number): string[] {
  const charAt = (row: number, column: number) => rows[row]?.cells[column]?.char ?? " ";
  const isCommit = (char: string) => char === "●" || char === "◆";
  const found: string[] = [];
  const down = (row: number, column: number): void => {
    const char = charAt(row, column);
    if (isCommit(char)) found.push(rows[row]?.commit as string);
    else if (ARMS[char]?.includes("u")) {
      if (ARMS[char]?.includes("d")) down(row + 1, column);
      else aside(row, column, char.match(/[╯┴]/) ? -1 : 1);
    } else throw new Error(`a line ends at row ${row}, column ${column}`);
  };
  // A line that came from above runs to the commit of the row.
  const aside = (row: number, column: number, step: number): void => {
    let at = column + step;
    while (!isCommit(charAt(row, at))) {
      if (at < 0 || at > 200 || charAt(row, at) === " ") throw new Error(`a gap in row ${row}`);
      at += step;
    }
    found.push(rows[row]?.commit as string);
  };
  const own = rows[from]?.cells.findIndex(({ char }) => isCommit(char)) as number;
  for (const [step, arm] of [
    [1, "l"],
    [-1, "r"],
  ] as const)
    for (let at = own + step; charAt(from, at) !== " " && at >= 0; at += step) {
      const arms = ARMS[charAt(from, at)] ?? "";
      if (arms.includes("d") && arms.includes(arm)) down(from + 1, at);
      if (!arms.includes(step > 0 ? "r" : "l") && arms.includes(arm)) break;
    }
  if (rows[from]?.below[own]?.char === "│") down(from + 1, own);
  return found;
}

const picture = (rows: readonly LaneRow[]): string[] =>
  rows.map(({ cells }) => cells.map(({ char }) => char).join(""));

const commit = (name: string, links: string[], branches: string[] = []): Drawable => ({
  commit: name,
  links,
  branch: "main",
  branches,
  tags: [],
  time: "2026-01-01T00:00:00.000Z",
});

describe("lanes", () => {
  it("B80 every commit has one row, in order, and every line leads from a commit to each of its parents and nowhere else", () => {
    fc.assert(
      fc.property(histories, (commits) => {
        const rows = laneRows(commits);
        expect(rows.map((row) => row.commit)).toEqual(commits.map((item) => item.commit));
        for (const [index, { links }] of commits.entries()) {
          const marks = rows[index]?.cells.filter(({ char }) => char === "●" || char === "◆");
          expect(marks).toHaveLength(1);
          expect(marks?.[0]?.char).toBe(links.length > 1 ? "◆" : "●");
          expect(parentsSeen(rows, index).sort()).toEqual([...links].sort());
        }
      }),
      { numRuns: RUNS },
    );
  });

  it("B81 a lane below a commit goes on in the next row, in its own colour, and no line comes out of nothing", () => {
    fc.assert(
      fc.property(histories, (commits) => {
        const rows = laneRows(commits);
        for (const [index, { below, cells }] of rows.entries()) {
          const next = rows[index + 1]?.cells ?? [];
          for (let column = 0; column < Math.max(below.length, next.length); column += 2) {
            const [here, there] = [below[column], next[column]];
            const hasUp = (ARMS[there?.char ?? ""] ?? "").includes("u");
            const isCommit = there?.char === "●" || there?.char === "◆";
            if (here?.char === "│") {
              expect(hasUp || isCommit).toBe(true);
              expect(there?.color).toBe(here.color);
            } else expect(hasUp).toBe(false);
          }
          expect(cells.at(-1)?.char).not.toBe(" ");
        }
        expect(rows.at(-1)?.below ?? []).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it("B82 main has the first lane; merges and branches bend in the row of their commit", () => {
    const rows = laneRows([
      commit("w2", ["w1"], ["work"]),
      commit("m2", ["m1", "w1"], ["main"]),
      commit("w1", ["m0"]),
      commit("m1", ["m0"]),
      commit("m0", []),
    ]);
    expect(picture(rows)).toEqual(["  ●", "◆─┤", "│ ●", "● │", "●─╯"]);
    expect(rows[1]?.below.map(({ char }) => char).join("")).toBe("│ │");
  });

  it("B83 a line that crosses others looks different from one that meets them", () => {
    const rows = laneRows([
      commit("m", ["a", "z"], ["main"]),
      commit("x", ["b"], ["x"]),
      commit("n", ["a", "y", "b"], ["n"]),
      commit("z", ["a"]),
      commit("y", ["a"]),
      commit("b", ["a"]),
      commit("a", []),
    ]);
    expect(picture(rows)).toEqual([
      "◆─╮",
      "│ │ ●",
      "│ │ ├─◆─╮",
      "│ ● │ │ │",
      "│ │ │ │ ●",
      "│ │ ● │ │",
      "●─┴─┴─┴─╯",
    ]);
    const crossing = laneRows(
      [
        commit("s", ["c"], ["s"]),
        commit("t", ["d"], ["t"]),
        commit("u", ["c", "e"], ["u"]),
        commit("v", ["u"]),
      ]
        .slice(0, 2)
        .concat([commit("m", ["c", "e"], ["main"]), commit("e", []), commit("d", []), commit("c", [])]),
    );
    expect(picture(crossing)[2]).toBe("◆─│─│─╮");
  });
});
