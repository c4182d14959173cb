import { beforeAll, describe, expect, it } from "vitest";
import {
  commitsOf,
  type Dump,
  dump,
  everything,
  forge,
  load,
  openSeeded,
  readValue,
  withNodes,
  writeSome,
} from "../../test/_damage.js";
import { type Hash, hashCanonical } from "../core/base/hash.js";
import { canonical, type JsonObject } from "../core/base/json.js";
import type { Timestamp } from "../core/base/time.js";
import { encodeObject } from "../core/ledger/objects.js";
import { foldEvents } from "../core/ledger/state.js";
import type { Commit, LedgerEvent, MemoryRecord, Tombstone, Touch } from "../core/ledger/types.js";
import { EMPTY_ROOT } from "../core/merkle/node.js";
import { isNeed } from "../core/merkle/walk.js";
import { memoryStorage, type StoredObject } from "../storage/index.js";
import { verifyStore } from "./verify.js";

/** Histories whose hashes are all right, as somebody can make them who may write the file. */
const OTHER = "ab".repeat(32) as Hash;
let whole: Dump;
let kept: { root: string; head: string; scope: string };
beforeAll(async () => {
  const storage = memoryStorage();
  const store = await openSeeded(storage);
  const pal = everything(store);
  await writeSome(pal);
  const { root, head } = await store.verify();
  kept = { root, head, scope: (await pal.prove("key", { scope: "user/7" })).root };
  whole = withNodes(await dump(storage));
});

const verify = async (forged: Dump, since?: string) =>
  verifyStore(await load(forged), since === undefined ? {} : { since });
const names = async (forged: Dump, since?: string): Promise<string[]> => [
  ...new Set((await verify(forged, since)).problems.map(({ problem }) => problem)),
];
const last = () => commitsOf(whole).length - 1;
/** Changes the commit at one place of the history. */
const forgeAt = (place: number, edit: (commit: Commit) => Commit): Dump =>
  forge(whole, (commit, at) => (at === place ? edit(commit) : commit));
/** Changes the events of one commit, and its root too, so that it looks right. */
const forgeEvents = (place: number, edit: (events: LedgerEvent[]) => LedgerEvent[]): Dump =>
  forge(whole, (commit, at, put) => {
    if (at !== place) return commit;
    const { events } = readValue(whole, "changeset", commit.changeset);
    return { ...commit, changeset: put(edit([...events])) };
  });

