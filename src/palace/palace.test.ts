import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openStore, type Session } from "../session/index.js";
import { memoryStorage } from "../storage/index.js";

const HOUR = 3_600_000;

async function opened(options: { clock?: () => number } = {}) {
  const store = await openStore(memoryStorage(), options);
  return { store, pal: store.session({ agent: "orion", sessionId: "s1", trust: "user" }) };
}

const names = async (pal: Session) =>
  (await pal.rooms()).map(({ name, drawers }) => [name, ...drawers.map((drawer) => drawer.name)]);

describe("rooms and drawers", () => {
  it("PA1 a memory is put into a drawer, which is made with its room in the same commit", async () => {
    const { pal } = await opened();
    const verdict = await pal.remember("The website runs on Fly", { in: "Projects/Website" });
    expect(verdict).toMatchObject({ verdict: "accepted" });
    expect(await pal.rooms()).toMatchObject([
      { name: "Projects", drawers: [{ name: "Website", entries: 1 }], entries: 0 },
    ]);
    expect((await pal.log()).length).toBe(1);
    // The same place, however it is written.
    await pal.remember("The website has a status page", { in: "projects/website" });
    expect(await pal.rooms()).toMatchObject([{ drawers: [{ entries: 2 }] }]);
  });
  it("PA1 a memory that is refused makes no room", async () => {
    const { pal } = await opened();
    const refused = await pal.remember("Visa 4539578763621486", { in: "secrets/cards" });
    expect(refused.verdict).toBe("rejected");
    expect(await pal.rooms()).toEqual([]);
  });
  it("PA2 renaming and moving keep ids and what lies inside; taken names are refused", async () => {
    const { pal } = await opened();
    const { id } = await pal.remember("The fleet has nine nodes", { in: "architecture/fleet" });
    await pal.createPlace("people/alexander", { description: "Who we work for." });
    expect(await pal.renamePlace("architecture/fleet", "the fleet")).toMatchObject({ verdict: "updated" });
    expect(await pal.moveInPalace("architecture/the fleet", "people")).toMatchObject({ verdict: "updated" });
    expect(await names(pal)).toEqual([["architecture"], ["people", "alexander", "the fleet"]]);
    expect(await pal.renamePlace("people/the fleet", "Alexander")).toMatchObject({ code: "NAME_TAKEN" });
    expect((await pal.list({ in: "people/the fleet" })).map((memory) => memory.id)).toEqual([id]);
    expect(await pal.describePlace("people/the fleet", "Nodes and what runs on them.")).toMatchObject({
      verdict: "updated",
    });
    await expect(pal.renamePlace("nowhere", "x")).rejects.toMatchObject({ code: "NOT_FOUND" });
    // Its old name is free again, under another id.
    await pal.createPlace("architecture/fleet");
    expect(await names(pal)).toEqual([
      ["architecture", "fleet"],
      ["people", "alexander", "the fleet"],
    ]);
  });
  it("PA3 list and search keep to a room or drawer", async () => {
    const { pal } = await opened();
    await pal.remember("The database of the website is Postgres", { in: "projects/website" });
    await pal.remember("The database of the shop is MySQL", { in: "projects/shop" });
    await pal.remember("The database of the archive is SQLite", { in: "archive/old" });
    const found = async (place: string) =>
      (await pal.search("database", { in: place, type: "fact" })).hits.map(({ text }) =>
        text.split(" ").at(-1),
      );
    expect((await found("projects")).sort()).toEqual(["MySQL", "Postgres"]);
    expect(await found("Archive/Old")).toEqual(["SQLite"]);
    expect(await found("nowhere")).toEqual([]);
    expect((await pal.list({ in: "projects", type: "fact" })).length).toBe(2);
  });
  it("PA4 layouts have four rooms or more, and laying one out twice changes nothing", async () => {
    const { pal } = await opened();
    for (const layout of ["issue-analysis", "health-check", "code-review"]) {
      const store = await opened();
      await store.pal.layOut(layout);
      expect((await store.pal.rooms()).length).toBeGreaterThanOrEqual(4);
      expect((await store.pal.rooms()).every(({ description }) => description !== "")).toBe(true);
      await pal.layOut(layout);
    }
    const before = await pal.rooms();
    const again = await pal.layOut("code-review");
    expect(new Set(again.map(({ verdict }) => verdict))).toEqual(new Set(["duplicate"]));
    expect(await pal.rooms()).toEqual(before);
  });
  it("PA5 who the agent is: its own scope first, short or long", async () => {
    const { store, pal } = await opened();
    expect(await pal.identity()).toBeUndefined();
    await pal.setIdentity("I am Orion. I keep the fleet running.");
    const mandates = `I am Orion.\n\n${"I never delete what I did not write. ".repeat(60)}`;
    expect((await pal.setIdentity(mandates, { scope: "agent/orion" })).verdict).toBe("accepted");
    expect((await pal.identity())?.text).toBe(mandates);
    expect((await store.session({ agent: "lyra" }).identity())?.text).toMatch(/^I am Orion\. I keep/);
    await pal.setIdentity("I am Orion, and brief.", { scope: "agent/orion" });
    expect((await pal.identity())?.type).toBe("identity");
  });
});

