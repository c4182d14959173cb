import { beforeEach, expect, it } from "vitest";
import { openStore } from "../session/open-store.js";
import type { Session } from "../session/session.js";
import type { Store } from "../session/store.js";
import { memoryStorage } from "../storage/index.js";

let store: Store;
let ada: Session;
beforeEach(async () => {
  let now = Date.UTC(2026, 0, 1);
  store = await openStore(memoryStorage(), { clock: () => (now += 1000) });
  ada = store.session({ agent: "ada" });
});

const gist = (commits: Awaited<ReturnType<Session["graph"]>>) => {
  const names = new Map(commits.map(({ commit, first }) => [commit, first.id]));
  return commits.map(({ first, links, branches, tags }) => [
    first.id,
    links.map((link) => names.get(link)),
    [...branches, ...tags],
  ]);
};

it("B88 links skip what the session does not see, and names stand at the nearest commit that is shown", async () => {
  const eve = store.session({ agent: "eve" });
  await ada.remember("one", { id: "one" });
  await eve.remember("hidden", { id: "hidden", scope: "agent/eve" });
  await ada.createBranch("work");
  await ada.tag("v1");
  await ada.remember("two", { id: "two" });
  await eve.update("hidden", "still hidden");
  expect(gist(await ada.graph())).toEqual([
    ["two", ["one"], ["main"]],
    ["one", [], ["work", "v1"]],
  ]);
});

it("B88 a part of history shows the names in it; a limit cuts what is older", async () => {
  await ada.remember("one", { id: "one" });
  await ada.tag("v1");
  await ada.remember("two", { id: "two" });
  await ada.remember("three", { id: "three" });
  expect(gist(await ada.graph({ at: "v1" }))).toEqual([["one", [], ["v1"]]]);
  expect(gist(await ada.graph({ limit: 2 }))).toEqual([
    ["three", ["two"], ["main"]],
    ["two", [], []],
  ]);
});
