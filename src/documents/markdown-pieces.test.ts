import fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { describe, expect, it } from "vitest";
import { stored } from "./_stored.js";
import { preorder } from "./ast.js";
import { parseMarkdown, piecesOf, tamed } from "./markdown.js";
import { parseDocument } from "./parse.js";
import { renderTree } from "./render.js";

const LINES = [
  ..."a||# h|## i|> q|- x|  y|    z|```|~~~|<div>|<!--|-->|===|---|***|___|=a|1. n|[l]: u|see [l] and [[w]]|# [l]|   # j|* * *|**b** `c`|- ```|  ```".split(
    "|",
  ),
];
const headingsOf = async (text: string) =>
  preorder(await parseMarkdown(text, "a.md"))
    .filter(({ node }) => node.type === "headline")
    .map(({ node }) => String(node.attributes.TITLE ?? ""));
/** As one call of the parser has them. */
const wholeOf = (text: string) =>
  fromMarkdown(text).children.flatMap((node) =>
    node.type === "heading" ? [node.position?.start.offset] : [],
  );

describe("Markdown is read piece by piece", () => {
  it("D725 a file in pieces has the headings of a file that is read as one, wherever fences, comments and lists are open", async () => {
    const texts = fc
      .uniqueArray(fc.constantFrom(...LINES), { minLength: 4 })
      .chain((few) =>
        fc.array(fc.constantFrom("", ...few), { minLength: 1_500, maxLength: 1_600, size: "max" }),
      );
    await fc.assert(
      fc.asyncProperty(texts, async (lines) => {
        const text = lines.join("\n");
        expect((await headingsOf(text)).length).toBe(wholeOf(text).length);
      }),
      { numRuns: process.env.PAL_TORTURE === "1" ? 300 : 4 },
    );
  });

  it("D725 a link is one wherever in the file its label is explained", async () => {
    const text = `# See [the page][p]\n\n${"word ".repeat(2_000)}\n\n# Next\n\n[p]: target.md\n`;
    const [, see] = preorder(await parseMarkdown(text, "a.md"));
    expect(see?.node.attributes.TITLE).toBe("See the page");
  });

  it("D726 a hostile file is read, keeps every character, and the parser is given nothing that grows with its square", async () => {
    for (const motif of [
      "[",
      "[a]",
      "*a_",
      "> ",
      "+ ",
      "1. ",
      "a\n=\n",
      "=\n",
      "<?",
      "<!--",
      "![",
      "[a](",
      "x\n",
      "- x\n",
      "a\n=",
      "```\n",
    ]) {
      const text = `x${motif.repeat(Math.floor(16_000 / motif.length))}x`;
      expect(tamed(text)).toHaveLength(text.length);
      expect((tamed(text).match(/[[<_]/g) ?? []).length).toBeLessThanOrEqual(900);
      expect((tamed(text).match(/^(?:=|```)$/gm) ?? []).length).toBeLessThanOrEqual(1_000);
      expect((tamed(text).match(/^=a/gm) ?? []).length).toBeLessThanOrEqual(1_000);
      const tree = await parseMarkdown(text, "a.md");
      expect(renderTree(await stored(tree), "markdown")).toBe(text);
    }
  });

  it("D726 blank lines and rules without end are read in pieces", () => {
    for (const line of ["\n", "\r", "\r\n", " \n", "***\n", "___\r\n"]) {
      const text = line.repeat(30_000);
      const sizes = [...piecesOf(text, 0, () => false)].map(({ start, end }) => end - start);
      expect(Math.max(...sizes)).toBeLessThan(5_000);
    }
  });

  it("D727 a document that is hardly more than headlines is refused", async () => {
    for (const [line, name] of [
      ["#\n", "a.md"],
      ["* x\n", "a.org"],
    ] as const)
      await expect(parseDocument(line.repeat(8_001), name)).rejects.toMatchObject({ code: "INVALID_TEXT" });
    expect(preorder(await parseDocument("* x\n".repeat(8_000), "a.org"))).toHaveLength(8_001);
    expect(preorder(await parseDocument("* A title\n".repeat(8_001), "a.org"))).toHaveLength(8_002);
  });

  it("D726 what people write is given to the parser as it is", () => {
    const text = `# A [title](x.md)\n\n${"- a *point* with `code` and [a link](y.md) & more\n".repeat(500)}\n> > a quote\n\n${"A line of words.\n".repeat(200)}`;
    expect(tamed(text)).toBe(text);
  });
});
