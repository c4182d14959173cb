import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Shell } from "./_cli.js";

let shell: Shell;
beforeEach(() => {
  shell = new Shell();
});
afterEach(() => shell.remove());

it("A620 A621 the command line keeps both of two that look alike, and names the older", async () => {
  const { json: old } = await shell.pal("remember", "Max is allergic to nuts", "--json");
  const said = await shell.pal("remember", "Max is no longer allergic to pollen", "--json");
  expect([said.code, said.json.verdict]).toEqual([0, "accepted"]);
  const eyes = await shell.pal("remember", "Max is now allergic to birch");
  expect(eyes.out).toMatch(/^✓ remembered/);
  expect((await shell.pal("get", old.id)).out).toContain("allergic to nuts");
});

it("A623 the command line says what a belief said before: one, many, and of a file", async () => {
  await shell.pal("remember", "Max is allergic to nuts");
  const { out } = await shell.pal("remember", "Max is no longer allergic to nuts");
  expect(out).toMatch(/^✓ updated .* it said: Max is allergic to nuts$/m);
  await shell.pal("remember", "Drinks tea", "--id", "drink");
  writeFileSync(join(shell.cwd, "facts.jsonl"), '{"id":"drink","text":"Drinks cocoa"}\n');
  expect((await shell.pal("remember", "--jsonl", "facts.jsonl")).err).toMatch(
    /line 1 updated .*said: Drinks tea/,
  );
  writeFileSync(join(shell.cwd, "facts.jsonl"), '{"id":"drink","text":"Drinks milk"}\n');
  const read = await shell.pal("import", "facts.jsonl", "--trusted");
  expect(read.err).toMatch(/drink said: Drinks cocoa/);
});
