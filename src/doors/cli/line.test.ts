import { expect, it } from "vitest";
import { clean, folded, indent, Line, line, oneLine, paintWith } from "./line.js";
import { shortId, table, withShortIds } from "./show.js";
import { cut, widthOf } from "./width.js";

it("C16 a line cleans what is put into it, with and without colours, and cannot be made in another way", () => {
  const evil = "\u001b[31mred\u0007";
  expect(line`a ${evil} b`.text).toBe("a ⟨U+001B⟩[31mred⟨U+0007⟩ b");
  expect(paintWith(false).red(evil).text).toBe("⟨U+001B⟩[31mred⟨U+0007⟩");
  expect(paintWith(true).red(evil).text).toBe("\u001b[31m⟨U+001B⟩[31mred⟨U+0007⟩\u001b[39m");
  // @ts-expect-error the key is not exported
  expect(() => new Line(Symbol("line"), evil, 1)).toThrow(TypeError);
});

it("C18 colours take no columns, wide characters two, marks none", () => {
  expect(paintWith(true).bold("漢字").columns).toBe(4);
  expect(line`${"é"}${"e\u0301"}🎉x`.columns).toBe(5);
  expect(line`${clean("ab").padEnd(4)}|`.text).toBe("ab  |");
  expect(widthOf("")).toBe(0);
});

it("C18 a text is cut where the columns end, never inside a character", () => {
  expect(cut("hello world", 11)).toBe("hello world");
  expect(cut("hello world", 8)).toBe("hello w…");
  expect(cut("漢字漢字", 6)).toBe("漢字…");
  expect(cut("漢字漢字", 8)).toBe("漢字漢字");
  expect(cut("e\u0301e\u0301e\u0301e\u0301", 3)).toBe("e\u0301e\u0301…");
  expect(cut("🎉🎉🎉", 5)).toBe("🎉🎉…");
  for (let columns = 1; columns < 30; columns++)
    expect(widthOf(cut("a漢e\u0301🎉 b字 and more text 日本語", columns))).toBeLessThanOrEqual(columns);
  expect(oneLine("  two\n\n lines\tand  more ", 100).text).toBe("two lines and more");
  expect(indent("a\nb", "> ").text).toBe("> a\n> b");
});

it("C320 the values of a table stay in their column when they are broken", () => {
  const paint = paintWith(false);
  const rows = table(
    [
      ["scopes", clean("shared 5  project/site 4  agent/ann 3")],
      ["id", "x"],
    ],
    paint,
    8,
  );
  expect(rows.map((row) => folded(row, 30).text)).toEqual([
    "scopes    shared 5\n          project/site 4\n          agent/ann 3",
    "id        x",
  ]);
  expect(folded(indent(rows[0] as Line), 32).text.split("\n")[1]).toBe("            project/site 4");
  expect(folded(rows[0] as Line, 16).text).not.toMatch(/^ {10}/m);
});

it("C330 ids that nobody chose are shown by eight characters, whichever system made them", () => {
  expect(shortId("62f7d0dd-aa68-80ef-af93-0123456789ab")).toBe("456789ab");
  expect(shortId("mem-01a1ec17-8d97-751f-9bb1-35dd14d9690c")).toBe("14d9690c");
  expect(shortId("topic-e3b2643f2d40ec5245d1bde6c2cea131")).toBe("topic-e3b2643f");
  expect(shortId("ann-home")).toBe("ann-home");
  expect(withShortIds("pal get 62f7d0dd-aa68-80ef-af93-0123456789ab")).toBe("pal get 456789ab");
});
