import { parse } from "@mermaid-js/parser";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { histories } from "./_histories.js";
import type { Drawable } from "./lanes.js";
import { mermaidGraph } from "./lanes.js";

const RUNS = process.env.PAL_TORTURE === "1" ? 20_000 : 200;

interface Made {
  readonly id: string;
  readonly parents: readonly string[];
  readonly branch: string;
}

/** What Mermaid makes of the text: its own parser, then its rules for branches, checkouts and merges. */
async function understood(text: string): Promise<Made[]> {
  const { statements } = await parse("gitGraph", text);
  const heads = new Map<string, Made | undefined>([["main", undefined]]);
  const made: Made[] = [];
  let current = "main";
  const add = (id: string, parents: readonly (Made | undefined)[]) => {
    expect(made.map((item) => item.id)).not.toContain(id);
    const commit = { id, branch: current, parents: parents.flatMap((parent) => parent?.id ?? []) };
    made.push(commit);
    heads.set(current, commit);
  };
  for (const statement of statements) {
    const head = heads.get(current);
    switch (statement.$type) {
      case "Commit":
        add(statement.id as string, [head]);
        break;
      case "Branch":
        expect(heads.has(statement.name), `branch ${statement.name} exists`).toBe(false);
        heads.set(statement.name, head);
        current = statement.name;
        break;
      case "Checkout":
        expect(heads.has(statement.branch), `checkout ${statement.branch}`).toBe(true);
        current = statement.branch;
        break;
      case "Merge": {
        const other = heads.get(statement.branch);
        expect(other, `merge ${statement.branch}`).toBeDefined();
        expect(head, `${current} has a commit`).toBeDefined();
        expect(statement.branch).not.toBe(current);
        expect(head?.branch, "a branch is not merged into itself").not.toBe(statement.branch);
        expect(head).not.toBe(other);
        add(statement.id as string, [head, other]);
        break;
      }
    }
  }
  return made;
}

/** The commits with their parents again: of those made two at a time the last is meant. */
function asHistory(made: readonly Made[]): Map<string, string[]> {
  const byId = new Map(made.map((item) => [item.id, item]));
  const isPart = (id: string) => /^[0-9a-f]+ \(\d\)$/.test(id);
  const hash = (id: string) => id.split(" ")[0] as string;
  const parentsOf = ({ parents }: Made): string[] =>
    parents.flatMap((id) => (isPart(id) ? parentsOf(byId.get(id) as Made) : [hash(id)]));
  return new Map(made.filter(({ id }) => !isPart(id)).map((item) => [hash(item.id), parentsOf(item)]));
}

const commit = (name: string, links: string[], more: Partial<Drawable> = {}): Drawable => ({
  commit: name.padEnd(64, "0"),
  links: links.map((link) => link.padEnd(64, "0")),
  branch: "main",
  branches: [],
  tags: [],
  time: "2026-01-01T00:00:00.000Z",
  ...more,
});

describe("Mermaid", () => {
  it("B84 Mermaid's parser and rules read every history back: each commit once, with its parents in order", async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (commits) => {
        const found = asHistory(await understood(mermaidGraph(commits)));
        const digits = [...found.keys()][0]?.length ?? 7;
        const short = (hash: string) => hash.slice(0, digits);
        expect(Object.fromEntries(found)).toEqual(
          Object.fromEntries(commits.map((item) => [short(item.commit), item.links.map(short)])),
        );
      }),
      { numRuns: RUNS },
    );
  });

  it("B85 a part of history whose line was made on main begins on main", () => {
    const text = mermaidGraph([commit("b", ["a"], { tags: ["v1"] }), commit("a", [])]);
    expect(text).toBe('gitGraph\n  commit id: "a000000"\n  commit id: "b000000" tag: "v1"\n');
  });

  it("B85 main is checked out and never made; branches, merges and tags are named; words of Mermaid are quoted", async () => {
    const text = mermaidGraph([
      commit("d", ["b", "c"], { branches: ["main"], tags: ["v1"], message: "Merge work into main" }),
      commit("c", ["a"], { branches: ["work"], message: "Likes tea" }),
      commit("b", ["a"], { first: { text: "Likes coffee" } }),
      commit("a", [], { branches: ["merge"] }),
    ]);
    expect(text).toBe(
      [
        "gitGraph",
        '  commit id: "a000000" tag: "merge"',
        "  branch work",
        "  checkout main",
        '  commit id: "b000000 Likes coffee"',
        "  checkout work",
        '  commit id: "c000000 Likes tea"',
        "  checkout main",
        '  merge work id: "d000000 Merge work into main" tag: "v1"',
        "",
      ].join("\n"),
    );
    const quoted = mermaidGraph([
      commit("b", ["a"], { branches: ["checkout"] }),
      commit("a", [], { branches: ["main"] }),
    ]);
    expect(quoted).toContain('branch "checkout"');
    expect(quoted).not.toContain("branch main");
    expect(await understood(quoted)).toHaveLength(2);
    expect(mermaidGraph([])).toBe("gitGraph\n");
  });

  it("B86 nothing that somebody wrote reaches Mermaid, HTML or Markdown as more than words", () => {
    const message = 'a"b %%{init: {}}%%\n```<script>alert(1)</script> #quot; `x` \\';
    const [, line] = mermaidGraph([commit("a", [], { message, branches: ["main"] })]).split("\n");
    expect(line).toMatch(/^ {2}commit id: "a000000 [\w .,:!?()+=/…-]*"$/);
  });
});
