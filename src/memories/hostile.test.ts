import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fillStore } from "../care/_filled.js";
import { hashBytes } from "../core/base/hash.js";
import { canonical } from "../core/base/json.js";
import { openStore } from "../session/index.js";
import { memoryStorage } from "../storage/index.js";

let home: string;
let lines: string[];
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "pal-hostile-"));
  const store = await openStore(memoryStorage());
  await fillStore(store, 8);
  await store.backup(join(home, "good.pal"));
  lines = readFileSync(join(home, "good.pal"), "utf8").split("\n").slice(0, -2);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Whole as a file, whatever it says. */
const sealed = (body: readonly string[]): string => {
  const text = `${body.join("\n")}\n`;
  return `${text}end ${createHash("sha256").update(text).digest("hex")}\n`;
};
const without = (isOut: (line: string) => boolean) => sealed(lines.filter((line) => !isOut(line)));
const object = (kind: string, value: unknown) => {
  const bytes = Buffer.from(typeof value === "string" ? value : canonical(value));
  return `object ${kind} ${hashBytes(kind as "memory", bytes)} ${bytes.toString()}`;
};
const first = (word: string) => lines.findIndex((line) => line.startsWith(word));
const swapped = (from: RegExp, to: string) => sealed(lines.map((line) => line.replace(from, to)));
const ref = (name: string, target?: string) =>
  sealed([...lines, `ref ${JSON.stringify({ name, target: target ?? "ab".repeat(32) })}`]);
const head = () => JSON.parse(lines[first("ref ")]!.slice(4)).target as string;

/** What somebody might hand us, and name a backup. */
const FILES: readonly (readonly [string, () => string | Buffer])[] = [
  ["an empty file", () => ""],
  ["one newline", () => "\n"],
  ["another text", () => "Dear Sir or Madam\n".repeat(1000)],
  ["noise", () => Buffer.from(Array.from({ length: 100_000 }, (_, n) => (n * 2654435761) >>> 24))],
  ["zeros", () => Buffer.alloc(5_000_000)],
  ["a compressed backup", () => gzipSync(sealed(lines))],
  ["a bomb", () => gzipSync(Buffer.alloc(50_000_000))],
  ["a zip that leads elsewhere", () => Buffer.from("PK\x03\x04../../../../etc/passwd")],
  ["a SQLite file", () => Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.alloc(8192)])],
  ["a later version", () => swapped(/Palimpsest backup 1/, "Palimpsest backup 2")],
  ["the start alone", () => `${lines[0]}\n`],
  ["no end", () => `${lines.join("\n")}\n`],
  ["half of it", () => sealed(lines).slice(0, sealed(lines).length / 2)],
  ["all but a byte", () => sealed(lines).slice(0, -2)],
  ["a wrong digest", () => `${lines.join("\n")}\nend ${"0".repeat(64)}\n`],
  ["more after the end", () => `${sealed(lines)}object memory\n`],
  ["two backups in one", () => sealed(lines) + sealed(lines)],
  ["a flipped letter", () => sealed(lines).replace("Memory 3", "Memory 4")],
  ["a changed object under its old hash", () => swapped(/Memory 3 about/, "Memory 9 about")],
  ["an object of another kind", () => swapped(/^object memory /, "object note ")],
  ["an unknown kind", () => swapped(/^object memory /, "object ../memory ")],
  ["a node that somebody made up", () => sealed([...lines, object("node", "made up")])],
  ["a hash that is none", () => swapped(/^op [0-9a-f]{8}/, "op zzzzzzzz")],
  ["an operation that is not there", () => sealed([...lines, `op ${"ab".repeat(32)}`])],
  ["an unknown word", () => sealed([...lines, "exec rm -rf /"])],
  ["a line without end", () => `${lines[0]}\nobject memory ${"a".repeat(40_000_000)}`],
  ["a million lines", () => `${lines[0]}\n${"op x\n".repeat(1_000_000)}`],
  [
    "bad UTF-8",
    () => Buffer.concat([Buffer.from(`${lines[0]}\nref {"name":"`), Buffer.from([0xff, 0xfe, 0x0a])]),
  ],
  ["deep JSON in a ref", () => sealed([...lines, `ref ${"[".repeat(50_000)}`])],
  [
    "deep JSON in an object",
    () =>
      sealed([...lines, object("memory", `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`), ...[]]).replace(
        /^/,
        "",
      ),
  ],
  ["a ref to nothing", () => ref("heads/other")],
  ["a ref that leads out", () => ref("../../heads/main", head())],
  ["a ref of another kind", () => ref("config/remote", head())],
  ["a ref without a name", () => ref("heads/", head())],
  [
    "a name that poisons",
    () => sealed([...lines, `ref {"__proto__":{"name":"heads/x"},"target":"${head()}"}`]),
  ],
  ["no refs at all but a made-up log", () => without((line) => line.startsWith("ref "))],
  [
    "a commit left out",
    () => without((line) => line === lines.findLast((one) => one.startsWith("object commit"))),
  ],
  [
    "a changeset left out",
    () => without((line) => line === lines.findLast((one) => one.startsWith("object changeset"))),
  ],
  [
    "a record left out",
    () => without((line) => line === lines.findLast((one) => one.startsWith("object memory"))),
  ],
  [
    "a forged commit",
    () => {
      const commit = JSON.parse(lines.findLast((line) => line.startsWith("object commit"))!.slice(79));
      const forged = object("commit", {
        ...commit,
        root: "cd".repeat(32),
        generation: commit.generation + 1,
        parents: [head()],
      });
      const target = forged.split(" ")[2]!;
      return sealed([...lines, forged, `ref ${JSON.stringify({ name: "heads/main", target })}`]);
    },
  ],
];

describe("hostile backups (B22)", () => {
  it.each(FILES)("CA26 %s is refused, and nothing is left behind", async (name, make) => {
    const file = join(home, `${name.replaceAll(/\W/g, "-")}.pal`);
    writeFileSync(file, make());
    const place = join(home, `of-${name.replaceAll(/\W/g, "-")}`);
    const store = await openStore(place);
    await expect(store.restore(file)).rejects.toMatchObject({
      code: expect.stringMatching(/^(DAMAGED|INVALID_FILE)$/),
    });
    expect(existsSync(place)).toBe(false);
    await expect(store.load(file)).rejects.toMatchObject({
      code: expect.stringMatching(/^(DAMAGED|INVALID_)/),
    });
    expect(existsSync(place)).toBe(false);
    await store.close();
    rmSync(file);
  });

  it("CA26 the backup they were made of is good", async () => {
    const store = await openStore(memoryStorage());
    writeFileSync(join(home, "again.pal"), sealed(lines));
    expect(await store.restore(join(home, "again.pal"))).toMatchObject({ refs: expect.any(Number) });
  });
});
