import { expect, it } from "vitest";
import { object, transaction } from "../contract/data.js";
import type { Transaction } from "../port.js";
import { codeOf, problemsOf, testStore } from "./_store.js";

/** Commits of one row that move one ref: the first object is what the ref names. */
const [zero, one, two, three, four] = Array.from({ length: 5 }, (_, n) => object("commit", `commit ${n}`));
const move = (from: typeof one, to: typeof one, part: Partial<Transaction> = {}): Transaction =>
  transaction({
    put: [to!],
    refs: [{ name: "heads/main", expect: from ? from.hash : null, next: { target: to!.hash } }],
    ...part,
  });

it("a commit of one row is judged by the store as it is, whatever its process knows of it", async () => {
  const { open, sql } = await testStore();
  const [ours, theirs] = [open(), open()];
  const meta = { persona: "p" };
  const first = { name: "heads/main", expect: null, next: { target: zero!.hash, meta } };
  expect(await ours.transact(transaction({ put: [zero!], refs: [first] }))).toBe("ok");
  expect(await ours.transact(move(zero, one))).toBe("ok");
  expect(await theirs.transact(move(one, two))).toBe("ok");
  // The other one moved the ref, and took the number of the row that this process would write next.
  expect(await ours.transact(move(one, three))).toBe("stale");
  expect(await ours.get(three!.hash)).toBeUndefined();
  expect(await theirs.transact(move(two, three))).toBe("ok");
  expect(await ours.transact(move(three, four))).toBe("ok");
  expect(await ours.transact(move(three, one))).toBe("stale");
  for (const storage of [ours, theirs]) {
    expect(await storage.ref("heads/main")).toEqual({ target: four!.hash, meta });
    expect(await storage.version()).toEqual({ seq: 5, epoch: 0 });
    expect(await storage.missing([zero, one, two, three, four].map((item) => item!.hash))).toEqual([]);
  }
  await sql((db) => db.exec("UPDATE meta SET value = 1 WHERE key = 'epoch'"));
  expect(await ours.transact(move(four, one))).toBe("stale");
  expect(await ours.transact(move(four, one, { epoch: 1 }))).toBe("ok");
  expect(await problemsOf(ours)).toEqual([]);
});

it("on a full disk it is refused whole, and the process goes on", async () => {
  const { open } = await testStore();
  const roomy = open();
  await roomy.transact(move(undefined, zero));
  await roomy.transact(move(zero, one));
  await roomy.close();
  const storage = open({ maxPages: 40 });
  let at = one;
  const codes = new Set<unknown>();
  for (let n = 0; n < 60; n++) {
    const next = object("commit", `${n} ${"x".repeat(400)}`);
    const code = await codeOf(storage.transact(move(at, next)));
    codes.add(code);
    if (code === "no error") at = next;
    else expect(await storage.missing([next.hash])).toEqual([next.hash]);
  }
  expect(codes).toEqual(new Set(["no error", "STORE_FULL"]));
  expect((await storage.ref("heads/main"))?.target).toBe(at!.hash);
  expect(await problemsOf(storage)).toEqual([]);
});

it("while another process holds the lock it waits for it", async () => {
  const { open } = await testStore();
  const [ours, theirs] = [open(), open()];
  await ours.transact(move(undefined, zero));
  await ours.transact(move(zero, one));
  let isFree = false;
  let written: Promise<string> | undefined;
  await theirs.exclusive(async () => {
    written = ours.transact(move(one, two)).then((result) => `${result}, ${isFree}`);
    await new Promise((resume) => setTimeout(resume, 60));
    isFree = true;
  });
  expect(await written).toBe("ok, true");
});
