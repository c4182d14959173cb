import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EraseReport, Storage, Store } from "../src/index.js";
import { memoryStorage, postgresStorage, sqliteStorage } from "../src/storage/index.js";
import { filled, tries } from "./_every-verb.js";
import { startPostgres, type TestServer } from "./_postgres.mjs";

/** Good as a text, an id, a name and a part of a path. */
const WORD = "quokkazanzibar";

const home = mkdtempSync(join(tmpdir(), "pal-words-"));
let server: TestServer;
beforeAll(async () => {
  server = await startPostgres();
}, 120_000);
afterAll(async () => {
  await server.remove();
  rmSync(home, { recursive: true });
});

/** Everything in a store that says the word, past everything that decides about it: what it is, and what it is called. */
async function saying(storage: Storage): Promise<string[]> {
  const found: string[] = [];
  for await (const { kind, bytes } of storage.scan()) {
    const text = Buffer.from(bytes).toString();
    if (!text.includes(WORD)) continue;
    found.push(
      kind === "memory" ? `a memory: ${JSON.parse(text).id} (${JSON.parse(text).scope})` : `the ${kind}`,
    );
  }
  for (const [name, { meta }] of await storage.refs(""))
    if (JSON.stringify([name, meta]).includes(WORD)) found.push(`ref ${name}`);
  for (const [key, value] of await storage.sides(""))
    if ((key + value).includes(WORD)) found.push(`side ${key}`);
  return [...new Set(found)];
}

/** Of what still says it, what the receipt does not name. */
function unnamed(found: readonly string[], { receipt }: EraseReport): string[] {
  const standing = receipt?.standing ?? [];
  const isNamed = (one: string) =>
    standing.some(({ place, name }) => {
      const [, kind, what] = /^(a memory|the|ref|side):? (.*)$/s.exec(one) ?? [];
      if (kind === "a memory") return place.includes("of a memory") && name === what;
      if (kind === "ref") return place.includes("of a") && name !== "" && what!.includes(name);
      if (kind === "side") return name === what;
      return what !== "note" && place.endsWith("in the history") && name.includes(WORD);
    });
  return found.filter((one) => !isNamed(one));
}

const ALL = { agent: "eve", trust: "operator", scopes: ["*"], clearance: "confidential" } as const;
const erase = async (store: Store, containing = WORD) => {
  const eraser = store.session(ALL);
  const planned = await eraser.erase({ containing, dryRun: true });
  return { planned, report: await eraser.erase({ containing }) };
};
const storageOf = (kind: string, name: string): Storage =>
  kind === "memory"
    ? memoryStorage()
    : kind === "sqlite"
      ? sqliteStorage(join(home, name))
      : postgresStorage(server.url(name));

async function fillByEveryVerb(store: Store, folder: string): Promise<void> {
  for await (const { session, run } of tries(WORD, mkdtempSync(join(home, folder)))) {
    const ada = { agent: "ada", trust: "user", sessionId: "s", project: "site", ...session } as const;
    await Promise.resolve()
      .then(() => run(store.session(ada)))
      .catch(() => undefined);
  }
}

/** A store filled by every verb, and after it what only one verb in a store of its own would leave. */
async function afterEveryVerb(storage: Storage, folder: string) {
  const { store } = await filled(storage);
  await fillByEveryVerb(store, folder);
  // One name is one branch or one tag: whichever came first.
  const ada = store.session({ agent: "ada", trust: "user" });
  await ada.tag(`${WORD}-tag`);
  await ada.createBranch(`${WORD}-branch`, { purpose: `About ${WORD}`, persona: WORD });
  await ada.snapshot(`Before ${WORD}`);
  const before = await saying(storage);
  return { store, before, ...(await erase(store)) };
}

const KINDS = ["a memory", "the commit", "the note", "the operation", "ref heads/", "ref tags/", "ref snap"];

