import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MemoryId } from "../core/base/names.js";
import type { Trust } from "../core/ledger/types.js";
import { around, record, refusalOf, situation } from "./_situation.js";
import { mayElevate, taintedBy, trustOf } from "./check.js";
import { rulesOf } from "./config.js";
import { CHECKS, judge } from "./gate.js";

describe("A11 journal notes are refused, facts that use their words are not", () => {
  it.each([
    "12:04 heartbeat ok",
    "There is nothing to report since the last run",
    "Burst tick 31 done",
    "Queue status: unchanged",
    "Tick marker 7",
    "Routine scan finished.",
    "Keine Änderungen seit gestern",
    "心跳正常",
  ])("A11 refused: %s", (text) =>
    expect(refusalOf(record({ text }))).toMatchObject({
      code: "JOURNAL",
      reason: expect.stringContaining("journal-only signal"),
    }),
  );
  it.each([
    "Heartbeat messages are signed with the node key",
    "Check-in desks at the ferry terminal open two hours before departure",
    "Ephemeral disks of the build machines are wiped at night",
    "Routine scans of the archive cost four dollars each",
    "Die Rechnungen prüft seit Mai Anna in Hamburg.",
    "Ana dirige el equipo de facturación desde marzo.",
    "Le serveur est hébergé à Lyon depuis l'été.",
    "服务器的正常温度是四十度",
  ])("A11 kept: %s", (text) => expect(refusalOf(record({ text }))).toBeUndefined());
  it("A11 tier log is always refused", () => {
    const given = record({ text: "The boat lies in Kiel", tier: "log" as never });
    expect(refusalOf(given)?.reason).toContain("journal-only");
  });
});

describe("A17 what is found is blocked, cut out or allowed, by lane and kind", () => {
  const card = "Visa 4539578763621486";
  it("A17 a belief with a card number is refused and the value never repeated", () => {
    for (const fields of [
      { text: card },
      { text: "x", tags: [card] },
      { text: "x", topic: card },
      { text: "x", attributes: { deep: [{ note: card }] } },
      { text: "x", triple: { subject: "user", predicate: "card", object: card } },
      { text: "x", origin: { source: "tool", channel: "library", trust: "agent" as const, evidence: card } },
    ]) {
      const refusal = refusalOf(record(fields));
      expect(refusal).toMatchObject({ verdict: "rejected", code: "SECRET", found: ["card"] });
      expect(refusal?.reason).toContain("PII");
      expect(JSON.stringify(refusal)).not.toContain("4539578763621486");
    }
  });
  it("A17 documents and messages keep the rest, and judging them again changes nothing", () => {
    for (const type of ["note", "message"]) {
      const judged = judge(
        record({ type, text: `Paid with ${card}, thanks`, attributes: { password: "hunter2hunter" } }),
        situation(),
      );
      if (judged.refusal) throw new Error(judged.refusal.reason);
      expect(judged.record.text).toBe("Paid with Visa [redacted:card], thanks");
      expect(judged.record.attributes).toEqual({ password: "[redacted:password]" });
      expect(judge(judged.record, situation())).toEqual({ record: judged.record });
    }
  });
  it("A17 an e-mail address passes and makes the memory private; a mode may be changed", () => {
    const given = record({ text: "Write to anna@example.com" });
    expect(judge(given, situation())).toMatchObject({ isPrivate: true, found: ["email"] });
    const config = { modes: { belief: { email: "block" as const, card: "allow" as const } } };
    expect(refusalOf(given, situation({ config }))?.code).toBe("SECRET");
    expect(refusalOf(record({ text: card }), situation({ config }))).toBeUndefined();
  });
});

describe("A22 one slot, one value where the predicate has one", () => {
  const triple = (object: string, predicate = "lives_in") => ({ subject: "Mirela", predicate, object });
  const old = record({ text: "Mirela lives in Kiel", triple: triple("Kiel") });
  const near = around([old]);
  it("A22 the same or a stronger writer makes a new version, a weaker one waits", () => {
    const fresh = {
      text: "Mirela lives in Trieste",
      triple: { ...triple("Trieste"), subject: "mirela", predicate: "livesIn" },
    };
    expect(
      judge(
        record({ text: "mirela lives in Trieste", triple: triple("Trieste", "Lives in") }),
        situation({ near }),
      ),
    ).toMatchObject({ renews: old.id });
    expect(
      refusalOf(record({ ...fresh, triple: triple("Trieste") }, "external"), situation({ near })),
    ).toMatchObject({
      verdict: "quarantined",
      code: "CONTRADICTION",
      against: old.id,
    });
  });
  it("A22 of other predicates there may be many, and the same object is a duplicate", () => {
    const likes = around([record({ text: "Mirela collects maps", triple: triple("maps", "collects") })]);
    expect(
      refusalOf(
        record({ text: "Mirela collects coins", triple: triple("coins", "collects") }),
        situation({ near: likes }),
      ),
    ).toBeUndefined();
    expect(
      refusalOf(record({ text: "Kiel it is", triple: triple("kiel") }), situation({ near })),
    ).toMatchObject({ verdict: "duplicate", of: old.id });
  });
});

describe("A40 what names one thing more is no duplicate", () => {
  const verdictOf = (known: string, text: string) =>
    refusalOf(record({ text }), situation({ near: around([record({ text: known })]) }))?.verdict;
  it.each([
    ["Anna checks the invoices.", "Anna checks the invoices in Hamburg."],
    ["The build server runs Debian.", "The build server at Hetzner runs Debian."],
  ])("A40 %s / %s", (less, more) => {
    expect(verdictOf(less, more)).toBeUndefined();
    expect(verdictOf(more, less)).toBe("duplicate");
  });
});

