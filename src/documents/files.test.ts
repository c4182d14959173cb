import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { parse as parseReference } from "org-mode-ast";
import { describe, expect, it } from "vitest";
import type { MemoryRecord } from "../core/ledger/types.js";
import { stored } from "./_stored.js";
import { type DocNode, preorder } from "./ast.js";
import { idsOf } from "./match.js";
import { type DocumentFormat, parseDocument } from "./parse.js";
import { renderTree } from "./render.js";

const roundTrip = async (text: string, path: string): Promise<string> =>
  renderTree(
    await stored(await parseDocument(text, path)),
    path.endsWith(".org") ? "org" : ("markdown" as DocumentFormat),
  );

const eol = fc.constantFrom("\n", "\n", "\n", "\r\n");
const word = fc.constantFrom(
  "alpha",
  "beta",
  "*bold*",
  "=code=",
  "größe",
  "記憶",
  "[[id:x][y]]",
  "TODO",
  "#",
  "*",
  ":a:",
  "",
  " ",
);
const prose = fc.array(word, { maxLength: 6 }).map((words) => words.join(" "));
const orgLine = fc.oneof(
  prose,
  fc.tuple(fc.integer({ min: 1, max: 5 }), prose).map(([n, text]) => `${"*".repeat(n)} ${text}`),
  fc.constantFrom(
    ":PROPERTIES:",
    ":ID: one",
    ":Foo: bar",
    ":FOO+: more",
    ":END:",
    "#+TITLE: A title",
    "#+FILETAGS: :x:y:",
  ),
  fc.constantFrom(
    "SCHEDULED: <2026-01-02>",
    "CLOSED: [2026-01-02 Fri 10:00] DEADLINE: <2026-01-03 Sat>",
    "#+begin_src js",
    "#+end_src",
    "- [ ] task",
    "| a | b |",
    "\ufeff",
    "\u00a0",
  ),
);
const mdLine = fc.oneof(
  prose,
  fc.tuple(fc.integer({ min: 1, max: 7 }), prose).map(([n, text]) => `${"#".repeat(n)} ${text}`),
  fc.constantFrom(
    "---",
    "===",
    "title: x",
    "tags: [a, b]",
    "```",
    "~~~",
    "> # quoted",
    "- # in a list",
    "  # indented",
    "    # code",
    "\t# tab",
  ),
  fc.constantFrom(
    "- [x] done",
    "1. [ ] open",
    "[[wiki|link]]",
    "[a](b.md)",
    "[r]: c.md",
    "<!-- # -->",
    "<div>",
    "\\# no",
    "\ufeff",
  ),
);
const textOf = (line: fc.Arbitrary<string>) =>
  fc.array(fc.tuple(line, eol), { maxLength: 30 }).chain((lines) =>
    fc.boolean().map((cut) => {
      const text = lines.map(([part, end]) => part + end).join("");
      return cut ? text.replace(/\r?\n$/, "") : text;
    }),
  );

