import { describe, expect, it } from "vitest";
import { openStore } from "../session/index.js";
import { memoryStorage } from "../storage/index.js";

const DAY = 86_400_000;
let now = Date.parse("2026-03-01T12:00:00Z");

async function opened() {
  const store = await openStore(memoryStorage(), { clock: () => now });
  const pal = store.session({ agent: "orion", sessionId: "s1" });
  const promote = async (summary: string, more: object = {}) => {
    await pal.addScratch({ key: "found", value: "raw", tool: "grep", ttl: 20 * DAY });
    return pal.promote({
      key: "found",
      room: "projects",
      drawer: "site",
      summary,
      reason: "It will come up again.",
      ...more,
    });
  };
  return { store, pal, promote };
}

describe("promotion", () => {
  it("PA14 what is promoted is summed up, has a reason, and says where it came from", async () => {
    const { pal, promote } = await opened();
    const verdict = await promote("The website deploys from the release branch every Friday", {
      confidence: 0.8,
    });
    expect(verdict).toMatchObject({ verdict: "accepted", place: "projects/site" });
    expect(await pal.get(verdict.id as string)).toMatchObject({
      type: "fact",
      confidence: 0.8,
      attributes: { promotedFrom: "s1", key: "found", tool: "grep" },
      origin: { source: "promotion", session: "s1", evidence: "It will come up again." },
    });
    expect((await pal.log())[0]).toMatchObject({ message: "It will come up again." });
    expect((await pal.list({ attributes: { promotedFrom: "s1" } })).length).toBe(1);
    // The scratchpad keeps it until it expires.
    expect((await pal.scratch()).length).toBe(1);
  });
  it("PA15 a reason, a summary and an entry are needed", async () => {
    const { pal, promote } = await opened();
    await expect(promote("A summary of five words", { reason: " " })).rejects.toMatchObject({
      code: "INVALID_FIELD",
    });
    await expect(promote("")).rejects.toMatchObject({ code: "INVALID_FIELD" });
    await expect(promote("A summary of five words", { key: "other" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await promote("Too few words")).toMatchObject({ code: "TOO_SHORT" });
    expect(await promote("word ".repeat(501))).toMatchObject({ code: "TOO_LONG" });
    expect((await promote(`${"Every word of this counts here ".repeat(80)}now`)).verdict).toBe("accepted");
    expect(await promote("这个网站每个星期五从发布分支部署")).toMatchObject({ verdict: "accepted" });
    expect((await pal.log()).length).toBe(2);
  });
  it.each([
    ['{"status": 200, "body": {"items": [1, 2, 3]}}'],
    ['The answer was {"id": 1, "name": "x", "state": "open", "labels": []} as said'],
    ["2026-03-01T12:00:00Z INFO server started on port 8080 with four workers"],
    ["ERROR connection refused by the database host\nERROR giving up after three attempts"],
    ["TypeError: x is not a function\n    at run (/app/main.js:10:5)\n    at main (/app/main.js:20:1)"],
    ['Traceback (most recent call last):\n  File "a.py", line 3, in run\nValueError: bad'],
    ["```ts\nconst a = 1;\n```\nthis is what it does"],
    ["const a = load();\nif (a.ok) {\n  return a.value;\n}"],
    ["<html><body><p>Hello</p><p>World</p></body></html>"],
    ["$ ls -la /srv/www shows the files of the site"],
    ["diff --git a/x b/x\n@@ -1,3 +1,4 @@\n+one more line here"],
  ])("PA16 raw output is no summary: %s", async (summary) => {
    const { pal, promote } = await opened();
    expect(await promote(summary)).toMatchObject({ verdict: "rejected", code: "RAW_OUTPUT" });
    expect(await pal.rooms()).toEqual([]);
  });
  it.each([
    ["The server returned status 200 in all 40 runs; the error was a stale cache."],
    ["On 2026-03-01 we decided to keep nginx, because Caddy broke the redirects."],
    ["Import jobs fail when the queue is empty: return early instead of retrying."],
    ["Class B offices use the small printer; let people know before Friday."],
  ])("PA16 sentences about such things are: %s", async (summary) =>
    expect((await (await opened()).promote(summary)).verdict).toBe("accepted"),
  );
  it("PA17 what the drawer says already is a duplicate", async () => {
    const { pal, promote } = await opened();
    await promote("The website deploys from the release branch every Friday");
    const again = await promote("The website deploys from the release branch on every Friday.");
    expect(again).toMatchObject({ verdict: "duplicate", of: expect.any(String) });
    expect((await pal.log()).length).toBe(1);
  });
  it("PA18 a contradiction waits for a person, with both sides, whatever is said first", async () => {
    const { store, pal, promote } = await opened();
    const first = await promote("The website of the shop uses nginx as its server");
    const verdict = await promote("The website of the shop no longer uses nginx as its server");
    expect(verdict).toMatchObject({
      verdict: "quarantined",
      code: "CONTRADICTION",
      staged: expect.any(String),
    });
    expect((await pal.list({ in: "projects/site" })).map(({ text }) => text)).toEqual([
      "The website of the shop uses nginx as its server",
    ]);
    const [item] = await pal.review();
    expect(JSON.stringify(item)).toContain("no longer uses nginx");
    expect(JSON.stringify(item)).toContain(first.id);
    const ann = store.session({ agent: "ann", trust: "user" });
    expect(await ann.acceptReview(verdict.staged as string)).toMatchObject({ accepted: true });
    expect((await pal.list({ in: "projects/site" })).map(({ text }) => text)).toEqual([
      "The website of the shop no longer uses nginx as its server",
    ]);
  });
  it("PA18 what is older than a week waits too; a dry run changes nothing", async () => {
    const { store, pal } = await opened();
    const start = now;
    await pal.addScratch({ key: "old", value: "x", ttl: 20 * DAY });
    now += 8 * DAY;
    const asked = {
      key: "old",
      room: "projects",
      drawer: "site",
      summary: "The certificate renews itself in every June",
      reason: "Asked often",
    };
    expect(await pal.promote(asked, { dryRun: true })).toMatchObject({ code: "STALE_ENTRY" });
    expect(await pal.review()).toEqual([]);
    const { staged } = await pal.promote(asked);
    expect((await pal.review()).map(({ kind }) => kind)).toEqual(["promotion"]);
    await store.session({ agent: "ann", trust: "user" }).acceptReview(staged as string);
    expect((await pal.list({ in: "projects/site" })).length).toBe(1);
    now = start;
  });
  it("PA19 without a room it goes to the drawer that speaks of the same, else to the inbox", async () => {
    const { pal, promote } = await opened();
    await pal.createPlace("people/alexander", { description: "How Alexander likes to work." });
    await pal.createPlace("systems/database", { description: "Postgres, its backups and its versions." });
    await pal.setPalaceConfig("promotion.routes.invoice", "office/money");
    const nowhere = { room: undefined, drawer: undefined };
    expect(await promote("Backups of Postgres are kept for thirty days", nowhere)).toMatchObject({
      place: "systems/database",
    });
    expect(await promote("Alexander wants reports before nine in the morning", nowhere)).toMatchObject({
      place: "people/alexander",
    });
    expect(await promote("Each invoice of the printer is paid in March", nowhere)).toMatchObject({
      place: "office/money",
    });
    expect(await promote("Nobody waters those plants during summer holidays", nowhere)).toMatchObject({
      place: "inbox/unsorted",
    });
  });
});
