import { afterEach, describe, expect, it } from "vitest";
import { Shell } from "./_cli.js";

let shell: Shell;
afterEach(() => shell.remove());

describe("what scripts and people rely on", () => {
  it("C240 what was erased is not reported as damage, whatever is read first", async () => {
    shell = new Shell();
    const pal = shell.with({ person: true });
    await pal("remember", "The zanzibar canary sings at nine", "--id", "secret", "--message", "A canary");
    await pal("remember", "Prefers tea", "--id", "tea-tea");
    await pal("erase", "secret");
    for (const line of ["log", "log --at main", "log --graph", "graph", "list --at main", "view"]) {
      const { code, err } = await pal(...line.split(" "));
      expect([line, code, err]).toEqual([line, 0, expect.not.stringContaining("damaged")]);
    }
  });

  it("C241 the help has every command under a heading that says something, and fits the terminal", async () => {
    shell = new Shell();
    const { out } = await shell.with({ columns: 80 })("--help");
    expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(out).not.toMatch(/^(?:More|Commands):/m);
    expect(out).toMatch(/^ {2}help \[command\] /m);
  });

  it("C242 names that are kept for later say so, and what there is today", async () => {
    shell = new Shell();
    const pal = shell.with({});
    for (const name of ["serve", "sync"]) {
      const { code, err } = await pal(name);
      expect([code, err]).toEqual([2, expect.stringMatching(new RegExp(`no \`pal ${name}\` yet`))]);
    }
    expect((await pal("serv", "--json")).code).toBe(2);
  });

  it("C243 every commit of a log has a message, every item of a review a diff", async () => {
    shell = new Shell();
    const pal = shell.with({});
    await pal("remember", "Prefers tea", "--id", "tea-tea");
    await pal("remember", "Prefers oolong", "--id", "tea-tea", "--message", "Asked again");
    const messages = async (...more: string[]) =>
      ((await pal("log", "--json", ...more)).json as { message: string }[]).map(({ message }) => message);
    expect(await messages()).toEqual(["Asked again", ""]);
    expect(await messages("--graph")).toEqual(["Asked again", ""]);
    await shell.with({ stdin: "user: My name is Bob and I live in Paris.\n" })("extract", "-");
    const [item] = (await pal("review", "--json")).json;
    expect(item.diff).toMatchObject([{ op: "add", text: "The user is called Bob." }, { op: "add" }]);
    expect((await pal("review", "show", item.id, "--json")).json.diff).toEqual(item.diff);
  });

  it("C244 what waits stands first: contested fields and items for review", async () => {
    shell = new Shell();
    const pal = shell.with({});
    await pal("remember", "Prefers tea", "--id", "tea-tea");
    await pal("create-branch", "side");
    await pal("update", "tea-tea", "Prefers oolong", "--branch", "side");
    await pal("update", "tea-tea", "Prefers coffee");
    await pal("merge", "side");
    await shell.with({ stdin: "user: My name is Bob and I live in Paris.\n" })("extract", "-");
    const { json } = await pal("status", "--json");
    expect(json.attention.map(({ command }: { command: string }) => command)).toEqual([
      "pal conflicts",
      "pal review",
    ]);
    expect((await pal("status")).out).toMatch(/1 contested field left[\s\S]*1 item waits for a person/);
  });

  it("C245 a place that is not there is not found; one that is empty is shown empty", async () => {
    shell = new Shell();
    const pal = shell.with({});
    await pal("palace", "new", "Kitchen/Top Drawer");
    expect((await pal("palace", "show", "kitchen/top drawer", "--json")).code).toBe(0);
    const { code, json } = await pal("palace", "show", "cellar", "--json");
    expect([code, json.error.code]).toEqual([1, "NOT_FOUND"]);
  });

  it("C246 a global option without its value is wrong usage", async () => {
    shell = new Shell();
    const pal = shell.with({});
    for (const line of ["--store", "--branch main -C", "list --at"])
      expect([line, (await pal(...line.split(" "))).code]).toEqual([line, 2]);
  });
});
