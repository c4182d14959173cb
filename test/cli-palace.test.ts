import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Shell } from "./_cli.js";

let shell: Shell;
beforeEach(() => {
  shell = new Shell({ env: { PAL_AGENT: "ann" }, person: true });
});
afterEach(() => shell.remove());
const pal = (...args: string[]) => shell.pal(...args);

describe("the palace on the command line", () => {
  it("PA30 rooms are made, described, renamed, moved, listed and searched", async () => {
    expect((await pal("palace", "new", "--layout", "code-review")).out).toMatch(
      /✓ code-review: \d+ places made/,
    );
    expect((await pal("palace", "--json")).json.map(({ name }: { name: string }) => name)).toContain(
      "conventions",
    );
    expect(
      (await pal("remember", "Tests lie beside the source", "--in", "conventions/tests", "--json")).json
        .verdict,
    ).toBe("accepted");
    expect((await pal("palace", "describe", "conventions/tests", "How we test")).code).toBe(0);
    expect((await pal("palace", "rename", "conventions/tests", "testing")).code).toBe(0);
    expect((await pal("palace", "move", "conventions/testing", "architecture")).code).toBe(0);
    expect((await pal("palace", "rooms")).out).toMatch(/architecture[\s\S]*testing \(1\) +How we test/);
    expect((await pal("palace", "show", "architecture/testing")).out).toMatch(/Tests lie beside/);
    expect((await pal("list", "--in", "architecture/testing", "--json")).json.length).toBe(1);
    expect((await pal("search", "source", "--in", "findings", "--json")).json.hits).toEqual([]);
    expect((await pal("search", "source", "--in", "architecture", "--json")).json.hits.length).toBe(1);
    expect((await pal("palace", "rename", "nowhere", "x")).code).toBe(1);
    expect((await pal("palace", "dance")).code).toBe(2);
    expect((await pal("palace", "config", "scratchpad.ttl", "60")).code).toBe(0);
    expect((await pal("palace", "config")).out).toMatch(/# Seconds.*\n {2}ttl: 60/);
  });
  it("PA31 sync writes the files and reads them back; exit 1 when something is left to a person", async () => {
    await pal("identity", "I am Timmy.");
    await pal("remember", "The site runs on Fly", "--in", "projects/site");
    expect((await pal("palace", "sync", "mirror")).out).toMatch(/to the files: 3 written/);
    const file = join(shell.cwd, "mirror/rooms/projects/site.md");
    writeFileSync(file, readFileSync(file, "utf8").replace("Fly", "Hetzner"));
    const report = await pal("palace", "sync", "mirror", "--json");
    expect([report.code, report.json.changed]).toEqual([0, 1]);
    expect((await pal("log", "--json")).json[0]).toMatchObject({ author: { id: "ann", kind: "user" } });
    await pal(
      "update",
      (await pal("list", "--in", "projects/site", "--json")).json[0].id,
      "The site runs on Render",
    );
    writeFileSync(file, readFileSync(file, "utf8").replace("Hetzner", "a box under the desk"));
    const contested = await pal("palace", "sync", "mirror");
    expect([contested.code, contested.out]).toEqual([1, expect.stringMatching(/1 memory contested/)]);
    expect(existsSync(join(shell.cwd, "mirror/identity.txt"))).toBe(true);
    expect((await pal("identity")).out).toBe("I am Timmy.\n");
  });
  it("PA32 scratch and promote", async () => {
    const add = await pal(
      "scratch",
      "add",
      "ticket",
      "4711 is about login",
      "--tool",
      "gitea",
      "--session",
      "s1",
      "--json",
    );
    expect(add.json).toMatchObject({ key: "ticket", tool: "gitea" });
    await pal("scratch", "set", "count", "[1,2]", "--ttl", "5m", "--session", "s1");
    expect(
      (await pal("scratch", "list", "--session", "s1", "--json")).json.map(
        ({ value }: { value: unknown }) => value,
      ),
    ).toEqual(["4711 is about login", [1, 2]]);
    expect((await pal("scratch", "get", "ticket", "--session", "s1", "--json")).json.value).toBe(
      "4711 is about login",
    );
    expect((await pal("scratch", "search", "which ticket is about login", "--session", "s1")).out).toMatch(
      /4711/,
    );
    expect((await pal("scratch", "list")).code).toBe(2);
    const promote = (...more: string[]) =>
      pal("promote", "ticket", "Ticket 4711 is about people who cannot log in", "--session", "s1", ...more);
    expect((await promote("--in", "issues/open")).code).toBe(2);
    expect((await promote("--in", "issues/open", "--reason", "It comes up daily")).out).toMatch(/✓ promoted/);
    expect((await pal("list", "--in", "issues/open", "--json")).json[0].origin.source).toBe("promotion");
    expect((await pal("scratch", "clear", "--session", "s1", "--json")).json).toEqual({ cleared: 2 });
    expect((await pal("list", "--in", "issues/open", "--json")).json.length).toBe(1);
  });
  it("PA33 playbooks are matched by task, and a folder that is not there is said", async () => {
    mkdirSync(join(shell.cwd, "books/rollback"), { recursive: true });
    writeFileSync(join(shell.cwd, "books/deploy.md"), "# Deploying\n\nHow to deploy the site.\n\n1. Push.\n");
    writeFileSync(
      join(shell.cwd, "books/rollback/SKILL.md"),
      "---\nname: roll-back\ndescription: Undo a release that went wrong.\n---\n# Roll back\n\nRun it.\n",
    );
    writeFileSync(join(shell.cwd, "books/rollback/details.md"), "# Undo a release in detail\n");
    const found = await pal("playbooks", "undo a bad release", "--folder", "books", "--json");
    expect(found.json).toMatchObject({
      count: 2,
      hits: [{ name: "roll-back", path: "rollback/SKILL.md", coverage: expect.any(Number) }],
    });
    const missing = await pal("playbooks", "deploy", "--folder", "books", "--folder", "gone", "--json");
    expect([missing.code, missing.json.unavailable.length, missing.json.hits[0].title]).toEqual([
      1,
      1,
      "Deploying",
    ]);
  });
});
