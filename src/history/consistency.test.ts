import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { load } from "../../test/_damage.js";
import { testStore } from "../../test/_worlds.js";
import { MAIN } from "../core/base/names.js";
import type { Timestamp } from "../core/base/time.js";
import { buildCommit, GENESIS, GENESIS_CHANGESET, GENESIS_TIP, type Tip } from "../core/ledger/commit.js";
import { EMPTY_ROOT } from "../core/merkle/node.js";
import { MAX_COMMITS, readProof, verifyConsistency, verifyProof } from "../core/merkle/proof.js";
import type { Session, Store } from "../session/index.js";
import { memoryStorage, type StoredObject, sqliteStorage } from "../storage/index.js";

const base = mkdtempSync(join(tmpdir(), "pal-consistency-"));
afterAll(() => rmSync(base, { recursive: true }));
let places = 0;
const STORAGES = {
  "in memory": () => memoryStorage(),
  "on SQLite": () => sqliteStorage(join(base, `${places++}`)),
};

/** A session from which nothing is hidden. */
const whole = (store: Store): Session => store.session({ scopes: ["*"], clearance: "confidential" });

/** Every commit with its parents, as anybody can read them. */
async function commitsOf(session: Session): Promise<Map<string, readonly string[]>> {
  const commits = await session.graph({ limit: 1000 });
  return new Map<string, readonly string[]>([
    [GENESIS.hash, []],
    ...commits.map(({ commit, parents }) => [commit, parents] as const),
  ]);
}

function restsOn(commits: ReadonlyMap<string, readonly string[]>, head: string, old: string): boolean {
  const above = new Set([head]);
  for (const at of above) for (const parent of commits.get(at) ?? []) above.add(parent);
  return above.has(old);
}

describe.each(Object.entries(STORAGES))("a proof of consistency, %s", (_name, storage) => {
  test("U660 it is made for every two commits of which one rests on the other, and for no other two", async () => {
    const step = fc.constantFrom("write", "write", "branch", "switch", "merge", "forget");
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
        const { store } = await testStore(storage());
        const pal = whole(store);
        const names = ["main"];
        for (const [at, step] of steps.entries())
          if (step === "branch") {
            names.push((await pal.createBranch(`b${at}`)).name);
            await pal.checkout(`b${at}`);
          } else if (step === "switch") await pal.checkout(names[at % names.length] ?? "main");
          else if (step === "merge") {
            const current = (await pal.branches()).find(({ current }) => current)?.name;
            const other = names.find((name) => name !== current);
            if (other !== undefined) await pal.merge(other);
          } else if (step === "forget") await pal.forget("m0").catch(() => undefined);
          else await pal.remember(`The ${at} words`, { id: `m${at % 3}` });
        const commits = await commitsOf(pal);
        for (const head of commits.keys())
          for (const old of commits.keys()) {
            if (head === GENESIS.hash && old !== GENESIS.hash) continue;
            if (!restsOn(commits, head, old)) {
              await expect(pal.proveConsistency(old, head)).rejects.toMatchObject({ code: "NOT_IN_HISTORY" });
              continue;
            }
            const proof = await pal.proveConsistency(old, head);
            const verdict = verifyConsistency(JSON.parse(JSON.stringify(proof)), { old, new: head });
            expect(verdict).toMatchObject({ ok: true, old, new: head, kept: true });
          }
        await store.close();
      }),
      { numRuns: 12 },
    );
  });

  test("U660 it leads to the present head unless told otherwise, also when the past was thinned or erased", async () => {
    const { store } = await testStore(storage());
    const pal = whole(store);
    await pal.remember("Likes tea", { id: "tea", message: "said at lunch" });
    const { head: old, root } = await store.verify();
    for (let at = 0; at < 20; at++) await pal.remember(`Fact number ${at}`);
    await store
      .session({ scopes: ["*"], clearance: "confidential", trust: "operator" })
      .erase({ ids: ["tea"] });
    await store.compact({ dropOld: true });
    const { head } = await store.verify();
    const proof = await pal.proveConsistency(old);
    expect(verifyConsistency(proof, { old, new: head })).toMatchObject({ ok: true, oldState: root });
    expect(JSON.stringify(proof)).not.toMatch(/tea|lunch|Fact/);
    await store.close();
  });
});

