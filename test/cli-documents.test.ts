import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { Shell } from "./_cli.js";

const shells: Shell[] = [];
afterEach(() => {
  for (const shell of shells.splice(0)) shell.remove();
});
function place(files: Record<string, string>): Shell {
  const shell = new Shell();
  shells.push(shell);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(shell.cwd, name, ".."), { recursive: true });
    writeFileSync(join(shell.cwd, name), text);
  }
  return shell;
}

const ORG = "#+TITLE: T\n* TODO One :x:\nbody\n* Two\n";

describe("D90 pal ingest", () => {
  it("D90 answers with files and counts; --json is one value; again, nothing changes", async () => {
    const { pal } = place({ "notes/a.org": ORG, "notes/b.md": "# B\n" });
    const first = await pal("ingest", "notes", "--json");
    expect(first.code).toBe(0);
    expect(first.json).toMatchObject({ added: 5, modified: 0, moved: 0, unchanged: 0, removed: 0 });
    expect(first.json.files).toHaveLength(2);
    for (const file of first.json.files)
      expect(file).toMatchObject({
        path: expect.any(String),
        root: expect.any(String),
        commit: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
    const again = await pal("ingest", "notes");
    expect(again.out).toBe("✓ 0 added, 0 modified, 0 moved, 5 unchanged, 0 removed\n");
    expect((await pal("list", "--attr", "TODO=TODO", "--json")).json).toHaveLength(1);
  });

  it("D17 a headline that says nothing is shown as such, and comes back in its file", async () => {
    const source = "* TODO\n** \n \n* Said\n";
    const { pal } = place({ "a.org": source });
    const { json } = await pal("ingest", "a.org", "--json");
    const listed = (await pal("list", "--type", "headline", "--json")).json as { id: string; text: string }[];
    const idOf = (said: string) => listed.find(({ text }) => text === said)?.id as string;
    expect(listed.map(({ text }) => text).sort()).toEqual(["\n", "\n \n", "Said\n"]);
    const shown = (await pal("list", "--type", "headline")).out.trimEnd().split("\n");
    expect(shown.map((row) => row.replace(/^\S+\s+headline\s+/, "")).sort()).toEqual([
      "(no text)",
      "(no text)",
      "Said",
    ]);
    expect((await pal("get", idOf("\n \n"))).out).toMatch(/^\(no text\)\n\nid /);
    expect((await pal("search", "type:headline")).out.match(/\(no text\)/g)).toHaveLength(2);
    expect((await pal("history", idOf("\n"))).out).toMatch(/\n {5}\(no text\)\n/);
    expect((await pal("export", json.files[0].root, "-o", "-")).out).toBe(source);
  });

  it("D91 inside a repository a document is called by project and path, from wherever it is read", async () => {
    const shell = place({ "repo/.git/HEAD": "ref: refs/heads/main\n", "repo/docs/a.org": ORG });
    const cwd = join(shell.cwd, "repo", "docs");
    const one = await shell.with({ cwd })("ingest", "a.org", "--json");
    expect(one.json.files[0]).toMatchObject({ path: "repo/docs/a.org", root: "repo/docs/a.org" });
    expect((await shell.pal("ingest", "repo", "--json")).json).toMatchObject({ added: 0, unchanged: 3 });
  });

  it("D92 --dry-run writes nothing, --write-ids writes ids, a file that fails exits 1 and is named", async () => {
    const shell = place({ "a.org": ORG });
    expect((await shell.pal("ingest", "a.org", "--dry-run", "--json")).json).toMatchObject({ added: 3 });
    expect(existsSync(shell.store)).toBe(false);
    await shell.pal("ingest", "a.org", "--write-ids");
    expect(readFileSync(join(shell.cwd, "a.org"), "utf8").match(/:ID:/g)).toHaveLength(2);
    writeFileSync(join(shell.cwd, "bad.org"), Buffer.from([0xff, 0xfe]));
    const bad = await shell.pal("ingest", "bad.org", "--json");
    expect(bad.code).toBe(1);
    expect(bad.json.failed).toMatchObject([{ code: "INVALID_TEXT" }]);
    const none = await shell.pal("ingest", "none.org", "--json");
    expect([none.code, none.json.error.code]).toEqual([2, "INVALID_FILE"]);
  });
});

describe("D93 pal links, export and import", () => {
  it("C281 links of a document are those of all its parts, each with the part it stands in", async () => {
    const shell = place({
      "a.md": "# A\n\n## Deep\n\nSee [[b]].\n",
      "b.md": "# B\n\n## Below\n\n[[a#Deep]]\n",
    });
    const { files } = (await shell.pal("ingest", "a.md", "b.md", "--json")).json;
    const { json } = await shell.pal("links", files[0].root, "--json");
    expect(json.outgoing.map(({ target }: { target: string }) => target)).toEqual(["b"]);
    expect(json.outgoing[0].from).toBeDefined();
    expect(json.incoming.map(({ target }: { target: string }) => target)).toEqual(["a#Deep"]);
  });

  it("D93 links are shown both ways", async () => {
    const { pal } = place({
      "a.org":
        "* One\n:PROPERTIES:\n:ID: one\n:END:\n[[id:two-two]]\n* Two\n:PROPERTIES:\n:ID: two-two\n:END:\n",
    });
    await pal("ingest", "a.org");
    expect((await pal("links", "one", "--json")).json.outgoing).toEqual([
      { target: "id:two-two", id: "two-two" },
    ]);
    expect((await pal("links", "two-two")).out).toBe("← one  id:two-two\n");
  });

  it("D94 export says how many went where, and a document comes back as its file", async () => {
    const shell = place({ "a.org": ORG });
    await shell.pal("ingest", "a.org");
    const all = await shell.pal("export");
    expect(all.out).toBe("✓ Exported 3 memories to memories.json\n");
    expect(JSON.parse(readFileSync(join(shell.cwd, "memories.json"), "utf8")).memories).toHaveLength(3);
    expect((await shell.pal("export", "--format", "jsonl", "-o", "x.jsonl", "--json")).json).toEqual({
      file: "x.jsonl",
      count: 3,
      leftOut: 0,
    });
    const root = (await shell.pal("list", "--type", "document", "--json")).json[0].id;
    expect((await shell.pal("export", root)).out).toBe(ORG);
    const other = join(shell.home, "other");
    const report = await shell.pal("-C", other, "import", "x.jsonl", "--json");
    expect(report.json).toMatchObject({ accepted: 3, updated: 0, duplicate: 0, rejected: 0, quarantined: 0 });
    expect((await shell.pal("-C", other, "export", root)).out).toBe(ORG);
    expect((await shell.pal("-C", other, "import", "x.jsonl")).out).toBe(
      "✓ 0 imported, 3 duplicate (jsonl)\n",
    );
  });

  it("D95 a vault of the operator keeps its canon", async () => {
    const shell = place({
      "vault.jsonl":
        '{"id":"aaaaaaaaaaaa","text":"Mission","scope":"shared","version":1,"created_at":"2026-01-01"}\n',
    });
    expect((await shell.pal("import", "vault.jsonl")).err).toContain("1 canon came in as register");
    await shell.pal("--operator", "import", "vault.jsonl");
    expect((await shell.pal("get", "aaaaaaaaaaaa", "--json")).json.tier).toBe("canon");
  });

  it("D96 an image carries a whole store to another place, under its default name too", async () => {
    const shell = place({ "a.org": ORG });
    await shell.pal("ingest", "a.org");
    const env = { MEMORY_SNAPSHOT_PATH: join(shell.home, "my.snap") };
    const saved = await shell.with({ env })("export", "--format", "image", "--json");
    expect(saved.json).toMatchObject({ file: env.MEMORY_SNAPSHOT_PATH, count: 3 });
    const other = join(shell.home, "other");
    const loaded = await shell.with({ env })("-C", other, "import", "--format", "image");
    expect(loaded.out).toContain("✓ Loaded 3 memories");
    expect((await shell.pal("-C", other, "list", "--json")).json).toEqual(
      (await shell.pal("list", "--json")).json,
    );
    expect((await shell.pal("-C", other, "import", env.MEMORY_SNAPSHOT_PATH)).code).toBe(0);
    await shell.pal("-C", other, "remember", "Something of its own");
    expect((await shell.pal("-C", other, "import", env.MEMORY_SNAPSHOT_PATH, "--json")).json.error.code).toBe(
      "REFUSED",
    );
    expect(
      (await shell.pal("-C", join(shell.home, "third"), "import", "--format", "image", "none.snap")).code,
    ).toBe(2);
  });
});
