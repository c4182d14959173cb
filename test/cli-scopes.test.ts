import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Shell } from "./_cli.js";

let shell: Shell;
beforeEach(() => {
  shell = new Shell();
});
afterEach(() => shell.remove());

/** Inside a repository called site. */
const repository = () => {
  mkdirSync(join(shell.cwd, ".git"));
  writeFileSync(join(shell.cwd, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(shell.cwd, ".git/config"), '[remote "origin"]\n\turl = git@host:acme/site.git\n');
};
const texts = async (...args: string[]): Promise<string[]> => {
  const { json } = await shell.pal(...args, "--json");
  return (json.hits ?? json).map(({ text }: { text: string }) => text).sort();
};

it("C432 the documents' words for a scope mean at the command line what they mean to tools: a place, a lifetime, a category", async () => {
  repository();
  const where = async (word: string, ...more: string[]) => {
    const said = await shell.pal("remember", `Said to ${word}`, "--scope", word, "--json", ...more);
    return (await shell.pal("get", said.json.id, "--json")).json;
  };
  expect((await where("memex")).scope).toBe("shared");
  expect((await where("tester")).scope).toBe("agent/tester");
  expect((await where("project")).scope).toBe("project/acme-site");
  expect(await where("temporary")).toMatchObject({ scope: "shared", lifetime: "temporary" });
  expect(await where("session", "--session", "s1")).toMatchObject({ scope: "shared", session: "s1" });
  expect(await where("work/technical")).toMatchObject({ scope: "shared", category: "work/technical" });
  expect(await texts("list", "--scope", "project")).toEqual(["Said to project"]);
  expect(await texts("list", "--scope", "tester")).toEqual(["Said to tester"]);
  expect(await texts("list", "--scope", "temporary")).toEqual(["Said to temporary"]);
  expect(await texts("list", "--scope", "work/technical")).toEqual(["Said to work/technical"]);
  expect(await texts("search", "said", "--scope", "project")).toEqual(["Said to project"]);
  expect(await texts("search", "said", "--scope", "work/technical")).toEqual(["Said to work/technical"]);
  expect(await texts("search", "said", "--scopes", "project,tester")).toEqual([
    "Said to project",
    "Said to tester",
  ]);
  writeFileSync(join(shell.cwd, "notes.md"), "# Tea\n\nGreen.\n");
  expect((await shell.pal("ingest", "notes.md", "--scope", "project")).code).toBe(0);
  expect(await texts("list", "--scope", "project", "--type", "headline")).toEqual(["Tea\n\nGreen.\n"]);
  const { json } = await shell.pal("list", "--scope", "tester", "--json");
  await shell.pal("move", json[0].id, "memex", "--from", "tester");
  expect((await shell.pal("get", json[0].id, "--scope", "memex", "--json")).json.scope).toBe("shared");
});

it("C455 a move to where the memory is says so, and a move to project outside of one names the word and another way", async () => {
  await shell.pal("remember", "Tea", "--id", "tea", "--scope", "shared");
  const { code, out } = await shell.pal("move", "tea", "shared");
  expect([code, out]).toEqual([0, expect.stringMatching(/^= already there {2}tea {2}\(shared/)]);
  const lost = await shell.pal("move", "tea", "project");
  expect(lost.err).toMatch(/"project"[^\n]*not started inside a project[\s\S]*project\/site/);
  expect(lost.err).not.toMatch(/Leave scope out/);
});

it("C433 a word that names nothing in sight shows a memory to nobody: a name is refused, and what becomes a category is said", async () => {
  for (const word of ["vega", "agent/vega", "user/7", "project/other", "team/red"]) {
    const { code, json } = await shell.pal("remember", "Tea", "--scope", word, "--json");
    expect([word, code, json.code]).toEqual([word, 1, "SCOPE_NOT_VISIBLE"]);
  }
  const filed = await shell.pal("remember", "Coffee", "--scope", "work/technical");
  expect(filed.err).toMatch(/work\/technical is no scope in sight: taken as the category/);
  const narrow = await shell.pal("remember", "Milk", "--scope", "memex", "--scopes", "tester", "--json");
  expect(narrow.json.code).toBe("SCOPE_NOT_VISIBLE");
  expect((await shell.pal("remember", "Milk", "--scope", "project")).err).toMatch(
    /not started inside a project/,
  );
  // Where a command knows no category, or one was named, the word is a scope, and not in sight.
  const both = await shell.pal("remember", "Milk", "--scope", "work/a", "--category", "b", "--json");
  expect(both.json.code).toBe("SCOPE_NOT_VISIBLE");
  expect((await shell.pal("get", "Coffee", "--scope", "work/technical")).code).toBe(1);
  expect((await shell.pal("list", "--scopes", "session")).code).toBe(2);
  expect(await texts("list")).toEqual(["Coffee"]);
  expect(await texts("list", "--scope", "vega")).toEqual([]);
  const all = await shell.pal("remember", "Tea", "--scope", "vega", "--scopes", "*", "--json");
  expect(all.json.scope).toBe("agent/vega");
});
