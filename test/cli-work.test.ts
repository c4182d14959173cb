import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Shell } from "./_cli.js";

let shell: Shell;
beforeEach(() => {
  shell = new Shell({ env: { PAL_AGENT: "ann" } });
});
afterEach(() => shell.remove());
const pal = (...args: string[]) => shell.pal(...args);

describe("long work on the command line", () => {
  it("C80 commit records a milestone, trace its steps, context what a successor needs", async () => {
    const made = await pal(
      "commit",
      "-m",
      "Started",
      "--roadmap",
      "Ship in May",
      "--decision",
      "Use SQLite",
      "--json",
    );
    expect([made.code, made.json.verdict]).toEqual([0, "accepted"]);
    expect((await pal("trace", "add", "Ran the tests", "--kind", "observation")).out).toMatch(/✓ recorded/);
    await pal("trace", "add", "Fixed the parser");
    const steps = await pal("trace", "list");
    expect(steps.out).toMatch(/observation +Ran the tests\n.*action +Fixed the parser/);
    expect((await pal("trace", "list", "--json")).json).toMatchObject([
      { kind: "observation" },
      { kind: "action" },
    ]);
    const { out } = await pal("context", "--k", "2");
    expect(out).toMatch(/## Roadmap\nShip in May[\s\S]*## Milestones\n- Started[\s\S]*## Steps/);
    expect((await pal("context", "--decisions", "--json")).json).toMatchObject({
      text: expect.stringContaining("Use SQLite"),
    });
    expect((await pal("commit")).code).toBe(2);
    expect((await pal("trace", "dance")).code).toBe(2);
  });

  it("C81 bisect names the commit that made a search return a text, or stop returning it", async () => {
    await pal("remember", "The backend is written in Python", "--id", "backend");
    for (let n = 0; n < 5; n++) await pal("remember", `Unrelated thing number ${n}`);
    const change = (await pal("update", "backend", "The backend is written in Rust", "--json")).json;
    for (let n = 5; n < 8; n++) await pal("remember", `Unrelated thing number ${n}`);
    const since = await pal("bisect", "--query", "backend", "--expect", "rust", "--json");
    expect([since.code, since.json]).toMatchObject([0, { commit: change.commit, found: "since" }]);
    const gone = await pal("bisect", "--query", "backend", "--expect", "Python", "--json");
    expect(gone.json).toMatchObject({ commit: change.commit, found: "no-longer" });
    expect((await pal("bisect", "--query", "backend", "--expect", "Rust")).out).toMatch(
      /returns it since [0-9a-f]{12}/,
    );
    const never = await pal("bisect", "--query", "backend", "--expect", "Cobol");
    expect([never.code, never.out]).toEqual([1, expect.stringContaining("never returned it")]);
    expect((await pal("bisect", "--query", "backend")).code).toBe(2);
  });

  it("C82 export --format gcc writes the work of all branches as a folder", async () => {
    await pal("commit", "-m", "Started");
    await pal("create-branch", "side", "--purpose", "Try it");
    const folder = join(shell.store, "..", "gcc-out");
    const done = await pal("export", "--format", "gcc", "-o", folder, "--json");
    expect(done.json).toMatchObject({ file: folder, count: 7 });
    expect(existsSync(join(folder, "branches/side/log.md"))).toBe(true);
    expect(readFileSync(join(folder, "branches/side/metadata.yaml"), "utf8")).toContain('purpose: "Try it"');
  });
});
