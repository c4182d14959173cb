import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CATALOG } from "../src/doors/cli/catalog.js";
import { widthOf } from "../src/doors/cli/width.js";
import { openStore } from "../src/index.js";
import { COLUMNS, hasScript, inPipe, inTerminal, type Place } from "./_binary.js";

/**
 * Every command as the built binary, in an order in which each has something to do: its line, and how it ends if that is
 * not 0 (in a pipe, where an agent writes, and in a terminal, where a person does).
 */
const SCENES: readonly (readonly [line: string, inPipe?: number, inTerminal?: number])[] = [
  ["status"],
  ["remember|Prefers Python for backend work|--topic|language|--message|said at lunch"],
  [
    "remember|The staging server is called wombat and stands behind the old load balancer in Graz|--id|staging",
  ],
  ["update|staging|The staging server is called quokka and stands behind the old load balancer in Graz"],
  ["observe|The build is slow on Mondays"],
  ["confirm|staging"],
  ["get|staging"],
  ["list|--limit|20"],
  ["search|staging server"],
  ["recall|What is the staging server called?"],
  ["recall|What is the capital of Mongolia?", 1, 1],
  ["why|staging"],
  ["wake-up"],
  ["view"],
  ["history|staging"],
  ["blame|staging"],
  ["log|--events"],
  ["snapshot|tidy"],
  ["snapshots"],
  ["create-branch|work|--persona|worker|--purpose|Try Rust"],
  ["checkout|work"],
  ["remember|Prefers Rust for backend work|--topic|language"],
  ["commit|--message|Tried it|--contribution|Rust works"],
  ["trace|add|Wrote a server"],
  ["trace|list"],
  ["context"],
  ["checkout|main"],
  ["remember|Prefers Zig for backend work|--topic|language"],
  ["branches"],
  ["merge|work", 1, 1],
  ["conflicts"],
  ["resolve|topic-|text|--take|1|--part"],
  ["diff|tidy"],
  ["graph"],
  ["log|--graph"],
  ["tag|v1"],
  ["tags"],
  ["cherry-pick|work"],
  ["revert|main", 1, 1],
  ["rename-branch|work|play"],
  ["delete-branch|play"],
  ["ops"],
  ["undo"],
  ["bisect|--query|staging|--expect|quokka"],
  ["identity|I am Ann. I keep the servers running."],
  ["identity"],
  ["palace|new|Kitchen/Top"],
  ["palace"],
  ["scratch|add|ticket|4711 is about login|--session|s1"],
  ["scratch|list|--session|s1"],
  ["promote|ticket|Login fails when cookies are blocked|--reason|Asked twice|--in|Kitchen/Top|--session|s1"],
  ["playbooks|deploy"],
  ["extract|talk.txt"],
  ["review"],
  ["taint|staging"],
  ["consolidate"],
  ["reflect"],
  ["persona|reviewing code"],
  ["hand-over"],
  ["ingest|notes.md"],
  ["links|~/notes.md"],
  ["export|-o|all.jsonl|--format|jsonl"],
  ["import|all.jsonl"],
  ["stats"],
  ["prove|staging|-o|proof.json"],
  ["verify-proof|proof.json"],
  ["move|staging|shared"],
  ["forget|staging|--reason|renamed"],
  ["rollback|tidy"],
  ["erase|staging|--yes", 1, 0],
  ["embed", 1, 1],
  ["gc"],
  ["compact"],
  ["rebuild"],
  ["backup|all.backup"],
  ["restore|all.backup", 1, 1],
  ["repair|mended"],
  ["verify"],
  ["doctor"],
  ["config"],
  ["connect|claude|--dry-run"],
  ["hook|SessionStart|--agent|claude"],
  ["completion|bash"],
  ["docs"],
  ["mcp|--http|none", 2, 2],
  ["get|nothing-like-this", 1, 1],
  ["lst", 2, 2],
  ["tour"],
];

