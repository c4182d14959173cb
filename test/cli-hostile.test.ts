import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CATALOG } from "../src/doors/cli/catalog.js";
import { type Ran, Shell } from "./_cli.js";

/** What terminals, editors and eyes can be fooled with: escapes, a title, C1, returns, bidi, zero width, tags. */
const CONTROLS = "\u001b[2J\u001b]0;owned\u0007\u009b31m\r\b\u0000";
const FORMATS = "\u202e\u2066\u200b\u200e\ufeff\u{e0041}\u2028\ufe0f\ue000\u180e\u034f";
const EVIL = `x${CONTROLS}${FORMATS}y`;
/** Where controls are refused. */
const SLY = `x${FORMATS}y`;
/** A command line holds no NUL. */
const TYPED = EVIL.replaceAll("\u0000", "");

// biome-ignore lint/suspicious/noControlCharactersInRegex: what is looked for
const COLOUR = /\u001b\[\d+m/g;
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}]/u;
/** A bar is drawn over itself and gone at the end. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const BAR = /\r[^\n\u001b]*\u001b\[K/g;
const shown = (text: string): string =>
  text
    .replace(BAR, "")
    .replace(COLOUR, "")
    .replace(/[\n\t]/g, "");

function clean({ out, err }: Ran, line: readonly string[]): void {
  for (const text of [out, err])
    expect(HIDDEN.exec(shown(text)), `pal ${line.join(" ")}: ${JSON.stringify(text)}`).toBeNull();
}

const isLong = process.env.PAL_TORTURE === "1";

let shell: Shell;
let pal: (...line: string[]) => Promise<Ran>;
beforeAll(async () => {
  shell = new Shell({ person: true, columns: 80, env: { HOME: "/nowhere", PAL_EMBEDDER: "none" } });
  pal = async (...line) => {
    const ran = await shell.with({})(...line);
    clean(ran, line);
    expect(ran.out + ran.err).not.toMatch(/Something unexpected|\n\s+at [\w.]+ \(/);
    const json = await shell.with({ columns: undefined } as never)("--json", ...line);
    clean(json, line);
    expect(() => json.json, `pal ${line.join(" ")}: ${json.out}`).not.toThrow();
    return ran;
  };
});
afterAll(() => shell.remove());

describe("C263 hostile characters in every place a value can come from (B15)", () => {
  it("C263 in the fields of memories, in files and their names, in branches, snapshots, messages and settings", async () => {
    const fields = [
      "--type",
      "note",
      "--category",
      TYPED,
      "--tag",
      SLY,
      "--evidence",
      TYPED,
      "--message",
      TYPED,
    ];
    const triple = [
      "--subject",
      SLY,
      "--predicate",
      SLY,
      "--object",
      SLY,
      "--speaker",
      SLY,
      "--attr",
      `${SLY}=${TYPED}`,
    ];
    await pal("remember", `Note ${TYPED}`, "--id", `id-${SLY}`, ...fields, ...triple);
    await pal(
      "remember",
      `Note of ${TYPED} wombats`,
      "--id",
      "victim",
      "--type",
      "note",
      "--topic",
      SLY,
      "--source",
      SLY,
    );
    await pal("remember", `A belief ${TYPED}`, "--tier", SLY);
    await pal("remember", `A belief ${SLY} about wombats`, "--topic", TYPED);
    await pal("update", "victim", `Other ${TYPED}`, "--message", TYPED);
    await pal("update", "victim", "--attr", `a=${TYPED}`);
    await pal("create-branch", "work", "--persona", TYPED, "--purpose", TYPED);
    await pal("create-branch", "work2", "--persona", SLY, "--purpose", SLY);
    await pal("update", "victim", `Here ${TYPED}`, "--branch", "work2");
    await pal("update", "victim", `There ${TYPED}`);
    await pal("merge", "work2", "--message", TYPED);
    await pal("snapshot", SLY);
    await pal("snapshot", "label");
    await pal("commit", "--message", TYPED, "--contribution", TYPED, "--decision", TYPED, "--roadmap", TYPED);
    await pal("trace", "add", TYPED);
    await pal("identity", TYPED);
    await pal("palace", "new", `Room ${SLY}/Drawer`, "--description", SLY);
    await pal("scratch", "add", `key ${SLY}`, TYPED, "--session", "s1");
    await pal("observe", `Seen ${SLY} twice`);
    mkdirSync(join(shell.cwd, "folder"));
    const name = `note ${TYPED.replaceAll("/", "")}.md`;
    writeFileSync(join(shell.cwd, "folder", name), `# ${EVIL}\n\nSee [[${EVIL}]] and ${EVIL}\n\n- ${EVIL}\n`);
    writeFileSync(join(shell.cwd, "talk.txt"), `user: My name is ${EVIL} and I live in Paris.\n`);
    writeFileSync(
      join(shell.cwd, "rows.jsonl"),
      `${JSON.stringify({ text: EVIL, [SLY]: 1 })}\n{"text":"${SLY}\n${EVIL}\n`,
    );
    await pal("ingest", "folder");
    await pal("ingest", join("folder", name));
    await pal("ingest", `missing ${TYPED}.md`);
    await pal("extract", "talk.txt");
    await pal("remember", "--jsonl", "rows.jsonl");
    await pal("import", "rows.jsonl");
    await pal("import", "folder");
    for (const key of [TYPED, "embedder", "memory.max_items"]) await pal("config", "set", key, TYPED);
    await pal("config");
    await pal("config", "unset", "embedder");
  });

  /** Each with what is hostile among what it reads, and with hostile arguments. */
  const READS = [
    ...["status", "list", "view", "log", "log --events", "log --graph", "log --oneline", "branches", "tags"],
    ...["snapshots", "ops", "conflicts", "review", "stats", "graph", "graph --format timeline", "context"],
    ...["wake-up", "palace", "scratch list --session s1", "trace list", "consolidate", "reflect", "doctor"],
    ...[
      "diff label",
      "get victim",
      "history victim",
      "blame victim",
      "why victim",
      "prove victim",
      "taint victim",
    ],
    ...[
      "search wombats",
      "recall wombats",
      "export -o -",
      "export --format markdown -o -",
      "export --format org -o -",
    ],
    ...[
      "export --format jsonl -o -",
      "hand-over",
      "identity",
      "playbooks wombats",
      "verify",
      "bisect --query wombats --expect There",
    ],
    ...[
      "complete -- get x",
      "complete -- log --at ",
      "revert main",
      "cherry-pick work2",
      "undo",
      "persona wombats",
      "links victim",
    ],
  ];
  it.each(READS)("C263 pal %s", async (line) => {
    await pal(...line.split(" "));
  });

  it("C263 in arguments, options, paths and the environment, told in errors", async () => {
    for (const name of Object.keys(CATALOG).filter((one) => !/^(?:mcp|hook|tour|remember|docs)$/.test(one))) {
      await pal(name, TYPED, "--scope", TYPED);
      await pal(name, `--${TYPED}`);
      if (!isLong) continue;
      await pal(name, TYPED, TYPED, TYPED);
      await pal(name, "victim", "--scope", TYPED);
    }
    await pal(TYPED);
    for (const option of ["--branch", "--agent", "--scopes", "--clearance", "--session", "--at", "--store"])
      await pal("list", option, TYPED);
    for (const env of [
      { PAL_BRANCH: TYPED },
      { PAL_AGENT: TYPED },
      { PAL_HOME: join(shell.home, TYPED) },
      { PAL_EMBEDDER: TYPED },
      { PAL_SESSION: TYPED },
    ]) {
      for (const line of ["status", "list", "search tea --mode vector", "doctor", "remember Likes-tea"].map(
        (one) => one.split(" "),
      )) {
        clean(await shell.with({ env: { PAL_HOME: shell.store, ...env } })(...line), [
          JSON.stringify(env),
          ...line,
        ]);
      }
    }
    clean(await shell.with({ user: TYPED })("remember", "Likes tea"), ["remember"]);
  });
});