test("U661 it is refused to a session that something could be hidden from, whatever it asks, in the same words", async () => {
  const { store } = await testStore();
  const pal = whole(store);
  await pal.remember("Likes tea", { scope: "shared" });
  const { head: old } = await store.verify();
  await pal.remember("Out of sight", { scope: "project/secret" });
  const refusals = new Set<string>();
  for (const session of [
    store.session(),
    store.session({ scopes: ["*"] }),
    store.session({ scopes: ["shared", "project/*", "agent/*", "every/*"], clearance: "confidential" }),
    store.session({ scopes: ["shared"], clearance: "confidential" }),
  ])
    for (const [from, to] of [
      [old],
      [old, "main"],
      ["0".repeat(64)],
      [GENESIS.hash],
      ["short"],
      [old, "nowhere"],
    ] as const) {
      const error = await session.proveConsistency(from as string, to).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: "REFUSED" });
      refusals.add(JSON.stringify(error));
    }
  expect(refusals.size).toBe(1);
});

test("U662 only a whole hash is taken for what was kept, and what does not rest on it is told apart", async () => {
  const { store } = await testStore();
  const pal = whole(store);
  await pal.remember("Likes tea");
  const { head: old } = await store.verify();
  await pal.remember("Likes coffee");
  const { head } = await store.verify();
  for (const part of ["", old.slice(0, 7), old.slice(0, 63), "main", old.toUpperCase()])
    await expect(pal.proveConsistency(part)).rejects.toMatchObject({
      code: "INVALID_HASH",
      hint: expect.stringContaining("64"),
    });
  await expect(pal.proveConsistency("0".repeat(64))).rejects.toMatchObject({
    code: "NOT_IN_HISTORY",
    hint: expect.stringContaining("pal verify --since"),
  });
  await expect(pal.proveConsistency(head, old)).rejects.toMatchObject({
    code: "NOT_IN_HISTORY",
    hint: expect.stringContaining("the older head comes first"),
  });
});

test("U664 a way that is too long is refused with a commit at which it can be made in two stages", async () => {
  const objects: StoredObject[] = [];
  let at: Tip = GENESIS_TIP;
  const now = "2026-03-01T12:00:00.000Z" as Timestamp;
  const author = { kind: "user", id: "ann" } as const;
  for (let step = 0; step < MAX_COMMITS + 2; step++) {
    const made = buildCommit({ parents: [at], root: EMPTY_ROOT, events: [], now, author, branch: MAIN });
    objects.push(made.commit);
    at = made.tip;
  }
  objects.push(GENESIS, GENESIS_CHANGESET);
  const refs = new Map([["heads/main", { target: at.hash }]]);
  const { store } = await testStore(await load({ objects, refs, touch: [], ops: [] }));
  const pal = whole(store);
  const refused = (await pal.proveConsistency(GENESIS.hash).catch((error: unknown) => error)) as {
    readonly code: string;
    readonly hint: string;
    readonly data: { readonly between: string };
  };
  const { between } = refused.data;
  expect(refused.code).toBe("REFUSED");
  expect(refused.hint).toContain(`from ${GENESIS.hash} to ${between}`);
  for (const [old, head] of [
    [GENESIS.hash, between],
    [between, at.hash],
  ] as const) {
    const text = JSON.stringify(await pal.proveConsistency(old, head));
    const read = readProof(text);
    expect(verifyConsistency(read.ok && read.proof, { old, new: head })).toMatchObject({ ok: true });
  }
});

test("U663 a proof of a memory goes on to the commit for a session that sees everything, and for no other", async () => {
  const { store } = await testStore();
  await whole(store).remember("Likes tea", { id: "tea", scope: "shared" });
  const { head, root } = await store.verify();
  for (const id of ["tea", "absent"]) {
    const proof = await whole(store).prove(id);
    expect(verifyProof(JSON.parse(JSON.stringify(proof)), { root: head })).toMatchObject({
      ok: true,
      anchor: "commit",
      commit: head,
      state: root,
      present: id === "tea",
      scope: "shared",
    });
    const everywhere = await store.session({ scopes: ["*"] }).prove(id);
    expect(everywhere).toMatchObject({ v: 1, state: { root } });
    expect(everywhere).not.toHaveProperty("commit");
    // A pattern that an invented scope would fit is not every scope.
    for (const scopes of [["shared"], ["shared", "every/*"], ["shared", "project/*"]]) {
      const narrow = await store.session({ scopes, clearance: "confidential" }).prove(id);
      expect(narrow.v).toBe(1);
      expect(narrow).not.toHaveProperty("state");
      expect(narrow).not.toHaveProperty("commit");
    }
  }
});
