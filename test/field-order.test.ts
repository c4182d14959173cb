import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { memoryStorage, openStore, type Session, type Storage, sqliteStorage } from "../src/index.js";

const base = mkdtempSync(join(tmpdir(), "pal-order-"));
afterAll(() => rmSync(base, { recursive: true }));

const READS: Readonly<Record<string, (session: Session) => Promise<unknown>>> = {
  get: (session) => session.get("lamp"),
  "get a triple": (session) => session.get("ann"),
  list: (session) => session.list(),
  view: (session) => session.view(),
  search: async (session) => (await session.search("lamp works Ann")).hits,
  history: (session) => session.history("lamp"),
  blame: (session) => session.blame("lamp"),
  diff: (session) => session.diff("HEAD~4"),
  log: (session) => session.log({ events: true }),
  graph: (session) => session.graph({ events: true }),
  conflicts: (session) => session.conflicts(),
  review: (session) => session.review(),
  ops: (session) => session.ops(),
  branches: (session) => session.branches(),
  snapshots: (session) => session.snapshots(),
  stats: (session) => session.stats(),
  taint: (session) => session.taint("ann"),
};

async function write(session: Session, agent: Session): Promise<void> {
  const attributes = (z: number) => ({ z, list: [{ y: z, a: 1 }], a: { q: z, "10": 2, "9": 3, b: 4 } });
  await session.remember({
    ...{ id: "lamp", text: "The lamp is blue", attributes: attributes(1), tags: ["z", "a"] },
    valid: { to: "2027-01-01T00:00:00Z", from: "2026-01-01T00:00:00Z" },
  });
  await session.remember(
    { id: "ann", triple: { subject: "Ann", predicate: "works_at", object: "Initech" } },
    { evidence: "she said so" },
  );
  await session.createBranch("work");
  await session.checkout("work");
  await session.update("lamp", { attributes: attributes(2) });
  await session.checkout("main");
  await session.update("lamp", { attributes: attributes(3) });
  await session.merge("work");
  await agent.remember(
    { triple: { subject: "Zoe", predicate: "likes", object: "figs" }, attributes: { y: 1, x: 2 } },
    { source: "web" },
  );
}

const told = async (storage: Storage, isNew: boolean): Promise<Record<string, string>> => {
  let now = Date.UTC(2026, 0, 1);
  const store = await openStore(storage, { clock: () => (isNew ? now++ : now) });
  const session = store.session({ agent: "ada", trust: "user", sessionId: "s" });
  if (isNew) await write(session, store.session({ agent: "bob", trust: "agent", sessionId: "b" }));
  now = Date.UTC(2026, 1, 1);
  isNew = false;
  const answers: Record<string, string> = {};
  for (const [name, read] of Object.entries(READS)) answers[name] = JSON.stringify(await read(session));
  if (storage.location !== memoryStorage().location) await store.close();
  return answers;
};

describe("R800 what was just written and what is read again look the same, to the order of fields", () => {
  let places = 0;
  it.each([
    [
      "SQLite",
      () => {
        const place = join(base, `${places++}`);
        return () => sqliteStorage(place);
      },
    ],
    [
      "memory",
      () => {
        const storage = memoryStorage();
        return () => storage;
      },
    ],
  ] as const)("R800 %s", async (_name, place) => {
    const open = place();
    const warm = await told(open(), true);
    const cold = await told(open(), false);
    expect(cold).toEqual(warm);
    expect(warm.get).toContain('"a":{"9":3,"10":2,"b":4,"q":3},"list":[{"a":1,"y":3}],"z":3');
    expect(warm["get a triple"]).toContain(
      '"triple":{"object":"Initech","predicate":"works_at","subject":"Ann"}',
    );
  });
});
