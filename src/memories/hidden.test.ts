import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { testStore } from "../../test/_worlds.js";
import type { Session } from "../session/session.js";
import type { Store } from "../session/store.js";
import { memoryStorage } from "../storage/index.js";

const stores: Store[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const SECRET = "The launch code of the north gate is 4711 Quebec";
const LOW = { agent: "low", clearance: "normal", trust: "user" } as const;
const HIGH = { agent: "high", clearance: "confidential", trust: "user" } as const;

async function open(kind: string) {
  const folder = mkdtempSync(join(tmpdir(), "pal-hidden-"));
  folders.push(folder);
  const { store, clock } = await testStore(kind === "memory" ? memoryStorage() : folder);
  stores.push(store);
  return { store, clock, low: store.session(LOW), high: store.session(HIGH) };
}

/** What an answer says, apart from sizes of files and names that are opaque. */
const told = async (run: Promise<unknown>): Promise<string> => {
  const answer = await run.catch((error: unknown) => error);
  return JSON.stringify(answer, (key, value) =>
    ["bytes", "commits", "commit", "hash", "head", "files"].includes(key) ? undefined : value,
  );
};

const KINDS = ["memory", "sqlite"];

describe("what is hidden is no oracle", () => {
  it.each(KINDS)(
    "N163 a text out of sight is not read letter by letter with what an erasure would take (%s)",
    async (kind) => {
      const [with_, without] = [await open(kind), await open(kind)];
      for (const { low } of [with_, without]) await low.remember("The gate is green", { id: "gate" });
      await with_.high.remember(SECRET, { id: "code-1", topic: "codes", sensitivity: "confidential" });
      await with_.high.remember(SECRET, { id: "of-high", scope: "agent/high" });
      for (let end = 1; end <= SECRET.length; end++)
        for (const letter of [SECRET.charAt(end - 1), "#"]) {
          const target = { containing: SECRET.slice(0, end - 1) + letter, dryRun: true };
          expect(await told(with_.low.erase(target))).toBe(await told(without.low.erase(target)));
          expect(await told(with_.low.erase({ ...target, derived: true }))).toBe(
            await told(without.low.erase({ ...target, derived: true })),
          );
        }
      for (const target of ["code-1", "codes", "code-", "of-high"])
        expect(await told(with_.low.erase(target, { dryRun: true }))).toBe(
          await told(without.low.erase(target, { dryRun: true })),
        );
    },
  );

  it.each(KINDS)("N163 nor does the receipt name what says the same out of sight (%s)", async (kind) => {
    const [with_, without] = [await open(kind), await open(kind)];
    await with_.high.remember(SECRET, { id: "code", sensitivity: "confidential" });
    const receipts: string[] = [];
    for (const { low } of [with_, without]) {
      await low.remember(SECRET, { id: "guess", type: "note" });
      await low.remember({ id: "mine", type: "note", text: `I say: ${SECRET}` });
      const { receipt, ...report } = await low.erase("guess");
      expect(receipt?.elsewhere).toHaveLength(1);
      receipts.push(await told(Promise.resolve([report, receipt?.left, receipt?.elsewhere.length])));
    }
    expect(receipts[0]).toBe(receipts[1]);
    expect((await with_.high.get("code"))?.text).toBe(SECRET);
  });

  it.each(KINDS)(
    "N685 words out of sight neither go with an erasure by a text nor are mentioned by it (%s)",
    async (kind) => {
      const word = "quokkazanzibar";
      const answers: string[] = [];
      for (const isWhole of [true, false]) {
        const { store, low, high } = await open(kind);
        await low.remember(`Everybody knows the ${word}`, { id: "known", type: "note" });
        await low.remember("Something else", { id: "else", type: "note" });
        await high.remember("Hidden", { id: "hidden", sensitivity: "confidential", type: "note" });
        const what = isWhole ? word : "nothing";
        await high.update("hidden", "Hidden still", { message: `Because of ${what}` });
        await high.remember(`Of ${what}`, { id: "of-high", scope: "agent/high", topic: what });
        await high.propose("idea", (tx) => tx.update("hidden", `Of ${what}`), { reason: `For ${what}` });
        const pads = store.session({ ...HIGH, sessionId: "s" });
        await pads.addScratch({ key: "k", value: `about ${what}` });
        for (const dryRun of [true, false]) {
          const { receipt, ...report } = await low.erase({ containing: word, dryRun });
          answers.push(
            await told(
              Promise.resolve([
                report,
                receipt && [receipt.clean, receipt.left, receipt.standing, receipt.elsewhere],
              ]),
            ),
          );
        }
        for (let end = 1; end <= word.length; end++)
          answers.push(
            await told(low.erase({ containing: word.slice(0, end), dryRun: true })),
            await told(
              low.erase({ containing: `${word.slice(0, end)}#` }).then(({ receipt }) => receipt?.clean),
            ),
          );
        const { clean, standing, isWhole: seesAll } = (await low.erase({ containing: word })).receipt!;
        expect(seesAll).toBe(false);
        answers.push(JSON.stringify([clean, standing]));
        expect((await high.log()).map(({ message }) => message)).toContain(`Because of ${what}`);
        expect(await high.review()).toHaveLength(1);
        expect(await pads.scratch()).toHaveLength(1);
      }
      const half = answers.length / 2;
      expect(answers.slice(0, half)).toEqual(answers.slice(half));
      expect(answers[half - 1]).toBe("[true,[]]");
    },
  );

  it.each(KINDS)(
    "N164 the id of an observation that is not for everybody is random, and it is found again by who sees it (%s)",
    async (kind) => {
      const texts = [
        [SECRET, { sensitivity: "confidential" }],
        ["Write to max.mustermann@firm.example about the north gate", {}],
      ] as const;
      for (const [text, input] of texts) {
        const [one, two] = [await open(kind), await open(kind)];
        two.clock.seed = 77;
        const seen = one.store.session({ ...LOW, agent: "max", clearance: "confidential" });
        const first = await one.high.observe(text, input);
        const elsewhere = await two.high.observe(text, input);
        expect(first).toMatchObject({ verdict: "accepted", id: expect.stringMatching(/^obs-[0-9a-f]{32}$/) });
        expect(elsewhere.id).not.toBe(first.id);
        const again = await seen.observe(text, input);
        expect(again).toMatchObject({ verdict: "updated", id: first.id });
        expect((await one.high.get(first.id as string))?.confidence).toBeGreaterThan(0.5);
        const [guessed, fresh] = [await one.low.observe(text), await (await open(kind)).low.observe(text)];
        expect(guessed).toMatchObject({ verdict: fresh.verdict });
        expect(guessed.code).toBeUndefined();
        expect(guessed.id).not.toBe(first.id);
      }
    },
  );

  it("N164 the id of one that is for everybody follows from its text, as before", async () => {
    const [one, two] = [await open("memory"), await open("memory")];
    two.clock.seed = 77;
    const text = "The gate is green in spring";
    const [a, b] = [await one.low.observe(text), await two.low.observe(text)];
    expect(a.id).toBe(b.id);
  });

  it.each(KINDS)(
    "N165 neither steps of a bisection, nor the end of figures, nor the present of a past state tell of hidden commits (%s)",
    async (kind) => {
      const answers: unknown[] = [];
      for (const isWhole of [true, false]) {
        const { store, clock, low, high } = await open(kind);
        const hide = async (session: Session, at: number, of: number) => {
          clock.now = at;
          for (let n = 0; isWhole && n < of; n++)
            await session.remember(`Hidden ${n} of many ${at}`, { sensitivity: "confidential" });
        };
        await low.remember("The harbour has four cranes", { id: "harbour" });
        await low.remember("Ends soon", { id: "ends", expiresAt: "2026-01-03T00:00:00.000Z" });
        await hide(high, Date.UTC(2026, 0, 2), 9);
        await hide(high, Date.UTC(2026, 0, 4), 9);
        clock.now = Date.UTC(2026, 0, 5);
        await low.update("harbour", "The harbour has eight cranes");
        await hide(high, Date.UTC(2026, 0, 6), 5);
        clock.now = Date.UTC(2026, 0, 7);
        const { steps, found } = await low.bisect("harbour cranes", "eight");
        const at = (await low.list({ at: "2026-01-04T12:00:00Z" })).map(({ id }) => id);
        answers.push({ steps, found, at, growth: (await low.figures()).growth });
        await store.settle();
      }
      expect(answers[0]).toEqual(answers[1]);
    },
  );
});