describe("a forged history is found although every hash in it is right", () => {
  it("V50 forging nothing changes nothing", async () => {
    expect(await names(forge(whole, (commit) => commit))).toEqual([]);
  });

  it("V51 a wrong generation, time or beginning", async () => {
    for (let at = 1; at <= last(); at++) {
      const shifted = forgeAt(at, (commit) => ({ ...commit, generation: commit.generation + 1 }));
      expect(await names(shifted)).toEqual(["wrong-generation"]);
    }
    const old = "2020-01-01T00:00:00.000Z" as Timestamp;
    expect(await names(forgeAt(5, (commit) => ({ ...commit, time: old })))).toContain("wrong-time");
    const late = "2029-01-01T00:00:00.000Z" as Timestamp;
    expect(await names(forgeAt(5, (commit) => ({ ...commit, time: late })))).toContain("wrong-time");
    expect(await names(forgeAt(0, (commit) => ({ ...commit, branch: "other" as never })))).toEqual(
      expect.arrayContaining(["wrong-genesis"]),
    );
  });

  it("V52 a root that the changesets do not fold to, at any place", async () => {
    const roots = commitsOf(whole).map(({ commit }) => commit.root);
    for (let at = 1; at <= last(); at++) {
      expect(await names(forgeAt(at, (commit) => ({ ...commit, root: OTHER })))).toContain("wrong-root");
      const earlier = roots[at - 1] as Hash;
      expect(await names(forgeAt(at, (commit) => ({ ...commit, root: earlier })))).toContain("wrong-root");
    }
    expect(await names(forgeAt(last(), (commit) => ({ ...commit, root: EMPTY_ROOT })))).toContain(
      "wrong-root",
    );
  });

  it("V53 parents exchanged, left out or not there", async () => {
    const parents = (...given: Hash[]) => forgeAt(last(), (commit) => ({ ...commit, parents: given }));
    const [genesis] = commitsOf(whole);
    expect(await names(parents(OTHER))).toEqual(
      expect.arrayContaining(["commit-missing", "state-unverified"]),
    );
    expect(await names(parents())).toContain("wrong-genesis");
    expect(await names(parents(genesis?.hash as Hash))).toContain("wrong-generation");
    const skipping = forgeAt(last(), (commit) => ({
      ...commit,
      parents: [genesis?.hash as Hash],
      generation: 1,
    }));
    expect(await names(skipping)).toContain("wrong-root");
    const own = commitsOf(whole).at(-1)?.commit.parents ?? [];
    expect(await names(parents(...own, OTHER))).toContain("commit-missing");
    expect(await names(parents(...own, ...own))).toContain("object-malformed");
  });

  it("V54 a changeset exchanged, missing or changed", async () => {
    const commits = commitsOf(whole);
    expect(await names(forgeAt(4, (commit) => ({ ...commit, changeset: OTHER })))).toContain(
      "changeset-missing",
    );
    const other = commits[2]?.commit.changeset as Hash;
    expect(await names(forgeAt(4, (commit) => ({ ...commit, changeset: other })))).toContain("wrong-root");
    for (let at = 1; at <= last(); at++)
      expect((await names(forgeEvents(at, (events) => events.slice(1)))).join()).toMatch(
        /wrong-(root|before)/,
      );
    expect(await names(forgeAt(4, (commit) => ({ ...commit, note: OTHER })))).toEqual(["note-missing"]);
  });

  it("V55 events that do not fit the state or their own kind, though the root is right", async () => {
    const events = (at: number) =>
      readValue(whole, "changeset", commitsOf(whole)[at]?.commit.changeset as Hash);
    for (let at = 1; at <= last(); at++)
      for (const [place, event] of events(at).events.entries()) {
        const edit = (change: Partial<LedgerEvent>) =>
          forgeEvents(at, (all) => all.with(place, { ...event, ...change } as LedgerEvent));
        expect(await names(edit({ before: OTHER }))).toContain("wrong-before");
        const op = event.op === "forget" ? "modify" : "forget";
        expect(await names(edit({ op }))).toContain("wrong-op");
        if (event.before) expect(await names(edit({ before: undefined as never }))).toContain("wrong-before");
      }
  });

  it("V56 a record under a key that is not its own, folded and hashed again", async () => {
    // A valid record of another memory takes the place of the right one, and the root is made to fit.
    const nodes = new Map(whole.objects.filter(({ kind }) => kind === "node").map((o) => [o.hash, o.bytes]));
    const { scope } = whole.touch.at(-1) as Touch;
    for (const place of [scope, whole.touch.find((row) => row.scope !== scope)?.scope]) {
      const stolen = whole.touch.find((row) => row.scope === place && row.record)?.record as Hash;
      const forged = forgeEvents(last(), ([event]) => [{ ...(event as LedgerEvent), after: stolen }]);
      const [parent, head] = commitsOf(forged).slice(-2);
      const { events } = readValue(forged, "changeset", head?.commit.changeset as Hash);
      const folded = foldEvents(parent?.commit.root as Hash, events, (hash) => nodes.get(hash));
      if (isNeed(folded)) throw new Error("the nodes are there");
      const { root } = folded;
      const found = await names(
        forge(forged, (commit, at) => (at === last() ? { ...commit, root } : commit)),
      );
      expect(found).toContain("record-misplaced");
      expect(found).not.toContain("wrong-root");
    }
  });

  it("V57 objects that hash right and are not what they should be", async () => {
    const { hash } = whole.objects.find(({ kind }) => kind === "memory") as StoredObject;
    const record = readValue(whole, "memory", hash);
    const text = (value: unknown) => Buffer.from(JSON.stringify(value));
    const bad: [StoredObject["kind"], unknown][] = [
      ["memory", { ...record, extra: 1 }],
      ["memory", { ...record, sensitivity: "normal" }],
      ["memory", { ...record, tags: ["b", "a"] }],
      ["memory", { ...record, tags: [] }],
      ["memory", { ...record, scope: "no scope" }],
      ["memory", { ...record, id: " x" }],
      ["memory", { ...record, confidence: 2 }],
      ["memory", { ...record, expiresAt: "2026-99-99T00:00:00.000Z" }],
      ["memory", { ...record, origin: {} }],
      ["memory", { ...record, text: undefined }],
      ["memory", []],
      ["note", { message: 1 }],
      ["note", "text"],
      ["changeset", { events: [{ op: "add" }] }],
      ["commit", { v: 2 }],
      ["operation", null],
      ["tombstone", {}],
    ];
    for (const [kind, value] of bad) {
      const written = canonical(value as JsonObject);
      const object = { kind, hash: hashCanonical(kind, written), bytes: Buffer.from(written) };
      const found = await names({ ...whole, objects: [...whole.objects, object] });
      expect(found, JSON.stringify([kind, value])).toEqual(["object-malformed"]);
    }
    const { hashBytes } = await import("../core/base/hash.js");
    for (const bytes of [
      text({ b: 1, a: 2 }),
      Buffer.from('{"a": 1}'),
      Buffer.from('{"__proto__":1}'),
      Buffer.from([0x22, 0xff, 0x22]),
      Buffer.from(`${"[".repeat(200)}${"]".repeat(200)}`),
      Buffer.from("no json"),
      Buffer.alloc(0),
    ]) {
      const object = { kind: "note", hash: hashBytes("note", bytes), bytes } as const;
      expect(await names({ ...whole, objects: [...whole.objects, object] })).toEqual([
        "object-not-canonical",
      ]);
    }
    const node = Buffer.from([0, 1, 2]);
    const object = { kind: "node", hash: hashBytes("node", node), bytes: node } as const;
    expect(await names({ ...whole, objects: [...whole.objects, object] })).toEqual(["node-malformed"]);
  });
});

