import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Shell } from "./_cli.js";

let shell: Shell;
let pal: (...args: string[]) => ReturnType<Shell["pal"]>;
const WHOLE = ["--scopes", "*", "--clearance", "confidential"];
beforeEach(() => {
  shell = new Shell();
  pal = shell.pal;
});
afterEach(() => shell.remove());

const headNow = async (): Promise<string> => (await pal("verify", "--json")).json.head;
const place = (name: string): string => join(shell.cwd, name);
const elsewhere = (...args: string[]) => shell.with({ env: { PAL_HOME: "/nonexistent" } })(...args);

describe("what is to be kept", () => {
  it("C660 verify, backup and wake-up print the whole commit, and nothing asks to keep a root", async () => {
    await pal("remember", "Likes tea");
    const head = await headNow();
    const said = [await pal("verify"), await pal("backup", "all.pal"), await pal("wake-up")];
    for (const { out } of said) {
      expect(out.replaceAll(/\s+/g, " ")).toMatch(new RegExp(`Keep this commit [a-z ]+: ${head}`));
      expect(out).not.toMatch(/keep (this|the) root/i);
    }
  });

  it("C660 of a root verify says only that its state was there, in text and JSON, and refuses 7 digits", async () => {
    await pal("remember", "Likes tea");
    const { head, root } = (await pal("verify", "--json")).json;
    const byRoot = await pal("verify", "--since", root);
    expect(byRoot.code).toBe(0);
    expect(byRoot.out).toContain("This state was there. That is all that its root shows");
    expect(byRoot.out).not.toContain("Everything is whole");
    expect((await pal("verify", "--since", root, "--json")).json.since).toMatchObject({
      is: "state",
      provesHistory: false,
    });
    const byCommit = await pal("verify", "--since", head);
    expect(byCommit.out).toContain("Everything is whole.");
    for (const part of [head.slice(0, 7), head.slice(0, 12), root.slice(0, 63)]) {
      const { code, json } = await pal("verify", "--since", part, "--json");
      expect([code, json.error]).toMatchObject([
        2,
        { code: "INVALID_HASH", hint: expect.stringContaining("Give all 64 digits") },
      ]);
    }
  });
});

describe("what a checker reads", () => {
  it("C661 a device, a pipe, a folder and a file or stdin without end are refused", async () => {
    mkdirSync(place("folder"));
    writeFileSync(place("long.json"), "");
    truncateSync(place("long.json"), 64 * 1024 * 1024);
    const unusable = ["/dev/zero", "/dev/null", "folder", "long.json", "gone.json"];
    if (spawnSync("mkfifo", [place("pipe")]).status === 0) unusable.push("pipe");
    for (const file of unusable) {
      const { code, json } = await pal("verify-proof", file, "--json");
      expect([file, code]).toEqual([file, 2]);
      expect(["INVALID_FILE", "FILE_UNUSABLE"]).toContain(json.error.code);
    }
    let given = 0;
    const endless = Readable.from(
      (function* () {
        for (;;) {
          given += 1024 * 1024;
          yield Buffer.alloc(1024 * 1024);
        }
      })(),
    );
    const { code, json } = await shell.with({ stdin: endless })("verify-proof", "-", "--json");
    expect([code, json.error.code]).toEqual([2, "FILE_UNUSABLE"]);
    expect(given).toBeLessThan(64 * 1024 * 1024);
  });

  it("C661 what is no proof is not proven: no JSON, no UTF-8, nested without end, a field said twice", async () => {
    await pal("remember", "Likes tea", "--id", "tea");
    await pal("prove", "tea", "-o", "p.json");
    const proof = readFileSync(place("p.json"), "utf8");
    for (const [text, why] of [
      ["", "not JSON"],
      [`${proof}x`, "not JSON"],
      [Buffer.of(0xff, 0xfe), "not UTF-8"],
      ["[".repeat(1_000_000), "nested too deep"],
      [proof.replace('"scope":"shared"', '"scope":"project/secret","scope":"shared"'), "there twice"],
    ] as const) {
      const { code, json } = await shell.with({ stdin: text })("verify-proof", "-", "--json");
      expect([code, json.ok, json.reason]).toEqual([1, false, expect.stringContaining(why)]);
    }
  });
});

