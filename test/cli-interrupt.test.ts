import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../src/index.js";
import { env, hasScript, inPipe, main, quoted } from "./_binary.js";

/** Large enough that each command goes on for a while after its first bar. */
const MEMORIES = 8_000;
const FILES = 300;

/** A command, what its bar and its last words say, and whether it works on the common store or begins with none. */
const LONG: readonly (readonly [line: string, bar: string, said: RegExp, store: "full" | "new"])[] = [
  ["verify", "verifying", /objects read, nothing was changed/, "full"],
  ["export|-o|out.json|--history", "exporting", /nothing was written/, "full"],
  ["stats|--full", "counting", /nothing was changed/, "full"],
  ["gc", "collecting", /objects dropped/, "full"],
  ["rebuild", "rebuilding", /what was written is untouched/, "full"],
  ["compact", "compacting", /nothing is lost/, "full"],
  ["backup|out.backup", "backing up", /no file was written/, "full"],
  ["repair|saved", "repairing", /no new store was made/, "full"],
  ["embed", "embedding", /memor(?:y|ies) embedded and kept/, "full"],
  ["remember|--jsonl|rows.jsonl", "remembering", /stored/, "new"],
  ["import|rows.jsonl", "importing", /stored/, "new"],
  ["import|all.json", "importing", /stored|nothing was/, "new"],
  ["ingest|notes", "reading", /files? read and stored/, "new"],
  ["restore|all.backup", "restoring", /nothing was restored/, "new"],
];

const pausedBar = new URL("./_paused-bar.mjs", import.meta.url).href;
let home: string;
const full = () => join(home, "full");

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "pal-interrupt-"));
  const items = Array.from({ length: MEMORIES }, (_, at) => ({
    id: `note-${at}`,
    text: `Note ${at} of the harbour: ship ${at % 97} lies at berth ${at % 31} until tide ${at % 13}`,
    type: "note",
  }));
  writeFileSync(join(home, "rows.jsonl"), items.map((item) => `${JSON.stringify(item)}\n`).join(""));
  mkdirSync(join(home, "notes"));
  for (let at = 0; at < FILES; at++)
    writeFileSync(join(home, "notes", `${at}.md`), `# Note ${at}\n\nShip ${at} lies at berth ${at % 31}.\n`);
  const store = await openStore(full(), { embedder: "none" });
  await store.session({ agent: "ann" }).rememberMany(items);
  await store.backup(join(home, "all.backup"));
  await store.close();
  await inPipe({ cwd: home, store: full() }, ["export", "--history", "-o", "all.json"]);
}, 120_000);
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** In a terminal, where Ctrl-C is typed `times` when the bar is first seen; stdout goes to a file. */
function interrupted(store: string, line: readonly string[], bar: string, times: number) {
  const [out, typed] = [join(home, "stdout"), join(home, "typed")];
  rmSync(typed, { force: true });
  const command = `stty cols 80 rows 24; exec ${quoted([process.execPath, main, ...line])} > ${quoted([out])}`;
  const child = spawn("script", ["-qec", command, "/dev/null"], {
    env: {
      ...env({ cwd: home, store }),
      ...(line[0] === "embed" && { PAL_EMBEDDER: "minilm" }),
      ...{ NODE_OPTIONS: `--import ${pausedBar}`, PAUSED_AT: bar, PAUSED_UNTIL: typed },
    },
    cwd: home,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const waking = setInterval(() => child.kill("SIGCONT"), 1_000);
  let [seen, isTyped] = ["", false];
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    seen += part;
    if (!isTyped && seen.includes(`\r${bar}`)) {
      isTyped = true;
      child.stdin.write("\u0003".repeat(times));
    }
    // The terminal shows what was typed when it has sent the signal.
    if (seen.includes("^C")) writeFileSync(typed, "");
  });
  return new Promise<{ code: number | null; seen: string; out: string }>((resolve) =>
    child.on("close", (code) => {
      clearInterval(waking);
      resolve({ code, seen, out: readFileSync(out, "utf8") });
    }),
  );
}

describe.skipIf(!hasScript)("C260 Ctrl-C in the midst of every long command", () => {
  for (const [text, bar, said, kind] of LONG)
    it(`C260 ${text.replaceAll("|", " ")}: ends at once with 130, says what was done, leaves no file`, {
      timeout: 120_000,
    }, async () => {
      const store = kind === "full" ? full() : join(home, "new");
      const before = readdirSync(home);
      const { code, seen } = await interrupted(store, text.split("|"), bar, 1);
      expect([code, seen]).toEqual([130, expect.stringMatching(said)]);
      expect(seen).not.toMatch(/\n\s+at |node:internal/);
      expect(
        readdirSync(home).filter(
          (name) => !before.includes(name) && !/^(?:new|stdout|typed|\.cache)$/.test(name),
        ),
      ).toEqual([]);
      if (kind === "full") return;
      if (existsSync(store)) expect((await inPipe({ cwd: home, store }, ["verify"])).code).toBe(0);
      // What nothing is left of can be done again, to its end.
      else expect((await inPipe({ cwd: home, store }, text.split("|"))).code).toBe(0);
      rmSync(store, { recursive: true });
    });

  it("C260 after all of these the store is whole", { timeout: 120_000 }, async () => {
    const { code, out } = await inPipe({ cwd: home, store: full() }, ["verify", "--json"]);
    expect(JSON.parse(out)).toMatchObject({ ok: true, memories: MEMORIES, problems: [] });
    expect(code).toBe(0);
  });

  it("C260 with --json it is one value that says so; a second Ctrl-C ends the process", async () => {
    const one = await interrupted(full(), ["verify", "--json"], "verifying", 1);
    expect(JSON.parse(one.out)).toMatchObject({ error: { code: "INTERRUPTED" } });
    cpSync(full(), join(home, "copy"), { recursive: true });
    const two = await interrupted(join(home, "copy"), ["rebuild"], "rebuilding", 2);
    expect(two.code).toBeGreaterThanOrEqual(130);
    expect((await inPipe({ cwd: home, store: join(home, "copy") }, ["verify"])).code).toBe(0);
  }, 120_000);
});
