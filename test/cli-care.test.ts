import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterEach, describe, expect, it } from "vitest";
import type { Hash } from "../src/core/base/hash.js";
import { sqliteStorage } from "../src/storage/index.js";
import { Shell } from "./_cli.js";

let shell: Shell;
afterEach(() => shell.remove());

describe("CA60 care on the command line", () => {
  it("CA60 erases for a person, shows the receipt, and asks for --yes when it is more than one memory", async () => {
    shell = new Shell();
    const pal = shell.with({ person: true });
    const agent = shell.with({});
    await pal("remember", "The zanzibar canary sings at nine", "--id", "secret");
    await pal("remember", "The zanzibar owl sings at ten at night", "--id", "owl-song");
    expect((await agent("erase", "secret")).code).toBe(1);
    expect((await pal("erase")).code).toBe(2);
    expect((await pal("erase", "secret", "--dry-run")).out).toMatch(/would erase 1 memory, 1 version/);
    expect((await pal("erase", "--containing", "zanzibar")).code).toBe(2);
    const done = await pal("erase", "secret");
    expect(done.code).toBe(0);
    expect(done.out).toMatch(/erased 1 memory[\s\S]*nothing is left/);
    expect((await pal("erase", "--containing", "zanzibar", "--yes", "--json")).json).toMatchObject({
      records: 1,
      receipt: { clean: true },
    });
    expect((await pal("erase", "--containing", "zanzibar", "--json")).code).toBe(1);
    expect((await pal("remember", "The zanzibar canary sings at nine", "--id", "secret")).err).toMatch(
      /erased/i,
    );
    expect((await pal("verify")).code).toBe(0);
  });

  it("CA61 what is no id is taken for a text, and then nothing goes without --yes; verify tells what was erased", async () => {
    shell = new Shell();
    const pal = shell.with({ person: true });
    await pal("remember", "The zanzibar canary sings at nine", "--id", "secret");
    const planned = await pal("erase", "zanzibar canary");
    expect(planned.code).toBe(2);
    expect(planned.out).toMatch(/would erase 1 memory/);
    expect(planned.err).toMatch(/1 memory would go[\s\S]*--yes/);
    expect((await pal("erase", "nobody says this")).code).toBe(1);
    expect((await pal("get", "secret")).code).toBe(0);
    expect((await pal("erase", "zanzibar canary", "--dry-run")).code).toBe(0);
    expect((await pal("erase", "zanzibar canary", "--yes")).out).toMatch(
      /erased 1 memory[\s\S]*nothing is left/,
    );
    expect((await pal("verify")).out).toMatch(/1 erased version accounted for/);
    // Also what can be no id.
    await pal("remember", "Rows:\n one\n two", "--type", "note");
    expect((await pal("erase", "\n one\n")).err).toMatch(/1 memory would go/);
    expect((await pal("erase", "\n three\n")).code).not.toBe(0);
    expect((await pal("erase", "")).code).not.toBe(0);
  });

  it("CA680 the command names where the words still stand and how they go, before and after, and is not done before they are gone", async () => {
    shell = new Shell();
    const pal = shell.with({ person: true });
    await pal("remember", "Likes tea", "--id", "tea", "--tag", "zanzibar");
    await pal("remember", "The owl sings", "--id", "owl");
    await pal("forget", "owl", "--reason", "It was the zanzibar owl");
    await pal("tag", "zanzibar");
    await pal("create-branch", "work", "--purpose", "All about zanzibar");
    const planned = await pal("erase", "--containing", "zanzibar", "--dry-run");
    expect([planned.code, planned.out]).toEqual([
      0,
      expect.stringMatching(
        /would erase 0 memories, 0 versions, 1 message, 1 other place\n.*heads\/work[\s\S]*would still stand in the name of a tag: zanzibar; how it goes: `pal tag --delete zanzibar`[\s\S]*tags of a memory, in some version: tea \(shared\).*`pal erase tea --scope shared`/,
      ),
    ]);
    expect((await pal("erase", "--containing", "zanzibar")).err).toMatch(
      /1 other place would go[\s\S]*--yes/,
    );
    const done = await pal("erase", "--containing", "zanzibar", "--yes");
    expect(done.code).toBe(1);
    expect(done.out).toMatch(/erased 0 memories[\s\S]*still stands in the name of a tag: zanzibar/);
    expect(done.out).not.toContain("nothing is left");
    expect((await pal("log")).out).not.toContain("zanzibar owl");
    expect((await pal("branches")).out).not.toContain("All about");
    await pal("erase", "tea");
    await pal("tag", "--delete", "zanzibar");
    const last = await pal("erase", "--containing", "zanzibar", "--yes", "--json");
    expect([last.code, last.json.receipt.standing.map(({ place }: { place: string }) => place)]).toEqual([
      1,
      ["name of a ref in the history"],
    ]);
  });

  it("C410 a topic is the memory that has it and not a text; what would go is shown by its first words", async () => {
    shell = new Shell();
    const pal = shell.with({ person: true });
    const agent = shell.with({});
    await pal("remember", "Drinks only tea these days", "--topic", "coffee");
    await pal("remember", "The coffee machine is on the third floor", "--id", "machine");
    const planned = await pal("erase", "coffee");
    expect(planned.code).toBe(2);
    expect(planned.out).toMatch(/would erase 1 memory.*\n.* 1 version {2}Drinks only tea these days\n$/);
    expect((await agent("erase", "coffee", "--yes")).out).toContain("waits for a person: 1 memory");
    const [{ id }] = (await pal("review", "--json")).json;
    expect((await pal("review", "show", id)).out).toMatch(/would erase 1 memory.*\n.*Drinks only tea/);
    const done = await pal("erase", "coffee", "--yes");
    expect(done.out).toContain("erased 1 memory");
    expect(done.out).not.toContain("tea");
    expect((await pal("list", "--json")).json).toMatchObject([{ id: "machine" }]);
  });

  it("C410 by a topic nothing goes without --yes, also where the id begins or ends with it", async () => {
    shell = new Shell();
    const pal = shell.with({ person: true });
    await pal("remember", "Always writes in C", "--id", "my-note", "--topic", "note");
    await pal("remember", "Never eats before noon", "--id", "breakfast-1", "--topic", "breakfast");
    const uuid = "0198c0de-1234-7abc-8def-0123456789ab";
    await pal("remember", "Sleeps until eight", "--id", "morning", "--topic", uuid);
    for (const topic of ["note", "breakfast", uuid]) {
      const { code, err } = await pal("erase", topic);
      expect([topic, code, err]).toEqual([topic, 2, expect.stringMatching(/1 memory would go/)]);
    }
    expect((await pal("list", "--json")).json).toHaveLength(3);
    const by = async (given: string) =>
      (await pal("erase", given, "--dry-run", "--json")).json.memories.map((one: { by: string }) => one.by);
    expect([await by("note"), await by("my-note"), await by("breakfast-")]).toEqual([
      ["topic"],
      ["id"],
      ["part"],
    ]);
    expect((await shell.with({ person: true, stdin: "yes\n" })("erase", "breakfast-")).code).toBe(0);
    expect((await pal("erase", "my-note")).code).toBe(0);
  });

  it("U87 a memory that moved is one memory to erase, and needs no --yes; two that share an id do", async () => {
    shell = new Shell();
    const pal = shell.with({ person: true });
    await pal("remember", "The code word is heliotrope", "--id", "word", "--scope", "tester");
    await pal("move", "word", "shared");
    expect((await pal("erase", "word", "--dry-run")).out).toMatch(/would erase 1 memory, 2 versions/);
    expect((await pal("erase", "--containing", "heliotrope", "--dry-run")).out).toMatch(/erase 1 memory,/);
    const done = await pal("erase", "word");
    expect([done.code, done.out]).toEqual([0, expect.stringMatching(/erased 1 memory, 2 versions/)]);
    await pal("remember", "Says larkspur", "--id", "other", "--scope", "tester", "--type", "note");
    await pal("remember", "Says larkspur", "--id", "other", "--scope", "shared", "--type", "note");
    expect((await pal("erase", "--containing", "larkspur")).err).toMatch(/2 memories would go/);
  });

  it("CA74 an agent asks for an erasure, and a person who accepts it erases", async () => {
    shell = new Shell();
    const pal = shell.with({ person: true });
    const agent = shell.with({});
    await pal("remember", "The zanzibar canary sings at nine", "--id", "secret");
    const asked = await agent("erase", "secret");
    expect(asked.code).toBe(1);
    expect(asked.out).toMatch(/waits for a person: 1 memory[\s\S]*pal review accept [0-9a-f]{12}/);
    const { staged } = (await agent("erase", "secret", "--json")).json as { staged: string };
    expect((await pal("review")).out).toMatch(new RegExp(`${staged} +erase[\\s\\S]*secret`));
    expect((await agent("review", "accept", staged)).code).toBe(1);
    expect((await pal("get", "secret")).code).toBe(0);
    const done = await pal("review", "accept", staged);
    expect(done.code).toBe(0);
    expect(done.out).toMatch(/accepted[\s\S]*erased 1 memory[\s\S]*nothing is left/);
    expect((await pal("get", "secret")).code).toBe(1);
    expect((await pal("review", "--json")).json).toEqual([]);
  });

  it("CA60 backs up, restores, compacts, collects, rebuilds and repairs", async () => {
    shell = new Shell();
    const pal = shell.with({ person: true });
    await pal("remember", "Prefers tea", "--id", "tea");
    const file = join(shell.home, "all.pal");
    expect((await pal("backup", file, "--json")).json).toMatchObject({ file });
    expect((await pal("backup", file)).code).toBe(1);
    const other = join(shell.home, "other");
    const restored = await pal("restore", file, "--store", other, "--tombstones", "none");
    expect(restored.code).toBe(0);
    expect(restored.out).toMatch(/No tombstones were given/);
    expect((await pal("get", "tea", "--store", other)).out).toMatch(/Prefers tea/);
    expect((await pal("restore", file, "--store", other)).code).toBe(1);
    expect(
      (await pal("restore", file, "--store", join(shell.home, "third"), "--tombstones", shell.store)).out,
    ).toMatch(/0 later erasures of .* applied/);
    expect((await pal("compact")).out).toMatch(/before, .* after/);
    expect((await pal("gc", "--json")).json).toEqual({ objects: 0, commits: 0, staging: 0 });
    expect((await pal("gc")).out).toMatch(/^✓ there is nothing to drop\n$/);
    expect((await pal("rebuild")).out).toMatch(/made 1 event/);
    const saved = join(shell.home, "saved");
    expect((await pal("repair", saved)).out).toMatch(/Nothing was lost/);
    expect((await pal("repair", saved)).code).toBe(1);
    const broken = join(shell.home, "broken");
    mkdirSync(broken);
    cpSync(join(shell.store, "palimpsest.db"), join(broken, "palimpsest.db"));
    const bytes = readFileSync(join(broken, "palimpsest.db"));
    bytes[bytes.indexOf("Prefers tea")]! ^= 1;
    writeFileSync(join(broken, "palimpsest.db"), bytes);
    const report = await pal("repair", join(shell.home, "saved-2"), "--store", broken);
    expect(report.code).toBe(1);
    expect(report.out).toMatch(/lost: memory [0-9a-f]{12}, of commit/);
    expect(existsSync(join(shell.home, "saved-2", "palimpsest.db"))).toBe(true);
    expect((await pal("verify")).code).toBe(0);
  });

  it("CA172 repair does not say that nothing was lost where the operation log has gaps", async () => {
    shell = new Shell();
    const pal = shell.with({ person: true });
    for (const text of ["Prefers tea", "Lives in Ghent", "Plays the cello"]) await pal("remember", text);
    const ops = (await pal("ops", "--json")).json as { readonly op: Hash }[];
    const storage = sqliteStorage(shell.store);
    await storage.remove([ops[1]!.op]);
    await storage.close();
    const report = await pal("repair", join(shell.home, "saved"));
    expect(report.code).toBe(1);
    expect(report.out).toMatch(/the operation log has gaps: 1 operation/);
    expect(report.out).not.toMatch(/Nothing was lost/);
    expect((await pal("verify", "--store", join(shell.home, "saved"))).code).toBe(0);
  });
});