describe("the scratchpad", () => {
  it("PA10 entries are appended, a later one stands for an earlier, and none is a memory", async () => {
    const { pal, store } = await opened();
    await pal.addScratch({ key: "ticket", value: "Ticket 4711 is about login", tool: "gitea" });
    await pal.addScratch({ key: "ticket", value: "Ticket 4711 is about logout" });
    await pal.addScratch({ key: "count", value: { open: 3 } });
    expect((await pal.scratch()).map(({ key, value, seq }) => [seq, key, value])).toEqual([
      [2, "ticket", "Ticket 4711 is about logout"],
      [3, "count", { open: 3 }],
    ]);
    expect((await pal.scratch({ all: true })).length).toBe(3);
    expect((await pal.scratch({ all: true }))[0]).toMatchObject({ tool: "gitea", time: expect.any(String) });
    expect(await pal.log()).toEqual([]);
    expect((await pal.searchScratch("what was ticket 4711 about?"))[0]).toMatchObject({
      seq: 2,
      key: "ticket",
    });
    expect(await pal.searchScratch("who won the election")).toEqual([]);
    // Another agent's session of the same name is another pad.
    expect(await store.session({ agent: "lyra", sessionId: "s1" }).scratch()).toEqual([]);
    expect(await pal.clearScratch()).toBe(3);
    expect(await pal.scratch({ all: true })).toEqual([]);
    await expect(store.session().scratch()).rejects.toMatchObject({ code: "SESSION_REQUIRED" });
  });
  it("PA11 an entry lives an hour unless told, and a clock that is set back does not prolong it for long", async () => {
    let now = Date.parse("2026-03-01T12:00:00Z");
    const { pal } = await opened({ clock: () => now });
    await pal.addScratch({ key: "a", value: "an hour" });
    await pal.addScratch({ key: "b", value: "a day", ttl: 24 * HOUR });
    now += HOUR;
    expect((await pal.scratch()).map(({ key }) => key)).toEqual(["b"]);
    now -= 30 * 24 * HOUR;
    await pal.addScratch({ key: "c", value: "x" });
    now += 24 * HOUR;
    expect(await pal.scratch()).toEqual([]);
    await expect(pal.addScratch({ key: "d", value: "x", ttl: -1 })).rejects.toMatchObject({
      code: "INVALID_FIELD",
    });
  });
  it("PA11 the settings of the palace say how long, and comments in them stay", async () => {
    const { pal } = await opened();
    await pal.setPalaceConfig("scratchpad.ttl", 60);
    expect(await pal.palaceConfig()).toMatch(/# Seconds[\s\S]*ttl: 60\n/);
    const { time, expiresAt } = await pal.addScratch({ key: "a", value: "x" });
    expect(Date.parse(expiresAt) - Date.parse(time)).toBe(60_000);
  });
  it("PA12 it survives a restart, and no byte of what expired or was cleared is left in the files", async () => {
    let now = Date.parse("2026-03-01T12:00:00Z");
    const clock = () => now;
    const folder = mkdtempSync(join(tmpdir(), "pal-scratch-"));
    const bytes = () =>
      readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), "latin1"))
        .join("");
    const use = async (run: (pal: Session) => Promise<void>) => {
      const store = await openStore(folder, { clock });
      await run(store.session({ agent: "orion", sessionId: "s1" }));
      await store.close();
    };
    await use(async (pal) => {
      await pal.addScratch({ key: "short", value: "zwirbelfluse" });
      await pal.addScratch({ key: "long", value: "knatterhorn", ttl: 5 * HOUR });
    });
    await use(async (pal) => expect((await pal.scratch()).length).toBe(2));
    expect(bytes().includes("zwirbelfluse")).toBe(true);
    now += HOUR;
    const store = await openStore(folder, { clock });
    // Somebody else's write is enough: pads are swept with the upkeep.
    await store.session({ agent: "lyra" }).remember("The kettle is in the kitchen");
    await store.settle();
    expect(bytes().includes("zwirbelfluse")).toBe(false);
    expect(bytes().includes("knatterhorn")).toBe(true);
    await store.session({ agent: "orion", sessionId: "s1" }).clearScratch();
    expect(bytes().includes("knatterhorn")).toBe(false);
    await store.close();
  });
  it("PA13 many writers of one pad lose nothing, and secrets are cut out", async () => {
    const { pal } = await opened();
    await Promise.all(Array.from({ length: 20 }, (_, n) => pal.addScratch({ key: `k${n}`, value: n })));
    expect((await pal.scratch()).map(({ value }) => value).sort((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 20 }, (_, n) => n),
    );
    await pal.addScratch({ key: "paid", value: { with: "Visa 4539578763621486" } });
    expect(JSON.stringify(await pal.scratch())).not.toContain("4539578763621486");
  });
});
