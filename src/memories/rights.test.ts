import { beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../session/open-store.js";
import type { Session } from "../session/session.js";
import type { Store } from "../session/store.js";
import { memoryStorage } from "../storage/index.js";

let store: Store;
let low: Session;
let high: Session;
let eve: Session;
let now = Date.UTC(2026, 0, 1);

beforeEach(async () => {
  now = Date.UTC(2026, 0, 1);
  store = await openStore(memoryStorage(), { clock: () => (now += 1000) });
  low = store.session({ agent: "low", clearance: "normal" });
  high = store.session({ agent: "high", clearance: "confidential", branch: "work" });
  eve = store.session({ agent: "eve", branch: "work" });
  await low.remember("The sky is blue", { id: "sky" });
  await low.createBranch("work");
});

const heads = async () => {
  const session = store.session({ agent: "all", scopes: ["*"], clearance: "confidential", branch: "main" });
  return (await session.branches()).map(({ name, head, status }) => [name, head, status]);
};

const text = async (session: Session, id: string) => (await session.get(id))?.text;

/** Hidden work of every kind on the branch. */
const HIDDEN: readonly (readonly [string, () => Promise<unknown>])[] = [
  [
    "a memory above the clearance",
    () => high.remember("The code is 4711", { id: "code", sensitivity: "confidential" }),
  ],
  ["a memory of another scope", () => eve.remember("Eve's own", { id: "own", scope: "agent/eve" })],
  ["what was raised above the clearance", () => high.update("sky", { sensitivity: "confidential" })],
];

describe("what a session may not write it may not bring, nor take away", () => {
  it("B308 a merge that holds changes out of the session's sight is refused, dry or not, and changes nothing", async () => {
    const told = new Set<string>();
    for (const [what, write] of HIDDEN) {
      await write();
      const before = await heads();
      for (const options of [{}, { noFf: true }, { dryRun: true }]) {
        const refused = await low.merge("work", options).catch((error: unknown) => error);
        expect(refused, what).toMatchObject({
          code: "REFUSED",
          message: "The branch work holds changes that this session may not make.",
        });
        told.add(JSON.stringify(refused));
      }
      expect(await heads(), what).toEqual(before);
    }
    expect([...told]).toHaveLength(1);
    const all = store.session({ agent: "all", scopes: ["*"], clearance: "confidential", branch: "main" });
    expect(await all.merge("work")).toMatchObject({ kind: "fast-forward", added: 2, modified: 1 });
  });

  it("B308 what is hidden on the side that is merged into is in nobody's way and stays", async () => {
    const main = store.session({ agent: "high", clearance: "confidential", branch: "main" });
    await main.remember("The code is 4711", { id: "code", sensitivity: "confidential" });
    await store.session({ agent: "eve", branch: "main" }).remember("Eve's own", { scope: "agent/eve" });
    await store.session({ agent: "low", branch: "work" }).remember("Grass is green", { id: "grass" });
    expect(await low.merge("work")).toMatchObject({ kind: "merged", added: 1 });
    expect(await text(main, "code")).toBe("The code is 4711");
    expect(await text(low, "grass")).toBe("Grass is green");
  });

  it("B309 a branch that alone holds changes out of the session's sight stays; merged, or seen, it goes", async () => {
    for (const [what, write] of HIDDEN) {
      await write();
      const before = await heads();
      await expect(low.deleteBranch("work"), what).rejects.toMatchObject({
        code: "REFUSED",
        message: "The branch work holds changes that this session does not see.",
      });
      expect(await heads(), what).toEqual(before);
    }
    const all = store.session({ agent: "all", scopes: ["*"], clearance: "confidential", branch: "main" });
    await all.merge("work");
    await low.deleteBranch("work");
    expect((await low.branches()).map(({ name }) => name)).toEqual(["main"]);
    await all.undo((await all.ops())[0]?.op);
    await all.deleteBranch("work");
  });

  it("B309 what was forgotten on a branch out of sight is work on it too", async () => {
    const main = store.session({ agent: "high", clearance: "confidential", branch: "main" });
    await main.remember("The code is 4711", { id: "code", sensitivity: "confidential" });
    await low.createBranch("other");
    await store.session({ agent: "high", clearance: "confidential", branch: "other" }).forget("code");
    await expect(low.merge("other")).rejects.toMatchObject({ code: "REFUSED" });
    await expect(low.deleteBranch("other")).rejects.toMatchObject({ code: "REFUSED" });
    expect(await text(main, "code")).toBe("The code is 4711");
  });

  it("B309 nor does a branch go beside which something waits that the session does not see", async () => {
    await high.propose(
      "proposal",
      (tx) => tx.remember({ text: "The code is 4711", id: "code", sensitivity: "confidential" }),
      { reason: "for later" },
    );
    await expect(low.deleteBranch("work")).rejects.toMatchObject({ code: "REFUSED" });
    expect(await high.review()).toMatchObject([{ kind: "proposal" }]);
  });

  it("B309 nor a tag that alone leads to such changes, by its deletion or by undo of its making", async () => {
    await high.remember("The code is 4711", { id: "code", sensitivity: "confidential" });
    await high.tag("v1");
    const [made] = await high.ops();
    await expect(low.undo(made?.op)).resolves.toBeDefined();
    await high.tag("v1");
    const [again] = await high.ops();
    const main = store.session({ agent: "high", clearance: "confidential", branch: "main" });
    await main.deleteBranch("work");
    await expect(low.deleteTag("v1")).rejects.toMatchObject({ code: "REFUSED" });
    await expect(low.undo(again?.op)).rejects.toMatchObject({ code: "REFUSED" });
    await main.deleteTag("v1");
  });

  it("B309 a refusal has the same words whatever is hidden, and a rename takes nothing away", async () => {
    await eve.remember("Eve's own", { scope: "agent/eve" });
    const [refused] = await Promise.all([low.deleteBranch("work").catch((error: unknown) => error)]);
    expect(JSON.stringify(refused)).not.toMatch(/eve|agent\//);
    await low.renameBranch("work", "job");
    await low.undo((await low.ops())[0]?.op);
    expect((await low.branches()).map(({ name }) => name)).toEqual(["main", "work"]);
  });

  it("B310 where the configuration lets nothing be written, nothing is brought by merge, pick, revert, undo or rollback", async () => {
    const free = store.session({ agent: "low", branch: "work" });
    const added = await free.remember("Only mine", { id: "mine", scope: "agent/low" });
    const main = store.session({ agent: "low", branch: "main" });
    const bound = store.session({ agent: "low", branch: "main", gate: { scopes: ["shared"] } });
    await expect(bound.merge("work")).rejects.toMatchObject({ code: "REFUSED" });
    await expect(bound.cherryPick(added.commit as string)).rejects.toMatchObject({ code: "REFUSED" });
    await main.snapshot("before");
    await main.merge("work");
    await expect(bound.revert(added.commit as string)).rejects.toMatchObject({ code: "REFUSED" });
    await expect(bound.rollback("before")).rejects.toMatchObject({ code: "REFUSED" });
    await expect(bound.undo()).rejects.toMatchObject({ code: "REFUSED" });
    expect(await text(main, "mine")).toBe("Only mine");
    await main.undo();
    expect(await text(main, "mine")).toBeUndefined();
  });
});