describe("exports of a damaged store", () => {
  it("C419 what helps is said: rebuild for derived rows, nothing for a root of another store", async () => {
    shell = new Shell();
    const { pal } = shell;
    await pal("remember", "Prefers tea", "--id", "tea");
    const other = await pal("verify", "--since", "deadbeef".repeat(8));
    expect([other.code, other.out]).toEqual([1, expect.stringContaining("The store itself is whole.")]);
    expect(other.out).not.toContain("repair");
    const db = new DatabaseSync(join(shell.store, "palimpsest.db"));
    const row = db.prepare("SELECT seq, touch FROM journal WHERE touch IS NOT NULL").get() as {
      seq: number;
      touch: Uint8Array;
    };
    row.touch[row.touch.length >> 1]! ^= 1;
    db.prepare("UPDATE journal SET touch = ? WHERE seq = ?").run(row.touch, row.seq);
    db.close();
    const damaged = await pal("verify");
    expect([damaged.code, damaged.out]).toEqual([1, expect.stringContaining("`pal rebuild`")]);
    expect(damaged.out).not.toContain("repair");
    for (const verb of ["get", "history"]) {
      const { code, json } = await pal(verb, "tea", "--json");
      expect([code, json.error]).toMatchObject([
        3,
        { code: "DAMAGED", hint: expect.stringContaining("pal rebuild") },
      ]);
    }
    expect((await pal("rebuild")).code).toBe(0);
    expect((await pal("history", "tea", "--json")).json).toHaveLength(1);
    expect((await pal("verify")).code).toBe(0);
  });

  it("C413 no image is written; other exports write what is whole, tell what was left out and exit 1", async () => {
    shell = new Shell();
    const { pal } = shell;
    await pal("remember", "Prefers tea", "--id", "tea");
    await pal("remember", "The office is in Kiel", "--id", "office");
    const whole = (await pal("export", "-o", "whole.json", "--json")).json;
    expect(whole).toMatchObject({ count: 2, leftOut: 0 });
    const file = join(shell.store, "palimpsest.db");
    const bytes = readFileSync(file);
    bytes[bytes.indexOf("Prefers tea")]! ^= 1;
    writeFileSync(file, bytes);
    const image = await pal("export", "--format", "image", "-o", "d.img", "--json");
    expect([image.code, image.json.error.code]).toEqual([3, "DAMAGED"]);
    expect(existsSync(join(shell.cwd, "d.img"))).toBe(false);
    for (const more of [[], ["--format", "markdown"], ["--history", "--scopes", "*"]]) {
      const done = await pal("export", "-o", "d.out", "--json", ...more);
      expect([done.code, done.json]).toMatchObject([1, { count: 1, leftOut: 1 }]);
      expect(done.err).not.toContain("only what you see");
      expect(readFileSync(join(shell.cwd, "d.out"), "utf8")).toContain("The office is in Kiel");
    }
    const shown = await pal("export", "-o", "d.json");
    expect(shown.out).toMatch(/^! Exported 1 /);
    expect(shown.err).toContain("1 damaged object was left out");
    expect((await pal("export", "-o", "-")).code).toBe(1);
  });
});
