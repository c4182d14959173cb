import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { memoryHandlers } from "../src/doors/anthropic/index.js";
import { memoryStorage, openStore, type Session, type Store } from "../src/index.js";
import { ROOT } from "./_processes.js";

let store: Store;
let user: Session;
let agent: Session;

beforeEach(async () => {
  store = await openStore(memoryStorage(), { embedder: "none" });
  user = store.session({ agent: "ada", trust: "user" });
  agent = store.session({ agent: "bot", trust: "agent" });
});

const ANN = { name: "Ann", entityType: "person", observations: ["likes tea"] };
const graph = (pal: Session) => pal.knowledgeGraph({ scope: "shared" });
const files = (pal: Session) => memoryHandlers(pal, { scope: "shared" });
const LONG = "I am Orion. I keep the fleet running. ".repeat(60);

interface Door {
  /** What a person wrote. */
  readonly written: () => Promise<unknown>;
  /** How an agent takes it away. */
  readonly taken: () => Promise<unknown>;
}

/** Every way to take a memory away that names it otherwise than by its id. */
const DOORS: Readonly<Record<string, Door>> = {
  "an entity of the graph": {
    written: async () => (await graph(user)).createEntities([ANN]),
    taken: async () => (await graph(agent)).deleteEntities(["Ann"]),
  },
  "an observation of the graph": {
    written: async () => (await graph(user)).createEntities([ANN]),
    taken: async () =>
      (await graph(agent)).deleteObservations([{ entityName: "Ann", observations: ["likes tea"] }]),
  },
  "a relation of the graph": {
    written: async () => (await graph(user)).createRelations([{ from: "A", to: "B", relationType: "knows" }]),
    taken: async () => (await graph(agent)).deleteRelations([{ from: "A", to: "B", relationType: "knows" }]),
  },
  "a file": {
    written: () => files(user).create({ path: "/memories/a.txt", file_text: "tea" }),
    taken: () => files(agent).delete({ path: "/memories/a.txt" }),
  },
  "a folder of files": {
    written: () => files(user).create({ path: "/memories/in/a.txt", file_text: "tea" }),
    taken: () => files(agent).delete({ path: "/memories/in" }),
  },
  "a file by its name": {
    written: () => files(user).create({ path: "/memories/a.txt", file_text: "tea" }),
    taken: () => files(agent).rename({ old_path: "/memories/a.txt", new_path: "/memories/b.txt" }),
  },
  "an identity by a longer one": {
    written: () => user.setIdentity("I am Orion.", { scope: "shared" }),
    taken: () => agent.setIdentity(LONG, { scope: "shared" }),
  },
  "an identity by a shorter one": {
    written: () => user.setIdentity(LONG, { scope: "shared" }),
    taken: () => agent.setIdentity("I am Orion.", { scope: "shared" }),
  },
};

describe("what a weaker session may not take away", () => {
  for (const [what, { written, taken }] of Object.entries(DOORS))
    it(`RV790 ${what}, which a person wrote, stays`, async () => {
      await written();
      const before = await user.list();
      expect(before.length).toBeGreaterThan(0);
      const outcome = (await taken().catch((error) => error)) as { readonly code: string };
      expect(outcome.code).toMatch(/^(REFUSED|WEAKER_WRITER)$/);
      expect(await user.list()).toEqual(before);
    });

  it("RV790 whatever takes a memory away asks who wrote it, so that a new way is tried here", () => {
    const takers = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
      .filter((file) => /draft\.forget\(/.test(readFileSync(join(ROOT, "src", file), "utf8")));
    expect(takers.sort()).toEqual([
      "care/erase-plan.ts",
      "history/replay.ts",
      "history/verbs/merge.ts",
      "history/verbs/rollback.ts",
      "memories/verbs/forget.ts",
      "memories/verbs/move.ts",
      "palace/verbs/palace.ts",
    ]);
  });

  it("B790 a branch or a tag that alone leads to what a person wrote stays, until it is merged", async () => {
    await user.remember("Otters hold hands");
    await user.createBranch("work");
    const work = store.session({ agent: "ada", trust: "user", branch: "work" });
    await work.remember("Whales sing", { id: "whales" });
    await expect(agent.deleteBranch("work")).rejects.toMatchObject({ code: "REFUSED" });
    const own = store.session({ agent: "bot", trust: "agent", branch: "work" });
    await own.createBranch("own");
    const mine = store.session({ agent: "bot", trust: "agent", branch: "own" });
    await mine.remember("Bats hear", { id: "bats" });
    expect((await agent.deleteBranch("own")).name).toBe("own");
    await work.tag("v1");
    await user.deleteBranch("work");
    await expect(agent.deleteTag("v1")).rejects.toMatchObject({ code: "REFUSED" });
    await user.createBranch("again", { from: "v1" });
    await agent.merge("again");
    await agent.deleteTag("v1");
    expect((await agent.deleteBranch("again")).name).toBe("again");
    expect((await user.get("whales"))?.text).toBe("Whales sing");
  });

  it("PA790 an identity that is turned away leaves the one that is there", async () => {
    await user.setIdentity("I am Orion.");
    const before = await user.list();
    expect(await user.setIdentity("I am Orion. ".repeat(200_000))).toMatchObject({ verdict: "rejected" });
    expect(await user.list()).toEqual(before);
    expect(await user.setIdentity(LONG)).toMatchObject({ verdict: "accepted" });
    expect((await user.list()).map(({ type }) => type)).toEqual(["note"]);
    expect(await user.setIdentity("I am Orion.")).toMatchObject({ verdict: "accepted" });
  });

  it("PA791 a line, a place or an identity that a weaker session takes out of a mirror waits, and is no removal", async () => {
    const folder = mkdtempSync(join(tmpdir(), "pal-mirror-"));
    try {
      await user.setIdentity("I am Orion.");
      await user.remember("Max likes nuts", { in: "garden/beds" });
      await user.createPlace("attic", { description: "What is seldom used" });
      await user.syncPalace(folder);
      const before = await user.list();
      const file = join(folder, "rooms/garden/beds.md");
      writeFileSync(file, readFileSync(file, "utf8").replace(/^- Max.*$/mu, ""));
      rmSync(join(folder, "identity.txt"));
      rmSync(join(folder, "rooms/attic"), { recursive: true });
      const report = await agent.syncPalace(folder);
      expect(report.removed).toBe(0);
      expect(report.problems.map(({ path }) => path)).toHaveLength(3);
      expect(report.problems.map(({ reason }) => reason).join()).toContain("waits for somebody");
      expect(await user.list()).toEqual(before);
      expect(await user.review()).toHaveLength(3);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("CP790 what lies below an entity or a file and is none of it moves up", async () => {
    await (await graph(user)).createEntities([ANN]);
    const entity = (await user.list()).find(({ type }) => type === "entity")!;
    await user.remember("Otters hold hands", { id: "otters", parent: entity.id, scope: "shared" });
    await (await graph(user)).deleteEntities(["Ann"]);
    expect((await user.list()).map(({ id, parent }) => [id, parent])).toEqual([["otters", undefined]]);
  });
});
