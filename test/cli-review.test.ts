import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../src/index.js";
import { Shell } from "./_cli.js";

let shell: Shell;
beforeEach(() => {
  shell = new Shell({ env: { PAL_AGENT: "ann" } });
});
afterEach(() => shell.remove());
const pal = (...args: string[]) => shell.pal(...args);
const person = (...args: string[]) => shell.with({ person: true, env: { PAL_AGENT: "pat" } })(...args);

describe("review on the command line", () => {
  it("RV16 lists what waits as differences, shows, accepts, edits and rejects it; --json for programs", async () => {
    await person("remember", "The office closes at six", "--id", "office");
    const held = await pal("update", "office", "The office closes at nine");
    expect(held.code).toBe(1);
    const [, id = ""] = /pal review show ([0-9a-f]{12})/.exec(held.err) ?? [];
    const listed = await person("review");
    expect(listed.out).toMatch(new RegExp(`\\? ${id}  quarantined  ann \\(agent\\)`));
    expect(listed.out).toMatch(/~ office\n +text {2}The office closes at .*six.*nine/);
    expect((await person("review", "--json")).json).toMatchObject([{ id, changes: [{ op: "modify" }] }]);
    expect((await person("review", "--kind", "erase", "--json")).json).toEqual([]);
    expect((await person("review", "show", id.slice(0, 7))).out).toContain(`pal review accept ${id}`);
    expect((await person("stats")).out).toMatch(/waiting +1 for review/);
    expect((await person("doctor")).out).toContain("1 change waits for review");
    const refused = await pal("review", "accept", id);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("quarantined by trust")]);
    const done = await person("review", "edit", id, "The office closes at eight");
    expect([done.code, done.out]).toEqual([0, expect.stringMatching(/✓ accepted .*1 change, commit/)]);
    expect((await pal("get", "office")).out).toContain("at eight");
    const again = (await pal("forget", "office", "--json")).json.staged;
    expect((await person("review", "reject", again, "--reason", "Still true")).out).toContain("✓ rejected");
    expect((await person("review")).err).toContain("nothing waits");
    expect((await person("ops", "--json")).json[0]).toMatchObject({ verb: "reject", why: "Still true" });
    expect((await person("review", "accept", again)).code).toBe(1);
    expect((await person("review", "dance")).code).toBe(2);
    expect((await person("review", "accept")).code).toBe(2);
  });

  it("C288 a request to erase is said in words, and what was erased is marked in the history", async () => {
    await pal("remember", "The plan of Ann", "--id", "plan");
    await pal("erase", "plan", "--derived");
    const { out } = await person("review");
    expect(out).toContain("erase for good: plan, and what was derived from it");
    const [{ id }] = (await person("review", "--json")).json;
    expect((await person("review", "show", id)).out).not.toContain("{");
    expect((await person("review", "accept", id)).code).toBe(0);
    expect((await person("history", "plan")).out).toMatch(/v1 +added .*\n +erased: /);
  });

  it("RV122 a request to erase shows what will go and erases nothing else, whatever else it says", async () => {
    for (const [id, text] of [
      ["plan", "Lunch is a blue hour"],
      ["tea", "Tea comes in blue tins"],
      ["boat", "The boat in Kiel is blue"],
    ] as const)
      expect((await pal("remember", text, "--id", id)).code).toBe(0);
    const store = await openStore(shell.store);
    const ann = store.session({ agent: "ann", trust: "agent" });
    const memories = ["plan", "tea"].map((id) => ({ scope: "shared", id }));
    await ann.propose("erase", undefined, {
      data: { memories, containing: "blue", dryRun: true },
      about: ["plan"],
    });
    await ann.propose("erase", undefined, { data: { memories: [null, 7] } });
    await store.close();
    const { out, code } = await person("review");
    expect(code).toBe(0);
    expect(out).toContain("erase for good: plan, tea\n");
    for (const { id } of (await person("review", "--json")).json)
      expect((await person("review", "accept", id)).code).toBe(0);
    expect((await person("list", "--json")).json).toMatchObject([{ id: "boat" }]);
  });

  it("RV17 taint lists what was made from a memory", async () => {
    await pal("remember", "The old server is called Mars", "--id", "seed");
    await pal("remember", "Backups include Mars", "--id", "witness", "--evidence", "seed");
    expect((await pal("taint", "seed")).out).toMatch(/^1 {2}witness {2}from seed +Backups include Mars/);
    expect((await pal("taint", "seed", "--json")).json).toMatchObject([
      { id: "witness", distance: 1, live: true },
    ]);
    expect((await pal("taint", "witness")).err).toContain("nothing was made from it");
    expect((await pal("taint", "nobody")).code).toBe(1);
  });
});

describe("who is alone at a pipe", () => {
  const WAITING: readonly (readonly [string, () => Promise<unknown>])[] = [
    ["from outside", () => pal("remember", "The moon is made of cheese", "--source", "web")],
    [
      "a contradiction",
      async () => {
        await pal("remember", "The server has 16 GB of RAM");
        await pal("remember", "The server has 32 GB of RAM");
      },
    ],
    [
      "a change of what is trusted more",
      async () => {
        await pal("--operator", "remember", "Deploys happen on Friday", "--id", "deploys");
        await pal("update", "deploys", "Deploys happen on Monday");
      },
    ],
    [
      "a deletion of what is trusted more",
      async () => {
        await pal("--operator", "remember", "Deploys happen on Friday", "--id", "deploys");
        await pal("forget", "deploys");
      },
    ],
    [
      "an erasure",
      async () => {
        await pal("remember", "Likes tea", "--id", "tea");
        await pal("erase", "tea");
      },
    ],
    [
      "an erasure by its words",
      async () => {
        await pal("remember", "Likes tea with milk", "--id", "tea");
        await pal("erase", "--containing", "with milk", "--yes");
      },
    ],
  ];
  it.each(WAITING)("RV800 can type what is printed about what waits: %s", async (_what, wait) => {
    await wait();
    const [item] = (await pal("review", "--json")).json;
    expect(item).toBeDefined();
    const says = [
      await pal("review"),
      await pal("review", "show", item.id),
      await pal("review", "accept", item.id),
    ];
    const printed = says.flatMap(({ out, err }) => [
      ...`${out}\n${err}`.matchAll(/pal( --operator)? review accept [^\s`]+/g),
    ]);
    // Not all that is printed is for a pipe, but all of it names what waits.
    for (const [command] of printed) expect(command).toContain(item.id);
    const [typed = ""] = printed.findLast(([, operator]) => operator !== undefined) ?? [];
    const done = await pal(...typed.split(" ").slice(1));
    expect([done.code, done.out]).toEqual([0, expect.stringContaining("✓ accepted")]);
    expect((await pal("review", "--json")).json).toEqual([]);
  });

  it("RV800 of a canon that is refused is told how a person writes it", async () => {
    const refused = await pal("remember", "Our house style is British", "--tier", "canon");
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("pal --operator")]);
    const written = await pal("--operator", "remember", "Our house style is British", "--tier", "canon");
    expect(written.code).toBe(0);
  });
});
