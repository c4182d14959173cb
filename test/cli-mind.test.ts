import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { scriptedChat } from "../src/mind/model/_chat.js";
import { Shell } from "./_cli.js";
import { ROOT } from "./_processes.js";

let shell: Shell;
beforeEach(() => {
  shell = new Shell({ env: { PAL_AGENT: "ann" } });
});
afterEach(() => shell.remove());
const pal = (...args: string[]) => shell.pal(...args);
const reads = (stdin: string) => shell.with({ stdin });

describe("the mind on the command line", () => {
  it("MI90 extract reads JSON, JSON lines and plain text, proposes, and takes over what is sure enough", async () => {
    const talk = [
      { role: "user", content: [{ type: "text", text: "I live in Graz." }] },
      { role: "assistant", content: "You like tea." },
    ];
    writeFileSync(join(shell.cwd, "chat.json"), JSON.stringify({ messages: talk }));
    const dry = await pal("extract", "chat.json", "--dry-run", "--json");
    expect([dry.code, dry.json.facts.length, dry.json.proposals]).toEqual([0, 1, []]);
    const shown = await pal("extract", "chat.json");
    expect(shown.out).toMatch(
      /^\+ The user lives in Graz\. {2}“I live in Graz\.”\nwaits extraction [0-9a-f]{12}/,
    );
    expect((await pal("list", "--json")).json).toEqual([]);
    const lines = talk.map((one) => JSON.stringify(one)).join("\n");
    expect((await reads(lines)("extract", "-", "--json")).json.facts).toHaveLength(1);
    const plain = await reads("User: I drive a Golf.\nAssistant: Nice.\nUser: My name is Ann.\n")(
      "extract",
      "-",
      "--accept",
      "0.8",
      "--json",
    );
    expect(plain.json.facts.map(({ accepted }: { accepted: boolean }) => accepted)).toEqual([true, true]);
    expect((await pal("list", "--json")).json).toHaveLength(2);
    expect((await reads("hello")("extract", "-")).out).toMatch(/Nothing worth keeping/);
    // Of a transcript what was said counts, and nothing of the host.
    const transcript = readFileSync(join(ROOT, "test/fixtures/hosts/claude.jsonl"), "utf8");
    const said = `${transcript}${JSON.stringify({ type: "user", uuid: "x", message: { role: "user", content: "<system-reminder>I live in Rome.</system-reminder>I live in Graz." } })}`;
    const { facts } = (await reads(said)("extract", "-", "--dry-run", "--json")).json;
    expect(JSON.stringify(facts)).toContain("Graz");
    expect(JSON.stringify(facts)).not.toContain("Rome");
    expect((await reads("x")("extract", "-", "--accept", "2")).code).toBe(2);
    expect((await reads('[{"role":"king","content":"x"}]')("extract", "-", "--json")).json.error.code).toBe(
      "INVALID_FIELD",
    );
  });

  it("MI91 consolidate, reflect and confirm report and propose", async () => {
    expect((await pal("consolidate", "--json")).json.error.code).toBe("NO_STORE");
    await pal("remember", "Marta may like tea", "--confidence", "0.1");
    const { json } = await pal("consolidate", "--json");
    expect(json).toMatchObject({ byKind: { "low-confidence": 1 }, proposals: [{ about: "low-confidence" }] });
    expect((await pal("consolidate", "--dry-run")).out).toMatch(
      /^# Memory consolidation[\s\S]*## Low confidence \(1\)/,
    );
    for (const text of [
      "The oven door is loose",
      "Plates are in the left cupboard",
      "Bread comes on Tuesdays",
    ])
      await pal("remember", text, "--category", "kitchen");
    const reflected = await pal("reflect", "--category", "kitchen");
    expect(reflected.out).toMatch(/^summary 3 memories about kitchen: .* rests on 3\nwaits [0-9a-f]{12}/);
    const { id } = (await pal("remember", "The key hangs by the door", "--confidence", "0.5", "--json")).json;
    expect((await pal("confirm", id, "--session", "s1", "--json")).json.verdict).toBe("updated");
    expect((await pal("confirm", id, "--session", "s1", "--json")).json.verdict).toBe("duplicate");
  });

  it("MI92 persona tells who fits, switches when asked, and makes a proposed one", async () => {
    await pal("remember", "Start");
    await pal("create-branch", "kitchen", "--persona", "Chef for recipes, cooking and menus");
    const told = await pal("persona", "Which recipes for cooking lentils are good?", "--json");
    expect(told.json).toMatchObject({ branch: "kitchen", switched: true });
    await pal("persona", "Which recipes for cooking lentils are good?", "--switch");
    const current = (await pal("branches", "--json")).json.find(
      ({ current }: { current: boolean }) => current,
    );
    expect(current.name).toBe("kitchen");
    await pal("checkout", "main");
    const wanted = await pal(
      "persona",
      "Plan the orchard: apple grafting, pruning in winter, soil tests and bees",
      "--json",
    );
    expect((await pal("persona", wanted.json.proposal, "--accept")).out).toMatch(/✓ made the branch/);
  });

  it("MI93 hand-over writes a file that another store takes over", async () => {
    await pal("remember", "The release is on 4 May");
    expect((await pal("hand-over", "work.json", "--message", "Go on")).out).toMatch(
      /^✓ handed over 1 memories/,
    );
    const file = readFileSync(join(shell.cwd, "work.json"), "utf8");
    expect((await pal("hand-over")).json.format).toBe("palimpsest-hand-over");
    const other = new Shell({ env: { PAL_AGENT: "ben" } });
    try {
      const taken = await other.with({ stdin: file })("hand-over", "--take", "--json");
      expect(taken.json).toMatchObject({
        offered: 1,
        message: "Go on",
        from: { agent: "ann" },
        proposal: expect.any(String),
      });
    } finally {
      other.remove();
    }
  });

  it("MI98 with a price for a million tokens, estimates, reports and stats tell the cost in money", async () => {
    const said = { say: { events: [] } };
    const chat = await scriptedChat(said);
    try {
      vi.stubEnv("PAL_MODEL", "tiny");
      vi.stubEnv("PAL_MODEL_URL", chat.url);
      const talk = reads("User: I live in Graz.\n");
      await pal("remember", "Bread comes on Tuesdays");
      expect((await talk("extract", "-", "--dry-run")).out).toMatch(
        /at most 1 calls, \d+ tokens in, \d+ out\.\n/,
      );
      await pal("config", "set", "mind.price.in", "2.5");
      await pal("config", "set", "mind.price.out", "10");
      const dry = (await talk("extract", "-", "--dry-run", "--json")).json;
      expect(dry.money).toBeCloseTo((dry.estimate.tokensIn * 2.5 + dry.estimate.tokensOut * 10) / 1e6, 9);
      expect((await talk("extract", "-")).out).toContain(
        "The model took 1 calls, 100 tokens in, 20 out, 0.0004 in money.",
      );
      expect((await pal("stats")).out).toMatch(/models +\S+: 1 calls, 120 tokens, 0\.0004 in money\n/);
      expect((await pal("stats", "--json")).json.models[0].money).toBeCloseTo(0.00045, 9);
      expect((await pal("config", "set", "mind.price.in", "-1")).code).toBe(2);
    } finally {
      vi.unstubAllEnvs();
      await chat.close();
    }
  });
});
