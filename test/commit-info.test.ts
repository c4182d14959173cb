import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { SYSTEM } from "../src/core/ledger/commit.js";
import type { CommitInfo } from "../src/repo/write/commit-info.js";
import { testStore } from "./_worlds.js";

const TOKEN = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;

describe("what a commit says of itself (A27)", () => {
  it("A27 is made in one place: no other code can make one", () => {
    // @ts-expect-error The brand is missing: `commitInfo` alone puts it on, and cleans.
    const made: CommitInfo = { verb: "x", author: SYSTEM, session: undefined, message: "x", meta: undefined };
    expect(made.verb).toBe("x");
    const src = join(import.meta.dirname, "..", "src");
    const sources = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".ts"),
    );
    const casts = sources.filter(
      (file) =>
        !file.endsWith(".test.ts") &&
        /\bas (?:unknown as )?CommitInfo\b/.test(readFileSync(join(src, file), "utf8")),
    );
    expect(casts.map((file) => basename(file))).toEqual(["commit-info.ts"]);
  });

  it("A325 an answer says of a branch what is kept of it, and a refused name changes nothing", async () => {
    const { store } = await testStore();
    const pal = store.session({ agent: "ada" });
    const made = await pal.createBranch("one", { purpose: `with ${TOKEN}`, persona: "cook" });
    expect(made).toMatchObject({ persona: "cook", purpose: "with [redacted:secret]" });
    expect(await pal.branches()).toContainEqual(made);
    const said = await pal.describeBranch("one", { purpose: `now ${TOKEN}` });
    expect(said.purpose).toBe("now [redacted:secret]");
    const before = await pal.ops();
    for (const refused of [
      () => pal.createBranch(TOKEN),
      () => pal.renameBranch("one", TOKEN),
      () => pal.tag(TOKEN),
      () => pal.snapshot(`before ${TOKEN}`),
      () => store.session({ agent: TOKEN }).remember("Tea is hot"),
      () => store.session({ sessionId: TOKEN }).tag("early"),
      () => store.session({ sessionId: "s" }).addScratch({ key: TOKEN, value: 1 }),
    ]) {
      const error = await refused().catch((thrown: Error) => thrown);
      expect(error).toMatchObject({ code: "REFUSED", hint: expect.stringContaining("without it") });
      expect(String(error)).not.toContain(TOKEN);
    }
    expect(await pal.ops()).toEqual(before);
  });

  it("A325 an agent, session or scope may be called after an address, and that makes nothing private", async () => {
    const { store } = await testStore();
    const pal = store.session({
      agent: "anna@example.com",
      sessionId: "203.0.113.77",
      project: "a@example.com",
    });
    const kept = await pal.remember("Tea is hot", { scope: "project/a@example.com" });
    expect(kept.verdict).toBe("accepted");
    expect((await pal.get(String(kept.id)))?.sensitivity).toBe("normal");
  });

  it("A325 a scope that holds a secret is refused by the gate, in every lane", async () => {
    const { store } = await testStore();
    const pal = store.session({ scopes: ["*"], project: TOKEN });
    for (const type of ["fact", "message", "document"])
      expect(await pal.remember({ type, text: "Tea is hot", scope: `project/${TOKEN}` })).toMatchObject({
        verdict: "rejected",
        code: "SECRET",
      });
  });
});
