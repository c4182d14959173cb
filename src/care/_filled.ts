import type { Session } from "../session/session.js";
import type { Store } from "../session/store.js";

/** A store with branches, merges, documents, private records, tags, snapshots, messages and deletions in it. */
export async function fillStore(store: Store, count = 40): Promise<Session> {
  const pal = store.session({ agent: "ada", trust: "user" });
  for (let n = 0; n < count; n++)
    await pal.remember(
      { id: `m-${n % 10}`, text: `Memory ${n} about thing ${n % 7}`, type: "note" },
      { message: `write ${n}` },
    );
  await pal.remember("Prefers tea", { topic: "drink", sensitivity: "private" });
  await pal.tag("early");
  await pal.createBranch("work", { purpose: "trying" });
  const work = store.session({ agent: "bob", trust: "user", branch: "work" });
  await work.remember({ id: "of-work", text: "Only on work", type: "note" });
  await work.update("m-3", "Changed on work");
  await pal.update("m-3", "Changed on main");
  await pal.update("m-4", "Fourth");
  await pal.merge("work");
  await pal.forget("m-5");
  await pal.snapshot("kept");
  await pal.remember({ id: "m-5", text: "It is back", type: "note" });
  return pal;
}

/** Everything that a session can tell, to be compared. */
export async function told(store: Store): Promise<unknown> {
  const pal = store.session({ agent: "ada", trust: "user", branch: "main" });
  const work = store.session({ agent: "ada", trust: "user", branch: "work" });
  await new Promise((resume) => setImmediate(resume));
  return {
    list: await pal.list(),
    work: await work.list(),
    early: await pal.list({ at: "early" }),
    log: await pal.log({ limit: 1000 }),
    history: [await pal.history("m-3"), await pal.history("m-5")],
    ops: await pal.ops({ limit: 1000 }),
    branches: await pal.branches(),
    search: (await pal.search("memory thing")).hits.map(({ id }) => id),
    // What waits for a person is not part of what is told.
    stats: { ...(await pal.stats()), waiting: 0 },
  };
}
