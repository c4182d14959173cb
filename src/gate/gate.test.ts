import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Scope } from "../core/base/names.js";
import type { Tier, Trust } from "../core/ledger/types.js";
import { record, refusalOf, sees, situation } from "./_situation.js";
import { rulesOf } from "./config.js";

const on = (...scopes: string[]) => situation({ writer: sees(...scopes) });
describe("A7 the length of a text is limited by its lane and counted in characters", () => {
  it("A7 1,200 for beliefs, 65,536 for documents and messages", () => {
    expect(rulesOf().limits).toEqual({ belief: 1200, document: 65_536, message: 65_536 });
  });
  it.each([
    ["fact", 1200],
    ["identity", 1200],
    ["observation", 1200],
    ["note", 65_536],
    ["room", 65_536],
    ["message", 65_536],
    ["step", 65_536],
  ])("A7 %s: %i", (type, limit) => {
    for (const character of ["a", "é", "東", "😀", "\n"]) {
      expect(refusalOf(record({ type, text: character.repeat(limit) }), on("shared"))).toBeUndefined();
      const refusal = refusalOf(record({ type, text: character.repeat(limit + 1) }), on("shared"));
      expect(refusal).toMatchObject({ verdict: "rejected", code: "TOO_LONG", check: "length" });
      expect(refusal?.reason).toContain("too long");
      expect(refusal?.reason).toContain(`${limit + 1} characters`);
      expect(refusal?.reason).toContain(`${limit}.`);
    }
  });
});

describe("A8 a write goes only to a scope that the session sees", () => {
  it("A8 exactly, without patterns", () => {
    const writer = on("shared", "agent/orion");
    expect(refusalOf(record({ scope: "agent/orion" as Scope }), writer)).toBeUndefined();
    for (const scope of ["agent/vega", "agent/orion2", "project/site"])
      expect(refusalOf(record({ scope: scope as Scope }), writer)).toMatchObject({
        verdict: "rejected",
        code: "SCOPE_NOT_VISIBLE",
        check: "scope",
      });
  });
});

describe("A9 canon needs the trust of a user or operator", () => {
  it.each<[Trust, Tier | undefined, boolean]>([
    ["external", "canon", false],
    ["agent", "canon", false],
    ["user", "canon", true],
    ["operator", "canon", true],
    ["external", "register", true],
    ["external", undefined, true],
  ])("A9 %s writing %s: %s", (trust, tier, allowed) => {
    const refusal = refusalOf(record({ ...(tier && { tier }) }, trust), on("shared"));
    if (allowed) expect(refusal?.code).not.toBe("TIER_NOT_ALLOWED");
    else expect(refusal).toMatchObject({ verdict: "rejected", code: "TIER_NOT_ALLOWED", check: "tier" });
  });
});

describe("A10 the first check that refuses is the verdict, and it explains itself", () => {
  const long = { text: "x".repeat(1201) };
  const hidden = { scope: "user/7" as Scope };
  const canon = { tier: "canon" as const };
  it.each([
    ["length", { ...long, ...hidden, ...canon }],
    ["scope", { ...hidden, ...canon }],
    ["tier", canon],
  ])("A10 %s comes first", (check, fields) => {
    expect(refusalOf(record(fields), on("shared"))?.check).toBe(check);
  });

  it("A10 every refusal has code, check, reason and hint", () => {
    fc.assert(
      fc.property(
        fc.constantFrom({}, long),
        fc.constantFrom({}, hidden),
        fc.constantFrom({}, canon),
        fc.constantFrom<Trust>("external", "agent", "user"),
        (a, b, c, trust) => {
          const refusal = refusalOf(record({ ...a, ...b, ...c }, trust), on("shared"));
          if (!refusal) return;
          expect(Object.keys(refusal).sort()).toEqual(["check", "code", "hint", "reason", "verdict"]);
          for (const part of [refusal.reason, refusal.hint]) expect(part).toMatch(/^[A-Z].+\.$/);
        },
      ),
    );
  });
});