/** Programs and files rather than lines for eyes: their lines are as long as they are. */
const DATA = new Set(["docs", "completion", "hand-over", "hook", "connect"]);
/** Asked by shells, in a form of theirs. */
const FOR_SHELLS = "complete";
const LARGE = 5_000;
const isLong = process.env.PAL_TORTURE === "1";

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "pal-everywhere-"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function placeOf(name: string, memories: number): Promise<Place> {
  const cwd = join(home, name);
  mkdirSync(cwd);
  writeFileSync(join(cwd, "notes.md"), "# Notes\n\nSee [[Other]].\n");
  writeFileSync(join(cwd, "talk.txt"), "user: My name is Bob and I live in Paris.\n");
  const place = { cwd, store: join(cwd, "store") };
  if (memories === 0) return place;
  const store = await openStore(place.store, { embedder: "none" });
  // As notes: beliefs would each be compared with their neighbours.
  const items = Array.from({ length: memories }, (_, at) => ({
    text: `Note ${at} of the harbour: ship ${at % 97} lies at berth ${at % 31} until tide ${at % 13}`,
    type: "note",
  }));
  await store.session({ agent: "ann" }).rememberMany(items);
  await store.close();
  return place;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal acts on is what is looked for
const COLOUR = /\u001b\[\d+m/g;
/** A bar is drawn over itself and gone at the end. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const BAR = /\r[^\n\u001b]*\u001b\[K/g;

const wayOf = {
  async pipe(place: Place, line: readonly string[]): Promise<number> {
    const { code, out, err } = await inPipe(place, [...line, "--json"]);
    expect(() => JSON.parse(out), out).not.toThrow();
    expect(err).toBe("");
    expect(out).not.toContain("\u001b");
    return code;
  },
  async terminal(place: Place, line: readonly string[]): Promise<number> {
    const { code, out } = await inTerminal(place, line);
    const plain = out.replace(BAR, "").replace(COLOUR, "");
    expect(plain).not.toContain("\u001b");
    if (!DATA.has(line[0] as string))
      for (const row of plain.split("\n")) expect(widthOf(row), row).toBeLessThanOrEqual(COLUMNS);
    return code;
  },
};

/** What a newcomer types first; these need nothing of what the others do. */
const FIRST = new Set([
  ...["status", "remember", "get", "list", "search", "view", "log", "branches", "stats", "doctor", "lst"],
]);

/** Some ninety starts of a process each: one of them by default, and of the terminal what is met first. */
const RUNS = [
  ["fresh", "pipe", SCENES],
  ["large", "terminal", isLong ? SCENES : []],
  ["fresh", "terminal", isLong ? SCENES : SCENES.filter(([line]) => FIRST.has(line.split("|")[0] as string))],
  ["large", "pipe", isLong ? SCENES : []],
] as const;

describe("C254 every command as the built binary", () => {
  it("C254 none is left out", () => {
    const met = new Set(SCENES.map(([line]) => line.split("|")[0]));
    expect(Object.keys(CATALOG).filter((name) => !met.has(name))).toEqual([FOR_SHELLS]);
  });

  for (const [size, way, scenes] of RUNS)
    it.skipIf(scenes.length === 0 || (way === "terminal" && !hasScript))(
      `C254 on a ${size} store in a ${way}: its exit code, ${way === "pipe" ? "one JSON value, no escapes" : "no line wider than the terminal, no escapes but colours"}`,
      { timeout: 600_000 },
      async () => {
        const place = await placeOf(`${size}-${way}`, size === "large" ? LARGE : 0);
        for (const [line, piped = 0, seen = 0] of scenes) {
          const code = await wayOf[way](place, line.split("|")).catch((error: Error) => {
            throw new Error(`pal ${line.replaceAll("|", " ")}: ${error.message}`);
          });
          expect(code, line).toBe(way === "pipe" ? piped : seen);
        }
      },
    );
});