describe("words that were asked to go, in every place that can hold words", () => {
  it("CA680 CA683 whatever verb brought a word in, by whatever argument: what still says it after an erasure is named, with how it goes", async () => {
    const missed: string[] = [];
    let count = 0;
    for await (const { what, session, run } of tries(WORD, mkdtempSync(join(home, "one-")))) {
      const { storage, store, pal } = await filled();
      try {
        await run(session ? store.session({ agent: "ada", trust: "user", sessionId: "s", ...session }) : pal);
      } catch {
        // Refused: then nothing of it may be there.
      }
      if ((await saying(storage)).length > 0) {
        count++;
        const { planned, report } = await erase(store);
        const left = await saying(storage);
        const { clean, standing = [], left: loose } = report.receipt!;
        if (unnamed(left, report).length > 0) missed.push(`${what}: ${unnamed(left, report)}`);
        if (clean !== (left.length === 0)) missed.push(`${what}: clean ${clean}, ${left}`);
        if (loose.length > 0) missed.push(`${what}: loose in ${loose}`);
        if (JSON.stringify(planned.standing) !== JSON.stringify(standing))
          missed.push(
            `${what}: a dry run says ${JSON.stringify(planned.standing)} and then ${JSON.stringify(standing)}`,
          );
        if (standing.some(({ how }) => how === "")) missed.push(`${what}: not how`);
      }
      await store.close();
    }
    expect(missed).toEqual([]);
    expect(count).toBeGreaterThan(100);
  }, 240_000);

  it.each(["memory", "sqlite", "postgres"])(
    "CA681 the eight places of old: what may go is gone, the rest is named (%s)",
    async (kind) => {
      const storage = storageOf(kind, "eight");
      const { store, pal } = await filled(storage);
      await pal.forget("second", { reason: `Because of ${WORD}` });
      await pal.describeBranch("work", { purpose: `All about ${WORD}` });
      const work = store.session({ agent: "ada", trust: "user", branch: "work" });
      await work.remember({ text: `Its head moves with ${WORD}`, type: "note" });
      await pal.snapshot(`before ${WORD}`);
      await pal.addScratch({ key: "k", value: `about ${WORD}` });
      await pal.propose("idea", (tx) => tx.remember("Tea is hot"), { reason: `For ${WORD}` });
      await pal.tag(WORD);
      await pal.remember({ text: "Tea", id: "of-tags", tags: [WORD], type: "note" });
      await pal.remember({ text: "Coffee", id: WORD, type: "note" });
      await pal.remember({ text: "Milk", topic: WORD });
      const { planned, report } = await erase(store);
      expect([report.records, report.notes]).toEqual([1, 2]);
      expect(report.cleared).toHaveLength(3);
      expect(planned).toMatchObject({ notes: 2, cleared: report.cleared });
      const { clean, standing, left } = report.receipt!;
      expect([clean, left]).toEqual([false, []]);
      expect(standing.map(({ place }) => place)).toEqual([
        "id of a memory, in some version",
        "name of a ref in the history",
        "name of a tag",
        "tags of a memory, in some version",
        "topic of a memory, in some version",
      ]);
      expect((await pal.snapshots()).map(({ label }) => label)).toContain("erased");
      expect((await pal.branches()).find(({ name }) => name === "work")).not.toHaveProperty("purpose");
      expect(await pal.scratch()).toEqual([]);
      expect(await pal.review()).toEqual([]);
      expect(JSON.stringify([await pal.log(), await pal.ops({ limit: 100 })])).not.toContain(`of ${WORD}`);
      expect((await store.verify()).problems.filter(({ severity }) => severity === "error")).toEqual([]);
      for (const { id } of await pal.list()) if (id !== "first") await pal.erase(id);
      await pal.deleteTag(WORD);
      const { receipt } = await pal.erase({ containing: WORD });
      expect(receipt!.standing.map(({ place }) => place)).toEqual(["name of a ref in the history"]);
      await store.close();
    },
    60_000,
  );

  it("CA681 SQLite: what may go is in no byte of the folder, what was done before is undone without it, and a file beside is named", async () => {
    const place = join(home, "bytes");
    const { store, pal } = await filled(sqliteStorage(place));
    await pal.forget("second", { reason: `Because of ${WORD}` });
    await pal.describeBranch("work", { purpose: `All about ${WORD}`, persona: WORD });
    await pal.describeBranch("work", { purpose: "Something else", persona: "baker" });
    const described = (await pal.ops())[0]!;
    await pal.snapshot(`before ${WORD}`);
    await pal.addScratch({ key: WORD, value: { deep: [`about ${WORD}`] } });
    await pal.propose("idea", (tx) => tx.remember(`${WORD} is hot`), { reason: `For ${WORD}` });
    const no = await pal.propose("idea", (tx) => tx.remember("Tea is cold"), { reason: "For nothing" });
    await pal.rejectReview(no.id!, { reason: `Nothing of ${WORD}` });
    await pal.remember({ text: `Tea, says ${WORD}`, id: "said" });
    writeFileSync(join(place, "stray.txt"), `left by another program: ${WORD}`);
    const first = (await erase(store)).report.receipt!;
    expect(first).toMatchObject({ clean: false, left: ["stray.txt"], standing: [] });
    rmSync(join(place, "stray.txt"));
    expect((await erase(store)).report.receipt).toMatchObject({
      ...{ clean: true, left: [], standing: [], isWhole: true },
    });
    await pal.undo(described.op);
    expect((await pal.branches()).find(({ name }) => name === "work")).toMatchObject({ persona: "baker" });
    expect((await store.verify()).problems.filter(({ severity }) => severity === "error")).toEqual([]);
    await store.close();
    const files = readdirSync(place, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    expect(files.filter((one) => readFileSync(join(one.parentPath, one.name)).includes(WORD))).toEqual([]);
  });

  it.each(["memory", "sqlite"])(
    "CA687 an agent that asks for it is told what only memories would leave, and nothing else waits or goes (%s)",
    async (kind) => {
      const { store, pal } = await filled(storageOf(kind, "asked"));
      await pal.remember({ id: "said", text: `Tea, says ${WORD}`, type: "note" });
      await pal.forget("second", { reason: `Because of ${WORD}` });
      await pal.describeBranch("work", { purpose: `All about ${WORD}` });
      const eve = store.session({ agent: "eve", project: "site" });
      const asked = await eve.erase({ containing: WORD });
      expect(asked).toMatchObject({ records: 1, notes: 0, cleared: [], staged: expect.any(String) });
      expect(asked.standing?.map(({ place }) => place)).toEqual([
        "purpose of a ref",
        "reasons of a commit or an operation",
      ]);
      expect((await pal.acceptReview(asked.staged!)).erased).toMatchObject({ records: 1, cleared: [] });
      expect((await pal.branches()).find(({ name }) => name === "work")?.purpose).toContain(WORD);
      expect(await eve.erase({ containing: WORD })).toMatchObject({ records: 0, notes: 0, cleared: [] });
      expect((await pal.erase({ containing: WORD })).receipt).toMatchObject({ clean: true, standing: [] });
      await store.close();
    },
  );

  it.each(["memory", "sqlite"])(
    "CA682 by id: the id and the topic are looked for, what others are called themselves is theirs (%s)",
    async (kind) => {
      const { store, pal } = await filled(storageOf(kind, "named"));
      await pal.remember({
        id: "attic",
        text: "The attic has a window",
        topic: "the-attic-room",
        type: "note",
      });
      await pal.remember({ id: "box", text: "A box", parent: "attic", type: "note" });
      await pal.remember({ id: "attic-two", text: "The attic of the other house", type: "note" });
      await pal.update("second", { tags: ["the-attic-room"] });
      const standing = (await pal.erase("attic", { dryRun: true })).standing;
      const { receipt } = await pal.erase("attic");
      expect(receipt).toMatchObject({ clean: false, left: [], standing });
      expect(standing?.map(({ place, name }) => [place.split(" ")[0], name])).toEqual([
        ["parent", "box (shared)"],
        ["tags", "second (shared)"],
      ]);
      expect((await pal.erase("box")).receipt).toMatchObject({ clean: true, standing: [] });
      await store.close();
    },
  );

  it.each(["memory", "sqlite"])("CA684 a short text is found wherever it is stored (%s)", async (kind) => {
    const { store, pal } = await filled(storageOf(kind, "short"));
    await pal.remember({ id: "door", text: "The code is 4711", type: "note" });
    await pal.remember({
      id: "lock",
      text: "Of brass",
      attributes: { pin: 4711, "4711": true },
      type: "note",
    });
    await pal.commit("Set to 4711");
    const { planned, report } = await erase(store, "4711");
    expect(report).toMatchObject({ records: 2, notes: 1, receipt: { clean: false, left: [] } });
    expect(planned.standing).toEqual(report.receipt!.standing);
    expect(report.receipt!.standing.map(({ place }) => place)).toEqual([
      "attributes.4711 of a memory, in some version",
      "attributes.pin of a memory, in some version",
    ]);
    await store.close();
  });

  it("CA680 SQLite: after every verb nothing of the folder says it that the receipt does not name", async () => {
    const place = join(home, "sqlite");
    const storage = sqliteStorage(place);
    const { store, before, report } = await afterEveryVerb(storage, "sqlite-");
    for (const kind of KINDS) expect(before.join("\n")).toContain(kind);
    const left = await saying(storage);
    expect(unnamed(left, report)).toEqual([]);
    expect(report.receipt).toMatchObject({ clean: false, left: [] });
    expect((await store.verify()).problems.filter(({ severity }) => severity === "error")).toEqual([]);
    await store.close();
  }, 240_000);

  it("PG686 CA680 PostgreSQL: the receipt is never clean, and names the log and the free room of the server, which still hold it", async () => {
    const storage = postgresStorage(server.url("words"));
    const { store, report } = await afterEveryVerb(storage, "postgres-");
    expect(unnamed(await saying(storage), report)).toEqual([]);
    const alone = postgresStorage(server.url("alone"));
    const { store: other } = await filled(alone);
    await other.session(ALL).remember({ text: `All about the ${WORD}`, type: "note" });
    const { receipt } = (await erase(other)).report;
    expect(await saying(alone)).toEqual([]);
    expect(receipt).toMatchObject({ clean: false, left: [], standing: [] });
    await server.sql("CHECKPOINT");
    const files = readdirSync(server.data, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => readFileSync(path).includes(WORD));
    const places = receipt!.beyond.map(({ place }) => place).join("\n");
    expect(files.length).toBeGreaterThan(0);
    for (const file of files)
      expect(places).toContain(file.includes("pg_wal") ? "pg_wal" : "files of the tables");
    for (const one of [store, other]) await one.close();
  }, 240_000);
});