describe("since", () => {
  it("V60 a commit, root or scope root that somebody kept is found by its whole hash", async () => {
    for (const hash of [kept.root, kept.head, kept.scope, EMPTY_ROOT])
      for (const given of [hash, ` ${hash.toUpperCase()}`])
        expect(await names(whole, given), given).toEqual([]);
    const first = commitsOf(whole)[3];
    expect(await names(whole, first?.hash)).toEqual([]);
    expect(await names(whole, first?.commit.root)).toEqual([]);
  });

  it("V61 a rewritten history, another store and an empty one do not hold it", async () => {
    const other = memoryStorage();
    await writeSome(everything(await openSeeded(other)), "Another leaf");
    const rewritten = await dump(other);
    for (const given of [kept.root, kept.head]) {
      expect((await verify(rewritten, given)).problems).toMatchObject([
        { problem: "HISTORY_CHANGED", severity: "error", object: given },
      ]);
      expect((await verifyStore(memoryStorage(), { since: given })).ok).toBe(false);
    }
    // A scope that the change did not reach still has its root.
    expect(await names(rewritten, kept.scope)).toEqual([]);
    expect(await names(whole, OTHER)).toEqual(["HISTORY_CHANGED"]);
  });

  it("V62 a branch set back behind what was kept does not hold it", async () => {
    const back = { ...whole, refs: new Map([["heads/main", { target: commitsOf(whole)[4]?.hash as Hash }]]) };
    expect(await names(back, kept.head)).toContain("HISTORY_CHANGED");
    expect(await names(back, kept.root)).toContain("HISTORY_CHANGED");
    expect(await names(back, kept.scope)).toContain("HISTORY_CHANGED");
    // Nor does a tag count: a history is what a branch has.
    back.refs.set("tags/kept", { target: kept.head as Hash });
    expect(await names(back, kept.head)).toContain("HISTORY_CHANGED");
    expect(await names(back, kept.scope)).toContain("HISTORY_CHANGED");
  });

  it("V63 what is no hash is refused", async () => {
    for (const given of ["", "abc", "main", "g".repeat(64), "a".repeat(65)])
      await expect(verify(whole, given)).rejects.toMatchObject({ code: "INVALID_HASH" });
  });

  it("V660 a commit shows that nothing before it was changed, a root only that its state was there", async () => {
    const { since } = await verify(whole, kept.head);
    expect(since).toMatchObject({ kept: kept.head, is: "commit", branches: ["main"], provesHistory: true });
    for (const [given, is] of [
      [kept.root, "state"],
      [kept.scope, "scope"],
      [OTHER, "unknown"],
    ] as const) {
      const report = await verify(whole, given);
      expect(report.since).toMatchObject({ kept: given, is, provesHistory: false });
      expect(report.since).not.toHaveProperty("branches");
    }
    expect(await verify(whole)).not.toHaveProperty("since");
  });

  it("V660 of two histories that end in one state the root tells nothing, and the commit which it is", async () => {
    // Somebody writes the past anew so that it ends where the true one did.
    const rewritten = forgeAt(1, (commit) => ({ ...commit, author: { kind: "user", id: "mallory" } }));
    const { root, head } = await verify(rewritten);
    expect([root, head === kept.head]).toEqual([kept.root, false]);
    const byRoot = await verify(rewritten, kept.root);
    expect(byRoot.since).toMatchObject({ is: "state", provesHistory: false });
    expect(byRoot.since?.says).toMatch(/was there.*two histories can end in one/);
    const byCommit = await verify(rewritten, kept.head);
    expect(byCommit.ok).toBe(false);
    expect(byCommit.since).toMatchObject({ is: "unknown", provesHistory: false });
  });

  it("V661 a commit that only another branch still rests on is not said to be the past of this one", async () => {
    const rewritten = forgeAt(1, (commit) => ({ ...commit, author: { kind: "user", id: "mallory" } }));
    const both: Dump = {
      ...rewritten,
      objects: [...new Map([...rewritten.objects, ...whole.objects].map((one) => [one.hash, one])).values()],
      refs: new Map([...rewritten.refs, ["heads/aside", { target: kept.head as Hash }]]),
    };
    const { since } = await verify(both, kept.head);
    expect(since).toMatchObject({ is: "commit", branches: ["aside"] });
    expect(since?.says).toContain("in the history of aside, but not of main:");
  });

  it("V63 less than a whole hash is refused, and what to keep instead is said", async () => {
    for (const length of [7, 12, 40, 63])
      await expect(verify(whole, kept.head.slice(0, length))).rejects.toMatchObject({
        code: "INVALID_HASH",
        hint: expect.stringMatching(/met by trying.*Give all 64 digits.*`pal verify`/),
      });
  });
});

