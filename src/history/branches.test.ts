import { beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../session/open-store.js";
import type { Session } from "../session/session.js";
import type { Store } from "../session/store.js";
import { memoryStorage } from "../storage/index.js";

let store: Store;
let ada: Session;
let now = Date.UTC(2026, 0, 1);

beforeEach(async () => {
  now = Date.UTC(2026, 0, 1);
  store = await openStore(memoryStorage(), { clock: () => (now += 1000) });
  ada = store.session({ agent: "ada" });
});

const textOf = async (session: Session, id: string) => (await session.get(id))?.text;
const rootOf = async (session: Session) => (await session.stats()).root;

describe("branches are personas", () => {
  it("B1 a branch begins at the head, or at any commit, with persona and purpose, and is listed by name", async () => {
    const first = await ada.remember("one", { id: "one" });
    await ada.remember("two", { id: "two" });
    await ada.createBranch("work", { persona: "engineer", purpose: "Ship it" });
    await ada.createBranch("early", { from: first.commit as string });
    expect(await ada.branches()).toMatchObject([
      { name: "early", head: first.commit, persona: "early", status: "open", current: false },
      { name: "main", persona: "default", current: true },
      { name: "work", persona: "engineer", purpose: "Ship it", current: false, by: "ada" },
    ]);
    const early = store.session({ agent: "ada", branch: "early" });
    expect(await textOf(early, "two")).toBeUndefined();
    expect(await textOf(early, "one")).toBe("one");
  });

  it("U90 the list of branches says of each when it was made; main is as old as the first commit that the session sees", async () => {
    expect(await ada.branches()).toEqual([expect.not.objectContaining({ created: expect.anything() })]);
    const eve = store.session({ agent: "eve" });
    await eve.remember("secret", { scope: "agent/eve" });
    const first = await ada.remember("one");
    await ada.remember("two");
    const { created } = await ada.createBranch("work");
    const timeOf = async (commit: unknown) => (await eve.log()).find((item) => item.commit === commit)?.time;
    expect((await ada.branches()).map((branch) => [branch.name, branch.created])).toEqual([
      ["main", await timeOf(first.commit)],
      ["work", created],
    ]);
    expect(created).toMatch(/^2026-01-01T/);
    const [main] = await eve.branches();
    expect(main?.created).toBe((await eve.log()).at(-1)?.time);
  });

  it("B2 a name that exists is an error and never moves; a bad name is refused", async () => {
    await ada.remember("one", { id: "one" });
    const made = await ada.createBranch("work");
    await ada.remember("two");
    await expect(ada.createBranch("work")).rejects.toMatchObject({ code: "NAME_TAKEN" });
    await expect(ada.createBranch("main")).rejects.toMatchObject({ code: "NAME_TAKEN" });
    for (const bad of ["../x", "a/b", "", "-a", "con", "a..b", "ä"])
      await expect(ada.createBranch(bad)).rejects.toMatchObject({ code: "INVALID_NAME" });
    expect((await ada.branches()).find(({ name }) => name === "work")?.head).toBe(made.head);
  });

  it("B3 checkout moves this session and the agent's later ones; running ones and other agents stay", async () => {
    await ada.remember("on main", { id: "x" });
    const running = store.session({ agent: "ada" });
    await running.get("x");
    await ada.createBranch("work");
    expect(await ada.checkout("work")).toMatchObject({ name: "work", current: true });
    await ada.update("x", "on work");
    expect(await textOf(running, "x")).toBe("on main");
    const later = store.session({ agent: "ada" });
    expect(await textOf(later, "x")).toBe("on work");
    expect(later.branch).toBe("work");
    expect(await textOf(store.session({ agent: "bob" }), "x")).toBe("on main");
    expect(await textOf(store.session({ agent: "ada", branch: "main" }), "x")).toBe("on main");
    await expect(ada.checkout("nowhere")).rejects.toMatchObject({ code: "NO_BRANCH" });
  });

  it("B4 main, the current branch and one that somebody has checked out cannot be deleted; others can, and undo brings them back", async () => {
    await ada.remember("one", { id: "one" });
    await ada.createBranch("work", { persona: "engineer" });
    await ada.createBranch("spare");
    const bob = store.session({ agent: "bob" });
    await bob.checkout("work");
    for (const name of ["main", "work"])
      await expect(ada.deleteBranch(name)).rejects.toMatchObject({ code: "BRANCH_IN_USE" });
    await expect(bob.deleteBranch("work")).rejects.toMatchObject({ code: "BRANCH_IN_USE" });
    await bob.checkout("main");
    await ada.deleteBranch("work");
    expect((await ada.branches()).map(({ name }) => name)).toEqual(["main", "spare"]);
    const [last] = await ada.ops({ limit: 1 });
    await ada.undo(last?.op);
    expect((await ada.branches()).find(({ name }) => name === "work")).toMatchObject({ persona: "engineer" });
  });

  it("B5 a rename takes along who is on it; nothing is overwritten", async () => {
    await ada.remember("one", { id: "one" });
    await ada.createBranch("work");
    await ada.createBranch("other");
    await ada.checkout("work");
    await expect(ada.renameBranch("work", "other")).rejects.toMatchObject({ code: "NAME_TAKEN" });
    await expect(ada.renameBranch("main", "trunk")).rejects.toMatchObject({ code: "BRANCH_IN_USE" });
    await ada.renameBranch("work", "office");
    expect(ada.branch).toBe("office");
    const later = store.session({ agent: "ada" });
    await later.get("one");
    expect(later.branch).toBe("office");
  });

  it("B6 a tag names a commit for good and is an address of the past", async () => {
    await ada.remember("first", { id: "x" });
    await ada.tag("v1");
    await ada.update("x", "second");
    expect((await ada.get("x", { at: "v1" }))?.text).toBe("first");
    await expect(ada.tag("v1")).rejects.toMatchObject({ code: "NAME_TAKEN" });
    expect(await ada.tags()).toMatchObject([{ name: "v1", by: "ada" }]);
    await ada.deleteTag("v1");
    await expect(ada.get("x", { at: "v1" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("B7 an empty store can have branches, and is still whole", async () => {
    await ada.createBranch("work");
    const work = store.session({ agent: "ada", branch: "work" });
    await work.remember("a thing", { id: "thing" });
    expect(await textOf(ada, "thing")).toBeUndefined();
    expect(await store.verify()).toMatchObject({ ok: true, problems: [] });
  });

  it("B8 versions, times and authors of a memory are those of the line it is read on", async () => {
    await ada.remember("v1", { id: "x" });
    await ada.createBranch("work");
    const work = store.session({ agent: "bob", branch: "work" });
    await work.update("x", "v2 at work");
    await work.update("x", "v3 at work");
    await ada.update("x", "v2 at home");
    expect(await ada.get("x")).toMatchObject({ version: 2, text: "v2 at home", author: { id: "ada" } });
    expect(await work.get("x")).toMatchObject({ version: 3, author: { id: "bob" } });
    expect((await ada.history("x")).map(({ text }) => text)).toEqual(["v1", "v2 at home"]);
    expect((await work.history("x")).map(({ text }) => text)).toEqual(["v1", "v2 at work", "v3 at work"]);
    expect(await ada.log()).toHaveLength(2);
    expect(await work.log()).toHaveLength(3);
    await work.forget("x");
    await work.remember("back", { id: "x" });
    expect(await work.get("x")).toMatchObject({ version: 5 });
  });
});

describe("merge", () => {
  const fork = async () => {
    await ada.remember("The sky is blue", { id: "sky", tags: ["a"] });
    await ada.remember("Grass is green", { id: "grass" });
    await ada.createBranch("work");
    return store.session({ agent: "bob", branch: "work" });
  };

  it("B20 what only one side changed comes through; field by field where both did", async () => {
    const work = await fork();
    await work.update("sky", { tags: ["a", "b"], attributes: { SEEN: "yes" } });
    await work.remember("Snow is white", { id: "snow" });
    await work.forget("grass");
    await ada.update("sky", "The sky is grey");
    const done = await ada.merge("work");
    expect(done).toMatchObject({ kind: "merged", added: 1, modified: 1, removed: 1, conflicts: [] });
    expect(await ada.get("sky")).toMatchObject({
      text: "The sky is grey",
      tags: ["a", "b"],
      attributes: { SEEN: "yes" },
    });
    expect(await textOf(ada, "snow")).toBe("Snow is white");
    expect(await textOf(ada, "grass")).toBeUndefined();
    expect(await store.verify()).toMatchObject({ ok: true, problems: [] });
    expect((await ada.branches()).find(({ name }) => name === "work")).toMatchObject({ status: "merged" });
    const [last] = await ada.log({ limit: 1 });
    expect(last).toMatchObject({ message: "Merge work into main" });
    expect(last?.parents).toHaveLength(2);
  });

  it("B100 new work on a merged branch, and undoing the merge, open it again", async () => {
    const work = await fork();
    const status = async () => (await ada.branches()).find(({ name }) => name === "work")?.status;
    await work.remember("Snow is white", { id: "snow" });
    await ada.merge("work");
    expect(await status()).toBe("merged");
    await work.remember("Coal is black", { id: "coal" });
    expect(await status()).toBe("open");
    await ada.merge("work", { noFf: true });
    expect(await status()).toBe("merged");
    await ada.undo();
    expect(await textOf(ada, "coal")).toBeUndefined();
    expect(await status()).toBe("open");
    await ada.describeBranch("work", { status: "abandoned" });
    expect(await status()).toBe("abandoned");
  });

  it("B103 branches, tags, snapshots and operations are read as they stood at a time, or when a commit was made", async () => {
    const first = (await ada.remember("one", { id: "one" })).commit as string;
    await ada.createBranch("work", { purpose: "Ship it" });
    await ada.createBranch("gone", { persona: "ghost" });
    await ada.tag("v1");
    await ada.snapshot("calm");
    const then = new Date(now).toISOString();
    const ops = await ada.ops({ limit: 100 });
    const names = async (options?: { at: string }) => ({
      branches: await ada.branches(options),
      tags: await ada.tags(options),
      snapshots: await ada.snapshots(options),
    });
    const before = await names();

    const work = store.session({ agent: "bea", branch: "work" });
    await work.remember("two", { id: "two" });
    await ada.remember("three", { id: "three" });
    await ada.merge("work");
    await ada.describeBranch("work", { purpose: "Sail it", status: "abandoned" });
    await ada.deleteBranch("gone");
    await ada.renameBranch("work", "sea");
    await ada.deleteTag("v1");
    await ada.tag("v2");
    for (let round = 0; round < 21; round++) await ada.snapshot();

    expect(await names({ at: then })).toEqual(before);
    expect(await ada.ops({ limit: 100, at: then })).toEqual(ops);
    const early = await names({ at: first });
    expect(early.branches.map(({ name, head }) => [name, head])).toEqual([["main", first]]);
    expect([early.tags, early.snapshots]).toEqual([[], []]);
    expect(await ada.ops({ at: first })).toHaveLength(1);
    await expect(ada.branches({ at: "nowhere" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("B104 the history of a branch before it was merged shows nothing of the merge, and a snapshot that had to make room is there again", async () => {
    await ada.remember("one", { id: "one" });
    await ada.createBranch("work");
    await store.session({ agent: "bea", branch: "work" }).remember("two", { id: "two" });
    await ada.snapshot();
    const then = new Date(now).toISOString();
    const branches = await ada.branches();
    const [{ snapshot, commit } = {}] = await ada.snapshots();
    await ada.merge("work");
    const merged = new Date(now).toISOString();
    for (let round = 0; round < 25; round++)
      await ada.rememberMany([`a ${round}`, `b ${round}`], { snapshot: true });
    expect(await ada.branches({ at: then })).toEqual(branches);
    expect(await ada.snapshots({ at: then })).toMatchObject([{ snapshot, commit, agent: "ada", index: 0 }]);
    expect((await ada.branches({ at: merged })).find(({ name }) => name === "work")?.status).toBe("merged");
  });

  it("B102 a tag and a branch never have the same name", async () => {
    const taken = { code: "NAME_TAKEN" };
    await ada.createBranch("work");
    await expect(ada.tag("work")).rejects.toMatchObject(taken);
    await expect(ada.tag("main")).rejects.toMatchObject(taken);
    await ada.tag("v1");
    await expect(ada.createBranch("v1")).rejects.toMatchObject(taken);
    await expect(ada.renameBranch("work", "v1")).rejects.toMatchObject(taken);
  });

  it("B101 a part of a snapshot's id that fits several is an error that says so", async () => {
    const [one] = [await ada.snapshot(), await ada.snapshot()];
    await expect(ada.rollback(one.snapshot.slice(0, 8))).rejects.toMatchObject({ code: "AMBIGUOUS" });
    await expect(ada.rollback(one.snapshot)).resolves.toBeDefined();
  });

  it("B21 merge(a,b) and merge(b,a) have the same root, and merging again changes nothing", async () => {
    const work = await fork();
    await work.update("sky", "The sky is black");
    await ada.update("sky", "The sky is grey");
    await ada.createBranch("copy");
    await ada.merge("work");
    const root = await rootOf(ada);
    const copy = store.session({ agent: "eve", branch: "work" });
    await copy.merge("copy");
    expect(await rootOf(copy)).toBe(root);
    expect(await ada.merge("work")).toMatchObject({
      kind: expect.stringMatching(/merged|fast-forward|up-to-date/),
    });
    expect(await rootOf(ada)).toBe(root);
    expect(await ada.merge("work")).toMatchObject({ kind: "up-to-date" });
  });

  it("B22 a branch that only went on is taken over as it is, unless a commit is asked for", async () => {
    const work = await fork();
    await work.remember("More", { id: "more" });
    const [tip] = await work.log({ limit: 1 });
    expect(await ada.merge("work")).toMatchObject({ kind: "fast-forward", added: 1, commit: tip?.commit });
    await work.remember("Even more", { id: "even" });
    const made = await ada.merge("work", { noFf: true });
    expect(made.kind).toBe("merged");
    expect(made.commit).not.toBe((await work.log({ limit: 1 }))[0]?.commit);
    expect(await rootOf(ada)).toBe(await rootOf(work));
    expect(await store.verify()).toMatchObject({ ok: true, problems: [] });
  });

  it("B23 what both changed to different things is contested: both values stay, with who said them; resolving is an ordinary change", async () => {
    const work = await fork();
    await work.update("sky", "The sky is black");
    await ada.update("sky", "The sky is grey");
    const done = await ada.merge("work");
    expect(done.conflicts).toMatchObject([{ id: "sky", field: "text" }]);
    const [open] = await ada.conflicts();
    expect(open).toMatchObject({ id: "sky", scope: "shared", field: "text" });
    const values = open?.terms.map(({ value, author, commit }) => [value, author.id, commit !== undefined]);
    expect(values).toEqual([
      ["The sky is black", "bob", true],
      ["The sky is grey", "ada", true],
    ]);
    await expect(ada.resolve("sky", "text", { take: 3 })).rejects.toMatchObject({ code: "INVALID_VALUE" });
    await expect(ada.resolve("sky", "tags", { take: 1 })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(ada.resolve("sky", "text", { value: 7 })).rejects.toMatchObject({
      code: expect.stringMatching(/^INVALID/),
    });
    expect(await ada.resolve("sky", "text", { take: 1 })).toMatchObject({ verdict: "updated" });
    expect(await textOf(ada, "sky")).toBe("The sky is black");
    expect(await ada.conflicts()).toEqual([]);
  });

  it("B24 deleted on one side and changed on the other is kept, contested, and can go either way", async () => {
    for (const [take, left] of [
      [1, undefined],
      [2, "Grass is dry"],
    ] as const) {
      store = await openStore(memoryStorage(), { clock: () => (now += 1000) });
      ada = store.session({ agent: "ada" });
      const work = await fork();
      await work.forget("grass");
      await ada.update("grass", "Grass is dry");
      expect((await ada.merge("work")).conflicts).toMatchObject([{ id: "grass", field: "*" }]);
      expect(await textOf(ada, "grass")).toBe("Grass is dry");
      const [open] = await ada.conflicts();
      expect(open?.terms).toMatchObject([
        { deleted: true, author: { id: "bob" } },
        { value: "Grass is dry" },
      ]);
      await ada.resolve("grass", "*", { take });
      expect(await textOf(ada, "grass")).toBe(left);
      expect(await ada.conflicts()).toEqual([]);
    }
  });

  it("B25 a merge covers all scopes: what the session does not see on its own side stays as it is", async () => {
    const work = await fork();
    const eve = store.session({ agent: "eve", branch: "main" });
    await eve.remember("Eve's own", { id: "own", scope: "agent/eve" });
    await work.remember("For all", { id: "all" });
    await ada.update("sky", "x");
    expect(await ada.merge("work")).toMatchObject({ added: 1 });
    expect(await textOf(eve, "own")).toBe("Eve's own");
  });

  it("B26 of two moves that form a circle the later stays where it was, contested", async () => {
    await ada.remember("A", { id: "a", type: "note" });
    await ada.remember("B", { id: "b", type: "note" });
    await ada.createBranch("work");
    const work = store.session({ agent: "bob", branch: "work" });
    await ada.update("a", { parent: "b" });
    await work.update("b", { parent: "a" });
    const done = await ada.merge("work");
    expect(done.conflicts).toMatchObject([{ id: "b", field: "place" }]);
    expect((await ada.get("a"))?.parent).toBe("b");
    expect((await ada.get("b"))?.parent).toBeUndefined();
    const root = await rootOf(ada);
    const again = await openStore(memoryStorage());
    await again.close();
    expect(root).toBeDefined();
    expect(await store.verify()).toMatchObject({ ok: true, problems: [] });
  });

  it("B27 a branch merges into another by name, never into itself; an unknown one is an error", async () => {
    const work = await fork();
    await work.remember("More", { id: "more" });
    await ada.merge("work", { into: "main" });
    await expect(ada.merge("main")).rejects.toMatchObject({ code: "INVALID_NAME" });
    await expect(ada.merge("none")).rejects.toMatchObject({ code: "NO_BRANCH" });
  });
});

describe("pick, revert, diff, blame", () => {
  it("B40 a commit of another branch is brought over alone; a merge needs to know its main line", async () => {
    await ada.remember("base", { id: "base" });
    await ada.createBranch("work");
    const work = store.session({ agent: "bob", branch: "work" });
    await work.remember("unwanted", { id: "unwanted" });
    const wanted = await work.remember("wanted", { id: "wanted" });
    expect(await ada.cherryPick(wanted.commit as string)).toMatchObject({ added: 1, conflicts: [] });
    expect(await textOf(ada, "wanted")).toBe("wanted");
    expect(await textOf(ada, "unwanted")).toBeUndefined();
    const merged = await ada.merge("work");
    expect(merged).toMatchObject({ kind: "merged", added: 1 });
    await expect(ada.revert(merged.commit as string)).rejects.toMatchObject({ code: "MAINLINE_REQUIRED" });
    await expect(ada.revert(merged.commit as string, { mainline: 3 })).rejects.toMatchObject({
      code: "MAINLINE_REQUIRED",
    });
    expect(await ada.revert(merged.commit as string, { mainline: 1 })).toMatchObject({ removed: 1 });
    expect(await textOf(ada, "unwanted")).toBeUndefined();
    expect(await textOf(ada, "wanted")).toBe("wanted");
  });

  it("B41 revert takes back one commit and keeps what came later", async () => {
    await ada.remember("one", { id: "x", tags: ["t"] });
    const change = await ada.update("x", "two");
    await ada.update("x", { category: "later" });
    expect(await ada.revert(change.commit as string)).toMatchObject({ modified: 1, conflicts: [] });
    expect(await ada.get("x")).toMatchObject({ text: "one", category: "later", tags: ["t"] });
  });

  it("B42 diff lists what came, went and changed between any two points, field by field and word by word", async () => {
    await ada.remember("The quick brown fox", { id: "fox" });
    await ada.remember("gone soon", { id: "gone" });
    await ada.tag("before");
    await ada.update("fox", { text: "The slow brown fox", tags: ["t"] });
    await ada.forget("gone");
    await ada.remember("new", { id: "new" });
    const found = await ada.diff("before");
    expect(found.added).toMatchObject([{ id: "new", text: "new" }]);
    expect(found.removed).toMatchObject([{ id: "gone" }]);
    expect(found.changed).toMatchObject([
      { id: "fox", fields: [{ field: "text" }, { field: "tags", to: ["t"] }] },
    ]);
    expect(found.changed[0]?.fields[0]?.words).toEqual([
      { kind: "same", text: "The " },
      { kind: "removed", text: "quick" },
      { kind: "added", text: "slow" },
      { kind: "same", text: " brown fox" },
    ]);
    expect((await ada.diff("main", "before")).added).toMatchObject([{ id: "gone" }]);
    await expect(ada.diff("nothing-there")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("B43 blame names the commit that gave each field its value, through merges", async () => {
    await ada.remember("text", { id: "x", tags: ["t"] });
    await ada.createBranch("work");
    const work = store.session({ agent: "bob", branch: "work" });
    const byBob = await work.update("x", { category: "by bob" });
    const byAda = await ada.update("x", "by ada");
    await ada.merge("work");
    const lines = await ada.blame("x");
    const of = (field: string) => lines.find((line) => line.field === field);
    expect(of("text")).toMatchObject({ commit: byAda.commit, author: { id: "ada" }, value: "by ada" });
    expect(of("category")).toMatchObject({ commit: byBob.commit, author: { id: "bob" } });
    expect(of("tags")).toMatchObject({ author: { id: "ada" } });
    expect(of("topic")).toBeUndefined();
    await expect(ada.blame("nobody")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("snapshots and rollback", () => {
  it("B60 newest is 0; automatic ones are one's own and 20, labelled ones are everybody's and stay", async () => {
    const bob = store.session({ agent: "bob" });
    await ada.remember("one", { id: "one" });
    await bob.snapshot();
    await ada.snapshot("keep");
    for (let n = 0; n < 25; n++) {
      await ada.update("one", `text ${n}`);
      await ada.snapshot();
    }
    const mine = await ada.snapshots();
    expect(mine).toHaveLength(21);
    expect(mine[0]).toMatchObject({ index: 0, agent: "ada" });
    expect(mine.at(-1)).toMatchObject({ index: 20, label: "keep" });
    expect(await bob.snapshots()).toHaveLength(2);
  });

  it("B61 rollback restores the state in one commit; what came after stays in history; undo is the way back", async () => {
    await ada.remember("A", { id: "x" });
    await ada.snapshot();
    await ada.update("x", "B");
    await ada.remember("post", { id: "post" });
    const before = await rootOf(ada);
    const done = await ada.rollback(0);
    expect(done).toMatchObject({ modified: 1, removed: 1, added: 0 });
    expect(await textOf(ada, "x")).toBe("A");
    expect(await textOf(ada, "post")).toBeUndefined();
    expect((await ada.history("x")).map(({ text }) => text)).toEqual(["A", "B", "A"]);
    await ada.undo();
    expect(await rootOf(ada)).toBe(before);
    await ada.update("x", "C");
    await ada.rollback(0);
    const first = await rootOf(ada);
    await ada.update("x", "D");
    await ada.rollback(0);
    expect(await rootOf(ada)).toBe(first);
  });

  it("B62 an unknown index or id changes nothing and says what there is; one line is logged for each event", async () => {
    const lines: string[] = [];
    store = await openStore(memoryStorage(), { log: (line) => lines.push(line) });
    ada = store.session({ agent: "ada" });
    await ada.remember("A", { id: "x" });
    await ada.snapshot();
    const root = await rootOf(ada);
    for (const target of [1, 7, "snap-nothing"])
      await expect(ada.rollback(target)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await rootOf(ada)).toBe(root);
    await ada.update("x", "B");
    await ada.rollback();
    expect(lines).toEqual([
      expect.stringMatching(/^snapshot created: snap-/),
      "rollback: 1 not found",
      "rollback: 7 not found",
      "rollback: snap-nothing not found",
      "rolled back to 0",
    ]);
  });

  it("B63 another author's commits are not taken back unless said so; a stronger writer's record never", async () => {
    const bob = store.session({ agent: "bob" });
    await ada.remember("A", { id: "x" });
    await ada.snapshot();
    await bob.remember("by bob", { id: "bobs" });
    const root = await rootOf(ada);
    expect(await ada.rollback(0)).toMatchObject({
      refused: "other-authors",
      authors: [{ author: { id: "bob" } }],
      removed: 0,
    });
    expect(await rootOf(ada)).toBe(root);
    expect(await ada.rollback(0, { allAuthors: true })).toMatchObject({ removed: 1 });
    const carla = store.session({ agent: "carla", trust: "user" });
    await carla.remember("by a person", { id: "person" });
    expect(await ada.rollback(0, { allAuthors: true })).toMatchObject({ refused: "stronger-writer" });
  });

  it("B64 only what the session sees is rolled back", async () => {
    const eve = store.session({ agent: "eve" });
    await ada.remember("A", { id: "x" });
    await ada.snapshot("start");
    await eve.remember("secret", { id: "own", scope: "agent/eve" });
    await ada.update("x", "B");
    expect(await ada.rollback("start")).toMatchObject({ modified: 1, removed: 0 });
    expect(await textOf(eve, "own")).toBe("secret");
  });

  it("B65 a merge takes a snapshot by itself", async () => {
    await ada.remember("A", { id: "x" });
    await ada.createBranch("work");
    const work = store.session({ agent: "bob", branch: "work" });
    await work.update("x", "B");
    await ada.merge("work");
    expect(await ada.snapshots()).toMatchObject([{ before: "merge work" }]);
    await ada.rollback(0, { allAuthors: true });
    expect(await textOf(ada, "x")).toBe("A");
  });
});