describe("A23 trust is the least of source, door and what it was made from, and never rises by itself (B13)", () => {
  const TRUST: Trust[] = ["external", "agent", "user", "operator"];
  it("A23 in 10,000 graphs nothing is trusted more than what it came from, and taint reaches every descendant", () => {
    const sources = ["chat", "tool", "web", "merge", "consolidation", "promotion"];
    const step = fc.record({
      source: fc.constantFrom(...sources),
      door: fc.constantFrom(...TRUST),
      from: fc.array(fc.nat(), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), fc.nat(), (steps, pick) => {
        const trusts: Trust[] = [];
        const graph = steps.map(({ source, door, from }, id) => {
          const parents = id === 0 ? [] : [...new Set(from.map((at) => at % id))];
          trusts.push(
            trustOf(
              source,
              door,
              parents.map((at) => trusts[at] as Trust),
            ),
          );
          for (const at of parents)
            expect(TRUST.indexOf(trusts[id] as Trust)).toBeLessThanOrEqual(
              TRUST.indexOf(trusts[at] as Trust),
            );
          return { id, from: parents };
        });
        const start = pick % graph.length;
        const reaches = (id: number): boolean =>
          (graph[id]?.from ?? []).some((at) => at === start || reaches(at));
        expect(
          taintedBy(start, graph)
            .map(({ id }) => id)
            .sort(),
        ).toEqual(
          graph
            .map(({ id }) => id)
            .filter(reaches)
            .sort(),
        );
      }),
      { numRuns: 10_000 },
    );
  });
  it("A23 elevation needs a person, or two different principals", () => {
    const by = (id: string, trust: Trust = "agent") => ({ id, trust });
    expect(mayElevate([by("a"), by("a")])).toBe(false);
    expect(mayElevate([by("a"), by("b", "external")])).toBe(false);
    expect(mayElevate([by("a"), by("b")])).toBe(true);
    expect(mayElevate([by("a", "user")])).toBe(true);
  });
  it("A24 a weaker writer does not overwrite a stronger one", () => {
    const target = record({ text: "The boat lies in Kiel" }, "user");
    expect(
      refusalOf(record({ id: target.id, text: "The boat lies in Trieste" }), situation({ target })),
    ).toMatchObject({
      verdict: "quarantined",
      code: "WEAKER_WRITER",
      against: target.id,
    });
    expect(
      refusalOf(record({ id: target.id, text: "The boat lies in Trieste" }, "user"), situation({ target })),
    ).toBeUndefined();
  });
});

describe("A25 capacity, pace, recall loop and switches", () => {
  const registers = Array.from({ length: 100 }, (_, at) =>
    record({ text: `Region ${at} ships parcels`, topic: `t${at}` }),
  );
  it("A25 what is always injected is limited per scope; ordinary facts are not", () => {
    const near = around(registers);
    const refusal = refusalOf(record({ text: "Invoices go out monthly", topic: "new" }), situation({ near }));
    expect(refusal).toMatchObject({ code: "FULL", reason: expect.stringContaining("full") });
    expect(refusal?.candidates).toHaveLength(3);
    expect(refusalOf(record({ text: "Invoices go out monthly" }), situation({ near }))).toBeUndefined();
    const target = registers[0];
    expect(
      refusalOf(
        record({ id: target?.id as MemoryId, text: "Invoices go out monthly", topic: "t0" }),
        situation({ near, target }),
      ),
    ).toBeUndefined();
  });
  it("A25 new beliefs of a session per hour, if limited", () => {
    const near = around([], { recentBeliefs: () => 5 });
    expect(refusalOf(record(), situation({ near }))).toBeUndefined();
    expect(refusalOf(record(), situation({ near, config: { beliefsPerHour: 5 } }))?.code).toBe("TOO_MANY");
  });
  it("A25 our own words coming back from an agent are a duplicate; a person may copy", () => {
    const near = around([], { served: () => "mem-shown" as MemoryId });
    expect(
      refusalOf(record({ text: "The harbour master speaks Danish" }), situation({ near })),
    ).toMatchObject({
      verdict: "duplicate",
      of: "mem-shown",
    });
    expect(
      refusalOf(record({ text: "The harbour master speaks Danish" }, "user"), situation({ near })),
    ).toBeUndefined();
  });
  it("A26 every check can be switched off; settings that do not exist are refused", () => {
    for (const { name } of CHECKS) expect(rulesOf({ off: [name] }).off.has(name)).toBe(true);
    expect(
      refusalOf(record({ text: "Routine scan finished." }), situation({ config: { off: ["journal"] } })),
    ).toBeUndefined();
    expect(refusalOf(record(), situation({ config: { enabled: false } }))?.code).toBe("SWITCHED_OFF");
    expect(refusalOf(record(), situation({ config: { scopes: ["agent/a"] } }))?.code).toBe(
      "SCOPE_NOT_WRITABLE",
    );
    expect(() => rulesOf({ nonsense: 1 } as never)).toThrow(/no setting/);
    expect(() => rulesOf({ capacity: Number.NaN })).toThrow(/number/);
    expect(
      refusalOf(record({ origin: { source: "rumour", channel: "library", trust: "agent" } }))?.code,
    ).toBe("SOURCE_UNKNOWN");
  });
});