describe("D10 a file given back is the same bytes", () => {
  it("D10 also from a store that keeps a body of blanks beside a text that stands for it", async () => {
    const headline = async (line: string, text: string, body: string) => ({
      ...((
        await stored({ type: "headline", text, attributes: {}, tags: [], children: [] })
      )[0] as MemoryRecord),
      attributes: { "source:line": line, "source:body": body },
    });
    const tree = [await headline(" \n", "…", " \n"), await headline(" TODO\n", "TODO", "\n")];
    expect(renderTree(tree, "org")).toBe("* \n \n* TODO\n\n");
    expect(renderTree([await headline(" TODO\n", "Call Ann\n", "\n")], "org")).toBe("* TODO Call Ann\n");
    // Read again it is the same node.
    const child = {
      ...(tree[0] as MemoryRecord),
      id: "child" as MemoryRecord["id"],
      parent: "root" as MemoryRecord["id"],
    };
    const node: DocNode = { type: "headline", text: "\n \n", attributes: {}, tags: [], children: [] };
    const list = preorder({ type: "document", text: "d", attributes: {}, tags: [], children: [node] });
    expect(await idsOf(list, "root" as MemoryRecord["id"], [child])).toEqual(["root", "child"]);
  });

  it("D10 for generated Org", async () => {
    await fc.assert(
      fc.asyncProperty(textOf(orgLine), async (text) => {
        expect(await roundTrip(text, "a.org")).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it("D10 for generated Markdown", async () => {
    await fc.assert(
      fc.asyncProperty(textOf(mdLine), async (text) => {
        expect(await roundTrip(text, "a.md")).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  it("D10 for real files of installed packages", async () => {
    const root = join(import.meta.dirname, "../../node_modules");
    const found = readdirSync(root)
      .flatMap((name) =>
        name.startsWith("@") ? readdirSync(join(root, name)).map((sub) => `${name}/${sub}`) : [name],
      )
      .flatMap((name) =>
        ["README.md", "readme.md", "CHANGELOG.md", "README.org", "LICENSE.org"].map((file) =>
          join(root, name, file),
        ),
      );
    let count = 0;
    for (const path of found) {
      let text: string;
      try {
        text = readFileSync(path, "utf8");
      } catch {
        continue;
      }
      if ((text.length > 12_000 || count === 80) && process.env.PAL_TORTURE !== "1") continue;
      count++;
      expect(await roundTrip(text, path), path).toBe(text);
    }
    expect(count).toBeGreaterThan(50);
  }, 60_000);

  it("D11 for a section of any length, in parts that fit a memory", async () => {
    for (const filler of ["x", "word ", "line\n", "para\n\n", "🎉", " ", "\n"]) {
      const text = `* Long\n${filler.repeat(90_000 / filler.length)}end\n** Next\n`;
      const records = await stored(await parseDocument(text, "a.org"));
      expect(records.filter(({ type }) => type === "part").length).toBeGreaterThan(1);
      for (const record of records) expect(record.text.length).toBeLessThan(65_536);
      expect(renderTree(records, "org")).toBe(text);
    }
    const wide = `* ${"title ".repeat(5_000)}:tag:\nbody\n`;
    expect(await roundTrip(wide, "a.org")).toBe(wide);
  });
});

const node = async (text: string, path = "a.org"): Promise<DocNode[]> =>
  preorder(await parseDocument(text, path)).map((placed) => placed.node);

describe("D12 Org", () => {
  const FILE = [
    "#+TITLE: My notes",
    "#+FILETAGS: :all:",
    "Intro [[id:abc][see]].",
    "* TODO [#A] Ship it :work:",
    "SCHEDULED: <2026-03-01 Sun> DEADLINE: <2026-03-02>",
    ":PROPERTIES:",
    ":ID: ship",
    ":Effort: 2h",
    ":END:",
    "Text with [[file:other.org::*Top][a link]] and https://example.org",
    "- [ ] one",
    "- [X] two",
    "** Child :deep:",
    "#+begin_src js",
    ",* not a headline",
    "#+end_src",
    "",
  ].join("\n");

  it("D12 headline, keyword, priority, tags with inheritance, planning and properties are attributes", async () => {
    const [file, ship, child] = await node(FILE);
    expect(file).toMatchObject({
      type: "document",
      tags: ["all"],
      attributes: { TITLE: "My notes", LINKS: ["id:abc"] },
    });
    expect(ship).toMatchObject({
      id: "ship",
      type: "headline",
      tags: ["all", "work"],
      attributes: {
        ID: "ship",
        TITLE: "Ship it",
        TODO: "TODO",
        PRIORITY: "A",
        TAGS: ["work"],
        EFFORT: "2h",
        SCHEDULED: "<2026-03-01 Sun>",
        DEADLINE: "<2026-03-02>",
        LINKS: ["file:other.org::*Top"],
        TASKS: { open: 1, done: 1 },
      },
    });
    expect(ship?.text).toBe(
      "Ship it\nText with [[file:other.org::*Top][a link]] and https://example.org\n- [ ] one\n- [X] two\n",
    );
    expect(child).toMatchObject({ tags: ["all", "work", "deep"], attributes: { TITLE: "Child" } });
  });

  it("D12 keywords that the file declares count, and then no others", async () => {
    const [, a, b] = await node("#+TODO: OPEN(o) | SHUT(s@)\n* SHUT Door\n* TODO is a word here\n");
    expect(a?.attributes).toMatchObject({ TODO: "SHUT", TITLE: "Door" });
    expect(b?.attributes).toMatchObject({ TITLE: "TODO is a word here" });
    expect(b?.attributes.TODO).toBeUndefined();
  });

  it("D12 titles, levels, keywords and tags are those a second parser finds", async () => {
    const plain = fc.array(fc.constantFrom("plan", "trip", "größe", "x1", "milk"), {
      minLength: 1,
      maxLength: 4,
    });
    const headline = fc.record({
      level: fc.integer({ min: 1, max: 4 }),
      todo: fc.constantFrom("", "TODO ", "DONE "),
      title: plain.map((words) => words.join(" ")),
      tags: fc.constantFrom("", " :a:", " :a:b_c:"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(headline, { minLength: 1, maxLength: 6 }), async (headlines) => {
        const text = headlines
          .map(({ level, todo, title, tags }) => `${"*".repeat(level)} ${todo}${title}${tags}\nbody\n`)
          .join("");
        const ours = (await node(text))
          .slice(1)
          .map(({ attributes }) => [
            String(attributes.TODO ?? ""),
            attributes.TITLE,
            ((attributes.TAGS as string[]) ?? []).join(),
          ]);
        expect(ours).toEqual(referenceHeadlines(text));
      }),
      { numRuns: 60 },
    );
  });
});

/** What org-mode-ast makes of the headlines of a text. */
function referenceHeadlines(text: string): string[][] {
  const found: string[][] = [];
  const visit = (at: {
    type: string;
    title?: unknown;
    children?: Iterable<unknown>;
    rawValue?: string;
  }): void => {
    if (at.type === "headline") {
      // biome-ignore lint/suspicious/noExplicitAny: the parser's own tree
      const title = (at as any).title;
      const parts = [...title.children].map(
        (part: { type: string; rawValue: string }) => [part.type, part.rawValue] as const,
      );
      const raw = (wanted: string) =>
        parts
          .filter(([type]) => type === wanted)
          .map(([, value]) => value)
          .join("");
      found.push([
        raw("todoKeyword").trim(),
        parts
          .filter(([type]) => type === "text")
          .map(([, value]) => value)
          .join("")
          .trim(),
        raw("tagList")
          .split(":")
          .filter((tag) => tag.trim() !== "")
          .join(),
      ]);
    }
    // biome-ignore lint/suspicious/noExplicitAny: the parser's own tree
    for (const child of (at as any).children ?? []) visit(child);
    // biome-ignore lint/suspicious/noExplicitAny: the parser's own tree
    if ((at as any).section) visit((at as any).section);
  };
  // biome-ignore lint/suspicious/noExplicitAny: the parser's own tree
  visit(parseReference(text) as any);
  return found;
}

describe("D13 Markdown", () => {
  it("D13 headings make the outline, whatever stands in code, quotes and lists", async () => {
    const text = [
      "---",
      "title: Trip",
      "tags: [travel, '#fun']",
      "status: draft",
      "---",
      "Intro to [[Plan B|b]].",
      "",
      "Top `one`",
      "===",
      "See [other](sub/other%20note.md#part) and <https://example.org>.",
      "```",
      "# no heading",
      "```",
      "> # nor this",
      "",
      "### Deep",
      "- [ ] pack",
      "- [x] book",
      "## Second",
      "",
    ].join("\n");
    const nodes = await node(text, "trip.md");
    expect(nodes.map(({ type, attributes }) => [type, attributes.TITLE])).toEqual([
      ["document", "Trip"],
      ["headline", "Top one"],
      ["headline", "Deep"],
      ["headline", "Second"],
    ]);
    expect(nodes[0]).toMatchObject({
      tags: ["travel", "fun"],
      attributes: { status: "draft", LINKS: ["Plan B"] },
    });
    expect(nodes[1]?.attributes.LINKS).toEqual(["sub/other note.md#part"]);
    expect(nodes[2]?.attributes.TASKS).toEqual({ open: 1, done: 1 });
    expect(nodes[1]?.children).toHaveLength(2);
  });

  it("D13 a front matter that is none, or hostile, is text or left out (B10)", async () => {
    for (const front of [
      "- a list",
      "x: &a [*a]",
      "__proto__: {x: 1}",
      "a: .nan",
      'a: "\\ud800"',
      "x: !!js/function 1",
    ]) {
      const text = `---\n${front}\n---\n# Head\n`;
      expect(await roundTrip(text, "a.md")).toBe(text);
      for (const { attributes } of await stored(await parseDocument(text, "a.md")))
        expect(attributes).toBeDefined();
    }
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});
