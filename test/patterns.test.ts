import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "recheck";
import { describe, expect, it } from "vitest";
import { parseAst } from "vitest/node";
import { memoryStorage, openStore } from "../src/index.js";
import { BOUNDED } from "./_bounded-patterns.js";
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
    const late = lateOf(node);
    if (late) found.push({ ...late, file });
    for (const child of Object.values(node)) walk(child);
  };
  walk(parseAst(text, { lang: "ts" }));
  return found;
}

/** latePattern("u")`…`: a pattern that is written as text. */
function lateOf(node: object): Omit<Pattern, "file"> | undefined {
  const { type, tag, quasi } = node as {
    type?: string;
    tag?: { callee?: { name?: string }; arguments?: { value?: string }[] };
    quasi?: { quasis: { value: { raw: string } }[] };
  };
  if (type !== "TaggedTemplateExpression" || tag?.callee?.name !== "latePattern") return undefined;
  return { source: quasi?.quasis[0]?.value.raw ?? "", flags: tag.arguments?.[0]?.value ?? "" };
}

const files = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" }).filter(
  (path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !/(?:^|\/)_/.test(path),
);
const all = files.flatMap((path) => patternsOf(path, readFileSync(join(ROOT, "src", path), "utf8")));

/** One class of characters, over and over, to the end of the text: from each of a run of them it is looked on anew. */
const TAIL = /^(?:\[(?:[^\]\\]|\\.)+\]|\\s|\\n|[=/ ])[+*]\$$/;

/** Texts of ours, or so short that the square of their length is nothing. */
const SHORT: ReadonlySet<string> = new Set(["care/receipt.ts"]);

const isBounded = ({ file, source }: Pattern): boolean =>
  BOUNDED[file]?.starts.some((start) => source.startsWith(start)) === true;

/** More than so many steps for each character of 64 KB are slow. No clock decides, so a busy machine says the same. */
const BOUNDS = {
  ...{ timeout: null, attackTimeout: null, incubationTimeout: null },
  ...{ randomSeed: 7, maxIteration: 2, maxAttackStringSize: 65_536, attackLimit: 400 * 65_536 },
};

/** A repeat that is counted costs so many times as much, and does not grow: with few the checker is done sooner. */
const withFewRepeats = (source: string): string =>
  source.replace(/(?<!\\)\{\d+(?:,\d*)?\}/g, (repeat) =>
    repeat.replace(/\d+/g, (count) => String(Math.min(Number(count), 12))),
  );

async function isSlow({ source, flags }: Pattern): Promise<boolean> {
  return (await check(withFewRepeats(source), flags, BOUNDS)).status !== "safe";
}

/** What starts to work when it is loaded. */
const isProgram = (path: string): boolean => /^doors\/|\/worker\.ts$/.test(path);

/** Patterns that are put together of parts while the modules load. */
let isBuilt: Promise<readonly Pattern[]> | undefined;
const builtPatterns = (): Promise<readonly Pattern[]> => {
  isBuilt ??= patternsBuilt();
  return isBuilt;
};

async function patternsBuilt(): Promise<readonly Pattern[]> {
  const found: Pattern[] = [];
  const { RegExp: real } = globalThis;
  let file = "";
  globalThis.RegExp = new Proxy(real, {
    construct(target, args: [string, string?]) {
      const made = new target(...args);
      found.push({ source: made.source, flags: made.flags, file });
      return made;
    },
  });
  try {
    for (file of files.filter((path) => !isProgram(path)))
      await import(/* @vite-ignore */ join(ROOT, "src", file));
  } finally {
    globalThis.RegExp = real;
  }
  return found;
}

describe("patterns", () => {
  it("T724 a pattern that takes away the end of a text says that nothing of it may stand before", () => {
    expect(TAIL.test(String.raw`[\s.,!?]+$`)).toBe(true);
    expect(all.length).toBeGreaterThan(800);
    const late = all.filter(({ source, file }) => TAIL.test(source) && !SHORT.has(file));
    expect(late.map(({ source, file }) => `${file}: /${source}/`)).toEqual([]);
  });

  it("T724 a pattern that is named as bounded is still there", async () => {
    const every = [...all, ...(await builtPatterns())];
    const gone = Object.entries(BOUNDED).flatMap(([file, { starts }]) =>
      starts.filter((start) => !every.some((one) => one.file === file && one.source.startsWith(start))),
    );
    expect(gone).toEqual([]);
  });

  it("T724 the checker tells a slow pattern, also where only trying it out shows it", async () => {
    for (const source of ["\\s+x", "(a|aa)+$", "a{0,120}\\s+x", ".{0,400}\\s+x$", "(.+)\\1x"])
      expect([source, await isSlow({ source, flags: "", file: "" })]).toEqual([source, true]);
    for (const source of ["\\w+", "(?<!\\s)\\s{1,200}x"])
      expect([source, await isSlow({ source, flags: "", file: "" })]).toEqual([source, false]);
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
    timeout: 3_600_000,
  }, async () => {
    const isLong = process.env.PAL_TORTURE === "1";
    const few = all.filter(({ file }) =>
      /^(?:documents\/(?:org|render|link-text|import\/notes)|palace\/drawer-file|core\/|language\/languages)/.test(
        file,
      ),
    );
    const built = isLong ? await builtPatterns() : [];
    const distinct = new Map(
      [...(isLong ? all : few), ...built].map((one) => [`${one.source}/${one.flags}`, one]),
    );
    const slow: Pattern[] = [];
    for (const one of distinct.values()) if (!isBounded(one) && (await isSlow(one))) slow.push(one);
    expect(slow.map(({ source, file }) => `${file}: /${source}/`)).toEqual([]);
  });
});
