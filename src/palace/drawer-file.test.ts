import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asShown, parseDrawer, renderDrawer } from "./drawer-file.js";

const line = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    "- item",
    "* star",
    "# head",
    "```",
    "  - sub",
    "text",
    "",
    "<!-- ^id -->",
    "<!-- entries -->",
    "1. one",
    "---",
  ),
  fc.constantFrom("<!-- contested, x -->", "<!-- \\^x -->", "+", "\tcode", "> quote"),
);
const text = fc.array(line, { minLength: 1, maxLength: 5 }).map((lines) => lines.join("\n"));
const saying = text.filter((one) => one.trim() !== "");

describe("a drawer as a file", () => {
  it("PA20 says the same again when nobody edited it, whatever is in it", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }),
        text,
        fc.array(saying, { maxLength: 4 }),
        (name, body, texts) => {
          const entries = texts.map((one, at) => ({ id: `mem/${at} -- >`, text: one }));
          const file = renderDrawer(name, { id: "palace/a--b", body, entries });
          const read = parseDrawer(file, name);
          expect(read.id).toBe("palace/a--b");
          expect(read.entries).toEqual(entries.map((entry) => ({ ...entry, text: asShown(entry.text) })));
          const again = renderDrawer(name, { ...read });
          expect(parseDrawer(again, name)).toEqual(read);
        },
      ),
      { numRuns: 2000 },
    );
  });
  it("PA20 is Markdown that a person would write", () => {
    const entries = [
      { id: "mem-1", text: "Runs on Fly" },
      { id: "mem-2", text: "Two lines\nof text", others: ["Three -- lines"] },
    ];
    expect(
      renderDrawer("website", { id: "palace/projects/website", body: "Our shop window.", entries }),
    ).toBe(
      `# website

Our shop window.

- Runs on Fly <!-- ^mem-1 -->
- Two lines
  of text <!-- ^mem-2 -->
  <!-- contested, also: Three - - lines -->

<!-- ^palace%2Fprojects%2Fwebsite -->
`,
    );
  });
  it("PA21 a file of one's own: its last list is entries, the rest is its text", () => {
    expect(
      parseDrawer(
        "# Fleet\r\n\r\nNine nodes.\r\n\r\n- no entry\r\n\r\nMore.\r\n\r\n* one\r\nlazy\r\n* two\r\n\r\n  deep\r\n",
        "fleet",
      ),
    ).toEqual({
      body: "# Fleet\n\nNine nodes.\n\n- no entry\n\nMore.",
      entries: [{ text: "one\nlazy" }, { text: "two\n\ndeep" }],
    });
    expect(parseDrawer("- a <!-- ^x -->\n- new\n\nA word at the end.\n", "n")).toEqual({
      body: "A word at the end.",
      entries: [{ id: "x", text: "a" }, { text: "new" }],
    });
    expect(parseDrawer("Text\n\n```\n- code\n```\n", "n").entries).toEqual([]);
  });
});
