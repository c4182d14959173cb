import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { PalimpsestError } from "../core/base/errors.js";
import { IMPORT_FORMATS } from "../documents/import/detect.js";
import { openStore } from "../session/index.js";
import { memoryStorage } from "../storage/index.js";

const home = mkdtempSync(join(tmpdir(), "pal-deep-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const opened = async () => (await openStore(memoryStorage(), { embedder: "none" })).session({ agent: "a" });

/** More than any stack holds either way. */
const LEVELS = process.env.PAL_TORTURE === "1" ? 400_000 : 40_000;
const lists = `${"[".repeat(LEVELS)}${"]".repeat(LEVELS)}`;
const value = (): unknown => {
  let one: unknown = 1;
  for (let level = 0; level < LEVELS; level++) one = level % 2 ? [one] : { a: one };
  return one;
};
/** What a call ended in: an answer, or an error that is ours. */
const isTold = (call: Promise<unknown>): Promise<boolean> =>
  call.then(
    () => true,
    (error) => {
      expect(error).toBeInstanceOf(PalimpsestError);
      return true;
    },
  );

describe("what nests without end is told in words of ours", () => {
  it.each(
    Object.entries({
      lists: `a: ${"[".repeat(10_000)}${"]".repeat(10_000)}`,
      maps: `${"{a: ".repeat(10_000)}1${"}".repeat(10_000)}`,
      signs: `${"- ".repeat(10_000)}x`,
      questions: "? ".repeat(10_000),
      indents: Array.from({ length: 2_000 }, (_, at) => `${" ".repeat(at)}a:`).join("\n"),
    }),
  )(
    "PA721 settings of a palace that nest in ten thousand %s count as not said, and are not changed but refused",
    async (kind, text) => {
      const pal = await opened();
      const folder = join(home, kind);
      await pal.setIdentity("A keeper of gardens");
      await pal.syncPalace(folder);
      mkdirSync(join(folder, "config"), { recursive: true });
      writeFileSync(join(folder, "config/mempalace.yaml"), text);
      await pal.syncPalace(folder);
      expect(await pal.addScratch({ key: "k", value: "v" }, { session: "s" })).toMatchObject({ key: "k" });
      await isTold(pal.setPalaceConfig("scratchpad.ttl", 5));
      await isTold(pal.setPalaceConfig("scratchpad.ttl", undefined));
      writeFileSync(join(folder, "note.md"), `---\n${text.slice(0, 6_000)}\n---\n# A note\n`);
      await pal.ingest(join(folder, "note.md"));
    },
  );

  it("PA721 a setting whose name or value nests without end, or that has no place where it is put, is refused", async () => {
    const pal = await opened();
    await expect(pal.setPalaceConfig(`${"a.".repeat(10_000)}b`, 1)).rejects.toMatchObject({
      code: "INVALID_NAME",
    });
    await expect(pal.setPalaceConfig("a", value() as never)).rejects.toMatchObject({ code: "INVALID_VALUE" });
    await pal.setPalaceConfig("list", [1]);
    await expect(pal.setPalaceConfig("list.name", 1)).rejects.toMatchObject({ code: "INVALID_FILE" });
  });

  it.each(IMPORT_FORMATS)("D722 a file for %s that nests without end is read or refused", async (format) => {
    const pal = await opened();
    const bodies = [
      lists,
      `${'{"a":'.repeat(LEVELS)}1${"}".repeat(LEVELS)}`,
      `{"text":"a","entries":{"x":{"value":${lists}}},"attributes":{"x":${lists}}}\n`,
      `(:memory ${"(".repeat(LEVELS)}`,
    ];
    for (const [at, body] of bodies.entries()) {
      const folder = join(home, `${format}-${at}`);
      mkdirSync(folder);
      for (const name of ["main.md", "identity.txt", "a.json", "2026-01-01.md", "branches.json"])
        writeFileSync(join(folder, name), body);
      expect(await isTold(pal.import(join(folder, "a.json"), { format }))).toBe(true);
      expect(await isTold(pal.import(folder, { format }))).toBe(true);
    }
  });

  it("D722 a value without end is refused by every verb that is given one", async () => {
    const pal = await opened();
    const deep = value() as never;
    const calls = [
      () => pal.remember({ text: "a", attributes: { x: deep } }),
      () => pal.remember(deep),
      () => pal.rememberMany([deep]),
      () => pal.addScratch({ key: "k", value: deep }, { session: "s" }),
      () => pal.list({ attributes: { x: deep } }),
      () => pal.processConversation(deep),
      () => pal.ingestAst({ type: "document", properties: { A: deep } }),
      () => pal.ingestAst(deep),
      () => openStore(memoryStorage(), { gate: deep }),
    ];
    for (const call of calls) expect(await isTold((async () => call())())).toBe(true);
  });
});
