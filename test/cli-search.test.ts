import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Shell } from "./_cli.js";

let shell: Shell;
beforeEach(async () => {
  shell = new Shell();
  await add("Ann prefers Rust for backend work", "--topic", "language", "--tag", "code");
  await add("The server is called wombat", "--type", "note", "--attr", "rack=4");
  await add("Likes tea in the morning", "--scope", "agent/tester");
});
afterEach(() => shell.remove());
const pal = (...args: string[]) => shell.pal(...args);
const add = async (...args: string[]) => (await pal("remember", ...args, "--json")).json;
const ESC = "\u001b[";

describe("search", () => {
  it("C289 a limit of more than 200 is refused, and what is allowed is found, by words and by recall", async () => {
    for (const limit of ["201", "5000"]) {
      const { code, out, err } = await pal("search", "tea", "--limit", limit);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toContain(`A search finds at most 200 memories`);
      const json = await pal("search", "tea", "--limit", limit, "--json");
      expect([json.code, JSON.parse(json.err || json.out).error.code]).toEqual([2, "INVALID_VALUE"]);
    }
    const many = Array.from({ length: 250 }, (_, at) =>
      JSON.stringify({ text: `Ship ${at * 7919} lay in the harbour on day ${at}`, type: "note" }),
    );
    const file = join(shell.home, "many.jsonl");
    writeFileSync(file, many.join("\n"));
    await pal("remember", "--jsonl", file);
    expect((await pal("search", "harbour", "--limit", "200", "--json")).json.hits).toHaveLength(200);
    expect((await pal("recall", "harbour", "--limit", "200")).code).toBe(0);
    expect((await pal("recall", "harbour", "--limit", "201")).err).toContain("at most 200");
  });

  it("C51 search: best first, one line each with score, id and scope; JSON has hits and ms", async () => {
    const { code, out, err } = await pal("search", "backend preference of Ann");
    expect(code).toBe(0);
    expect(out).toMatch(/^\d+\.\d\d +topic-[0-9a-f]{8} {2}Ann prefers Rust for backend work\n$/);
    expect(err).toMatch(/^1 hit in [\d.]+ ms\n$/);
    expect((await pal("search", "teas")).out).toMatch(/ {2}\[agent\/tester\] Likes tea in the morning\n$/);
    const { json } = await pal("search", "wombat", "--json");
    expect(json).toEqual({
      hits: [
        expect.objectContaining({
          id: expect.stringMatching(/^mem-/),
          scope: "shared",
          text: "The server is called wombat",
          score: expect.any(Number),
          why: expect.arrayContaining([expect.objectContaining({ points: expect.any(Number) })]),
          commit: expect.stringMatching(/^[0-9a-f]{64}$/),
          matches: [[21, 27]],
        }),
      ],
      ms: expect.any(Number),
      mode: "lexical",
      vectors: "none",
      reason: "Nothing is embedded yet.",
      answerable: expect.any(Number),
      abstain: false,
    });
  });

  it("Y161 --mode chooses words, meaning or both; what cannot be compared is said, and words answer", async () => {
    const { json } = await pal("search", "wombat", "--mode", "lexical", "--json");
    expect(json).toMatchObject({ mode: "lexical", vectors: "unused", hits: [{ id: expect.any(String) }] });
    vi.stubEnv("PAL_EMBEDDER", "none");
    const hybrid = await pal("search", "wombat", "--mode", "hybrid");
    expect(hybrid.out).toContain("The server is called wombat");
    expect(hybrid.err).toMatch(/^1 hit in [\d.]+ ms · There is no embedder\.\n$/);
    vi.unstubAllEnvs();
    expect(await pal("search", "wombat", "--mode", "best")).toMatchObject({ code: 2 });
  });

  it("C51 nothing found is an empty answer, not an error", async () => {
    expect(await pal("search", "xylophone")).toMatchObject({ code: 0, out: "" });
    expect((await pal("search", "xylophone", "--json")).json.hits).toEqual([]);
  });

  it("C52 filters stand in the question or as options; --at searches the past", async () => {
    const texts = async (...args: string[]) =>
      (await pal("search", "--json", ...args)).json.hits.map(({ text }: { text: string }) => text);
    expect(await texts("type:note")).toEqual(["The server is called wombat"]);
    expect(await texts("is", "--attr", "rack=4")).toEqual(["The server is called wombat"]);
    expect(await texts("rust", "--tag", "code", "--topic", "language")).toHaveLength(1);
    expect(await texts("rust", "--type", "note")).toEqual([]);
    expect(await texts("rust tea wombat", "--limit", "1")).toHaveLength(1);
    expect(await texts("rust", "--min-score", "1000")).toEqual([]);
    expect(await texts("rust", "--after", "2100-01-01")).toEqual([]);
    expect(await texts("rust", "--scope", "agent/tester")).toEqual([]);
    const { commit } = await add("Ann moved to Rust and Zig", "--topic", "language");
    expect(await texts("zig")).toHaveLength(1);
    expect(await texts("zig", "--at", commit)).toHaveLength(1);
    const first = (await pal("log", "--json")).json.at(-1).commit;
    expect(await texts("zig", "--at", first)).toEqual([]);
    expect(await texts("rust", "--at", first)).toEqual(["Ann prefers Rust for backend work"]);
  });

  it("C53 matches are painted at a terminal, and a long text is shown from near its first match", async () => {
    await add(
      `${"filler word ".repeat(30)}then the quokka came \u001b[31m and ${"more ".repeat(20)}`,
      "--type",
      "note",
    );
    const { out } = await shell.with({ columns: 80 })("search", "quokka");
    expect(out).toContain(`${ESC}33mquokka${ESC}39m`);
    expect(out).not.toContain(`${ESC}31m`);
    const plain = out.replaceAll(new RegExp(`${ESC.replace("[", "\\[")}\\d+m`, "g"), "");
    expect(plain).toMatch(/ {2}….*the quokka came/);
    expect(plain.trimEnd().length).toBeLessThanOrEqual(80);
    const piped = (await pal("search", "quokka")).out.trimEnd();
    expect(piped).toContain("the quokka came");
    expect(piped.length).toBeGreaterThan(100);
    expect(piped.length).toBeLessThanOrEqual(420);
  });

  it("C54 --why shows what speaks for each hit", async () => {
    expect((await pal("search", "wombat", "--why")).out).toMatch(/wombat\n {7}\w+ -?\d+\.\d\d/);
  });

  it("C55 wrong usage: no question, a score that is no number", async () => {
    expect((await pal("search")).code).toBe(2);
    expect((await pal("search", "x", "--min-score", "high", "--json")).json.error.code).toBe("USAGE");
    expect((await pal("search", "x", "--after", "soon", "--json")).json.error.code).toBe("INVALID_TIME");
  });
});

describe("view", () => {
  it("C56 view: branch and head, then canon, topics and the newest beliefs; JSON has the state and its items", async () => {
    await shell.with({ person: true })("remember", "Be kind", "--tier", "canon");
    const { code, out, err } = await pal("view");
    expect(code).toBe(0);
    expect(out).toMatch(
      /^main at [0-9a-f]{12}\n\nCanon\n.*Be kind\n\nTopics\n.*Ann prefers Rust.*\n\nNewest\n.*Likes tea.*\n$/,
    );
    expect(err).toBe("3 beliefs; 4 memories in all\n");
    const { json } = await pal("view", "--max", "1", "--json");
    expect(json).toMatchObject({ branch: "main", beliefs: 3, memories: 4, items: [{ text: "Be kind" }] });
    expect((await pal("view", "--max", "1")).err).toBe("3 beliefs, 1 shown; 4 memories in all\n");
  });
});