describe("erased memories", () => {
  /** What an erase leaves: a tombstone under a ref, the bytes of the versions and of their commits' notes gone. */
  function erase(remove: boolean): Dump {
    const hash = whole.touch.find(({ record }) => record)?.record as Hash;
    const { scope, id } = whole.touch[0] as { scope: Hash; id: Hash };
    const versions = whole.touch.filter((row) => row.scope === scope && row.id === id);
    const records = versions.flatMap(({ record }) => record ?? []);
    const notes = versions.flatMap(({ commit }) => readValue(whole, "commit", commit).note ?? []);
    expect([records.includes(hash), records.length, notes.length]).toEqual([true, 2, 1]);
    const tombstone = encodeObject("tombstone", {
      v: 1,
      scope,
      id,
      records,
      textDigest: "digest",
      time: "2026-03-02T00:00:00.000Z" as Timestamp,
      author: { kind: "operator", id: "orion" },
    } satisfies Tombstone);
    const operation = encodeObject("operation", {
      v: 1,
      verb: "erase",
      refs: [{ name: "erased/1", after: tombstone.hash }],
      time: "2026-03-02T00:00:00.000Z" as Timestamp,
      author: { kind: "operator", id: "orion" },
    });
    const gone = new Set<Hash>(remove ? [...records, ...notes] : []);
    return {
      ...whole,
      objects: [...whole.objects.filter((object) => !gone.has(object.hash)), tombstone, operation],
      refs: new Map([...whole.refs, ["erased/1", { target: tombstone.hash }]]),
      ops: [...whole.ops, operation.hash],
    };
  }

  it("V70 what a tombstone explains is counted and no problem", async () => {
    expect(await verify(erase(true))).toMatchObject({ ok: true, problems: [], erased: 3 });
  });

  it("V71 bytes that should be gone and are not are a problem", async () => {
    expect(await names(erase(false))).toEqual(["erased-still-stored"]);
  });

  it("V72 without the tombstone they are missing", async () => {
    const erased = erase(true);
    erased.refs.delete("erased/1");
    expect(await names(erased)).toEqual(
      expect.arrayContaining(["record-missing", "note-missing", "ref-moved"]),
    );
    expect((await verify(erased)).erased).toBe(0);
  });

  it("V73 a text that only the records can tell is not needed", async () => {
    const record = readValue(whole, "memory", whole.touch[0]?.record as Hash) as MemoryRecord;
    const bytes = erase(true).objects.map((object) => Buffer.from(object.bytes).toString("latin1"));
    expect(bytes.some((text) => text.includes(record.text))).toBe(false);
  });
});