describe("what a checker says", () => {
  it("C662 a scope that nothing binds is not named, a state above the kept root neither", async () => {
    await pal("remember", "Likes tea", "--id", "tea");
    for (const id of ["tea", "absent"]) {
      const { json: proof } = await pal("prove", id, "--json");
      const { memory: _, ...bare } = proof;
      const renamed = { ...bare, scope: "project/secret" };
      writeFileSync(place("renamed.json"), JSON.stringify(renamed));
      const check = ["verify-proof", "renamed.json", "--root", proof.root, "--kind", "scope"];
      const { code, out } = await elsewhere(...check);
      expect([code, out]).toEqual([0, expect.not.stringContaining("secret")]);
      expect(out).toContain("Of which scope this root is, the proof does not show");
      const { json } = await elsewhere(...check, "--json");
      expect(json).toMatchObject({ ok: true, anchor: "scope", kept: true });
      expect(json).not.toHaveProperty("scope");
      expect((await elsewhere(...check, "--scope", "shared")).code).toBe(1);

      const whole = (await pal("prove", id, "--json", ...WHOLE)).json;
      writeFileSync(place("whole.json"), JSON.stringify(whole));
      const under = await elsewhere(
        ...[
          "verify-proof",
          "whole.json",
          "--root",
          proof.root,
          "--kind",
          "scope",
          "--scope",
          "shared",
          "--json",
        ],
      );
      expect(under.json).toMatchObject({ ok: true, scope: "shared" });
      for (const above of ["state", "commit"]) expect(under.json).not.toHaveProperty(above);
      const kept = await elsewhere("verify-proof", "whole.json", "--root", await headNow());
      expect([kept.code, kept.out]).toEqual([0, expect.stringContaining("in shared, under the commit")]);
    }
  });

  it("C663 a head is proven to rest on a kept commit, and a stranger checks it without the store", async () => {
    await pal("remember", "Likes tea");
    const old = await headNow();
    for (const text of ["Lives in Ghent", "Plays the cello"]) await pal("remember", text);
    const head = await headNow();
    const made = await pal("prove", "--consistency", old, "-o", "past.json", ...WHOLE);
    expect(made).toMatchObject({ code: 0, err: "" });
    expect(made.out).toContain("past.json --since <kept> --root <head>");
    const file = readFileSync(place("past.json"), "utf8");
    expect(file).not.toMatch(/tea|Ghent|cello|shared/);
    expect((await pal("prove", "--consistency", old, head, "-o", "-", ...WHOLE)).json).toEqual(
      JSON.parse(file),
    );

    const checked = await elsewhere("verify-proof", "past.json", "--since", old, "--root", head);
    expect([checked.code, checked.out]).toEqual([
      0,
      `✓ ${head}, the head you gave,\n  rests on ${old}, the commit you kept: 2 commits later, nothing before it was changed\n`,
    ]);
    for (const [args, missing] of [
      [["--since", old], "(--root)"],
      [["--root", head], "(--since)"],
      [[], "(--since and --root)"],
    ] as const)
      expect((await elsewhere("verify-proof", "past.json", ...args)).out).toContain(missing);
    for (const wrong of [
      ["--since", head],
      ["--root", old],
      ["--since", "0".repeat(64)],
    ])
      expect((await elsewhere("verify-proof", "past.json", ...wrong)).code).toBe(1);
    writeFileSync(place("past.json"), file.replace('\\"generation\\":2', '\\"generation\\":3'));
    expect((await elsewhere("verify-proof", "past.json", "--since", old)).code).toBe(1);
  });

  it("C663 what cannot be asked is refused with what to do instead", async () => {
    await pal("remember", "Likes tea", "--id", "tea");
    const head = await headNow();
    await pal("prove", "tea", "-o", "p.json");
    await pal("prove", "--consistency", head, "-o", "past.json", ...WHOLE);
    const refusals: readonly (readonly [exit: number, code: string, ...args: string[]])[] = [
      [1, "REFUSED", "prove", "--consistency", head],
      [1, "REFUSED", "prove", "--consistency", head, "--scopes", "*", "--clearance", "private"],
      [2, "INVALID_HASH", "prove", "--consistency", head.slice(0, 7), ...WHOLE],
      [1, "NOT_IN_HISTORY", "prove", "--consistency", "0".repeat(64), ...WHOLE],
      [2, "USAGE", "prove", "--consistency", head, "--scope", "shared", ...WHOLE],
      [2, "USAGE", "prove", "--consistency", head, "main", "--at", "main", ...WHOLE],
      [2, "USAGE", "prove", "tea", "another"],
      [2, "USAGE", "verify-proof", "p.json", "--since", head],
      [2, "USAGE", "verify-proof", "past.json", "--kind", "scope"],
      [2, "USAGE", "verify-proof", "past.json", "--since", head.slice(0, 7)],
      [2, "USAGE", "verify-proof", "p.json", "--root", head.slice(0, 7)],
    ];
    for (const [exit, code, ...args] of refusals) {
      const ran = await pal(...args, "--json");
      expect([args.join(" "), ran.code, ran.json.error.code]).toEqual([args.join(" "), exit, code]);
    }
  });
});

describe("what is demanded of a proof", () => {
  it("C800 --kind and --scope are demanded, without --root too and where they are empty", async () => {
    await pal("remember", "Likes tea", "--id", "tea");
    await pal("prove", "tea", "-o", "scope.json");
    await pal(...WHOLE, "prove", "tea", "-o", "commit.json");
    const codes = async (file: string, ...options: string[]) =>
      (await elsewhere("verify-proof", place(file), ...options)).code;
    for (const [option, value] of [
      ["--kind", "commit"],
      ["--kind", "state"],
      ["--scope", ""],
      ["--scope", "project/other"],
    ] as const)
      expect([option, value, await codes("scope.json", option, value)]).toEqual([option, value, 1]);
    expect(await codes("scope.json", "--kind", "scope")).toBe(0);
    expect(await codes("commit.json", "--kind", "commit")).toBe(0);
    expect(await codes("commit.json", "--kind", "commit", "--scope", "shared")).toBe(0);
    expect(await codes("commit.json", "--scope", "")).toBe(1);
  });
});
