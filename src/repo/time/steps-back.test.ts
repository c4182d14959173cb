import { beforeEach, describe, expect, it } from "vitest";
import { openStore, type Session, type Store } from "../../session/index.js";
import { memoryStorage } from "../../storage/index.js";

let store: Store;
let ada: Session;
beforeEach(async () => {
  let now = Date.UTC(2026, 0, 1);
  store = await openStore(memoryStorage(), { clock: () => (now += 1000), gate: { off: ["duplicate"] } });
  ada = store.session({ agent: "ada", branch: "main" });
});
const texts = async (session: Session, at: string) => (await session.list({ at })).map(({ text }) => text);

describe("B147 HEAD and steps back", () => {
  it("B147 HEAD is the newest commit of one's own branch, and name~2 two commits before what is named", async () => {
    for (const text of ["one", "two", "three"]) await ada.remember(text, { id: text });
    await ada.tag("v1");
    await ada.remember("four", { id: "four" });
    expect(await texts(ada, "HEAD")).toEqual(["one", "two", "three", "four"]);
    expect(await texts(ada, "HEAD~0")).toEqual(["one", "two", "three", "four"]);
    for (const at of ["HEAD~1", "HEAD~", "main~1", "v1", "v1~0"])
      expect(await texts(ada, at), at).toEqual(["one", "two", "three"]);
    for (const at of ["v1~1", "HEAD~2", "HEAD~1~1", `${(await ada.log())[0]!.commit.slice(0, 12)}~2`])
      expect(await texts(ada, at), at).toEqual(["one", "two"]);
    expect(await texts(ada, "HEAD~4")).toEqual([]);
    for (const at of ["HEAD~5", "HEAD~999999", "nothing~1", "head"])
      await expect(texts(ada, at), at).rejects.toMatchObject({ code: "NOT_FOUND" });
    for (const at of ["HEAD~9999999", "HEAD~x", "~1", "HEAD~-1"])
      await expect(texts(ada, at), at).rejects.toMatchObject({ code: expect.any(String) });
  });

  it("B147 wherever a point is named: diff, log, revert, rollback, tag, a new branch", async () => {
    for (const text of ["one", "two", "three"]) await ada.remember(text, { id: text });
    expect((await ada.diff("HEAD~1", "HEAD")).added).toMatchObject([{ id: "three" }]);
    expect(await ada.log({ at: "HEAD~1" })).toHaveLength(2);
    await ada.createBranch("early", { from: "HEAD~2" });
    const early = store.session({ agent: "ada", branch: "early" });
    expect(await texts(early, "HEAD")).toEqual(["one"]);
    await ada.tag("second", "HEAD~1");
    expect(await texts(ada, "second")).toEqual(["one", "two"]);
    await ada.revert("HEAD");
    expect(await texts(ada, "HEAD")).toEqual(["one", "two"]);
    await ada.rollback("HEAD~3");
    expect(await texts(ada, "HEAD")).toEqual(["one"]);
    await ada.rollback("HEAD~1");
    expect(await texts(ada, "HEAD")).toEqual(["one", "two"]);
  });

  it("B147 a name that is there wins; nothing new is called HEAD", async () => {
    await ada.remember("one", { id: "one" });
    await ada.snapshot("HEAD~1");
    await ada.createBranch("work");
    await ada.remember("two", { id: "two" });
    await ada.remember("three", { id: "three" });
    expect(await texts(ada, "HEAD~1")).toEqual(["one"]);
    for (const naming of [
      () => ada.createBranch("HEAD"),
      () => ada.renameBranch("work", "HEAD"),
      () => ada.tag("HEAD"),
      () => ada.snapshot("HEAD"),
    ])
      await expect(naming()).rejects.toMatchObject({ code: "INVALID_NAME" });
    expect(await texts(ada, "HEAD")).toEqual(["one", "two", "three"]);
  });

  it("B147 commits of which the session sees nothing are not counted, and merges are followed on their main line", async () => {
    const bob = store.session({ agent: "bob", branch: "main" });
    await ada.remember("one", { id: "one" });
    for (const text of ["mine", "too"]) await bob.remember(text, { id: text, scope: "agent/bob" });
    await ada.remember("two", { id: "two" });
    await bob.remember("again mine", { id: "again", scope: "agent/bob" });
    expect(await texts(ada, "HEAD~1")).toEqual(["one"]);
    expect(await texts(bob, "HEAD~1")).toEqual(["one", "mine", "too", "two"]);
    await expect(texts(ada, "HEAD~3")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await ada.createBranch("work");
    const work = store.session({ agent: "ada", branch: "work" });
    await work.remember("three", { id: "three" });
    await work.remember("four", { id: "four" });
    await ada.remember("five", { id: "five" });
    await ada.merge("work");
    expect(await texts(ada, "HEAD~1")).toEqual(["one", "two", "five"]);
    expect((await ada.diff("HEAD~1", "HEAD")).added.map(({ id }) => id).sort()).toEqual(["four", "three"]);
  });

  it("B147 an empty store has a HEAD, and nothing before it", async () => {
    expect(await texts(ada, "HEAD")).toEqual([]);
    await expect(texts(ada, "HEAD~1")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
