import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkSync } from "recheck";
import { describe, expect, it } from "vitest";
import { parseAst } from "vitest/node";
import { memoryStorage, openStore } from "../src/index.js";
import { ROOT } from "./_processes.js";

interface Pattern {
  readonly source: string;
  readonly flags: string;
  readonly file: string;
}

function patternsOf(file: string, text: string): Pattern[] {
  const found: Pattern[] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { type, regex } = node as { type?: string; regex?: { pattern: string; flags: string } };
    if (type === "Literal" && regex) found.push({ source: regex.pattern, flags: regex.flags, file });
    for (const child of Object.values(node)) walk(child);
  };
  walk(parseAst(text, { lang: "ts" }));
  return found;
}

const all = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !/(?:^|\/)_/.test(path))
  .flatMap((path) => patternsOf(path, readFileSync(join(ROOT, "src", path), "utf8")));

/** One class of characters, over and over, to the end of the text: from each of a run of them it is looked on anew. */
const TAIL = /^(?:\[(?:[^\]\\]|\\.)+\]|\\s|\\n|[=/ ])[+*]\$$/;

/** Texts of ours, or so short that the square of their length is nothing. */
const SHORT: ReadonlySet<string> = new Set(["care/needles.ts"]);

/** Behind a bound on the length of what they read: a clause, a question, a glance, a name, a window, or a message of ours. */
const BOUNDED =
  /^(?:mind\/extract|recall\/detect|recall\/answer|gate\/detect|repo\/served|storage\/postgres\/errors|doors\/cli\/(?:show|completions|program|connect)|language\/told-names|care\/needles|palace\/raw-output|documents\/import\/notes)/;

/** Those that a comment beside them says how they are kept from what would make them slow. */
const GUARDED: readonly string[] = [
  String.raw`\n?[ \t]*<!-- contested[\s\S]*?-->`,
  String.raw`<think>[\s\S]*?<\/think>`,
  String.raw`<!--[\s\S]*?-->`,
  String.raw`\b(CLOSED|DEADLINE|SCHEDULED):[ \t]*([<[][^\]>\n]{0,200}[\]>])`,
  String.raw` \(from .{1,300}?\):`,
];

describe("patterns", () => {
  it("T724 a pattern that takes away the end of a text says that nothing of it may stand before", () => {
    expect(TAIL.test(String.raw`[\s.,!?]+$`)).toBe(true);
    expect(all.length).toBeGreaterThan(800);
    const late = all.filter(({ source, file }) => TAIL.test(source) && !SHORT.has(file));
    expect(late.map(({ source, file }) => `${file}: /${source}/`)).toEqual([]);
  });

  it("T724 a value that looks like words and numbers, and is none, is judged before anybody gives up waiting", async () => {
    const store = await openStore(memoryStorage(), { embedder: "none" });
    for (const name of ["key", "auth", "api_key", "secret", "password", "token"])
      for (const join of ["=", ": ", " is "])
        for (const value of ["abcdefghijklmnopqrstuvwxyz".repeat(8), "AbcdEfghIjklMnopQrstUvwxYz".repeat(8)])
          expect(await store.session().remember(`${name}${join}${value}1x`)).toHaveProperty("verdict");
    await store.close();
  });

  it("T724 none of those that read what others wrote takes more than linear time (torture: all; here some that did)", {
    timeout: 900_000,
  }, () => {
    const isLong = process.env.PAL_TORTURE === "1";
    const few = all.filter(({ file }) =>
      /^(?:documents\/(?:org|render|link-text)|palace\/drawer-file)/.test(file),
    );
    const slow = (isLong ? all : few)
      .filter(({ file, source }) => !BOUNDED.test(file) && !GUARDED.includes(source))
      .filter(({ source, flags }) => checkSync(source, flags, { timeout: 5_000 }).status === "vulnerable");
    expect(slow.map(({ source, file }) => `${file}: /${source}/`)).toEqual([]);
  });
});
