import { beforeAll, describe, expect, it, vi } from "vitest";
import {
  answers,
  changed,
  type Dump,
  dump,
  everything,
  flipped,
  isHonest,
  load,
  openSeeded,
  seeded,
  withNodes,
  writeSome,
} from "../../test/_damage.js";
import type { Hash } from "../core/base/hash.js";
import { memoryStorage, type Storage, type StoredObject } from "../storage/index.js";
import { takeInventory } from "./objects.js";
import { Pace } from "./pace.js";
import { Findings } from "./problems.js";
import { verifyStore } from "./verify.js";

/** With PAL_TORTURE=1 every case goes through the whole of verify, otherwise a sample of them. */
const EVERY = process.env.PAL_TORTURE ? 1 : 16;
if (EVERY === 1) vi.setConfig({ testTimeout: 600_000 });
const finder = (at: number) => (at % EVERY === 0 ? problemsOf : foundInObjects);

const IDS = ["tree", "leaf-1", "leaf-2", "diary", "twice", "brief"];
let whole: Dump;
let storage: Storage;
let right: Map<string, unknown>;
let ids: string[];
const random = seeded(20261115);

beforeAll(async () => {
  const made = memoryStorage();
  await writeSome(everything(await openSeeded(made)));
  whole = withNodes(await dump(made));
  storage = await load(whole);
  const pal = everything(await openSeeded(storage));
  ids = [...new Set([...IDS, ...(await pal.list()).map(({ id }) => id)])];
  right = await answers(pal, ids);
});

const problemsOf = async (changes: ReadonlyMap<Hash, Uint8Array | null>) =>
  (await verifyStore(changed(storage, changes), {})).problems;

/** What reading the objects finds, without the checks that follow. */
async function foundInObjects(changes: ReadonlyMap<Hash, Uint8Array | null>) {
  const findings = new Findings();
  await takeInventory(changed(storage, changes), Number.MAX_SAFE_INTEGER, findings, new Pace(undefined));
  return findings.list();
}

/** Every object that is long enough is damaged at once: each of them must be named. */
async function expectAllNamed(
  damage: (object: StoredObject) => Uint8Array | undefined,
  find = problemsOf,
): Promise<void> {
  const changes = new Map<Hash, Uint8Array>();
  for (const object of whole.objects) {
    const bytes = damage(object);
    if (bytes) changes.set(object.hash, bytes);
  }
  const named = new Set((await find(changes)).map(({ problem, object }) => `${problem} ${object}`));
  for (const { hash, kind } of whole.objects)
    if (changes.has(hash) && !named.has(`${kind === "node" ? "node" : "object"}-damaged ${hash}`))
      expect.fail(`${kind} ${hash} is not named`);
}

describe("objects", () => {
  it("V10 a changed byte is found, in every object, at every place", async () => {
    const longest = Math.max(...whole.objects.map(({ bytes }) => bytes.length));
    for (let at = 0; at < longest; at++) {
      const bit = Math.floor(random() * 8);
      await expectAllNamed(
        ({ bytes }) => (at < bytes.length ? flipped(bytes, at, bit) : undefined),
        finder(at),
      );
    }
    expect(new Set(whole.objects.map(({ kind }) => kind)).size).toBe(6);
  });

  it("V11 each of the eight bits, one object at a time", async () => {
    for (const { hash, bytes } of whole.objects.filter((_, at) => EVERY === 1 || at % 5 === 0)) {
      const at = Math.floor(random() * bytes.length);
      for (let bit = 0; bit < 8; bit++)
        expect((await problemsOf(new Map([[hash, flipped(bytes, at, bit)]]))).map((p) => p.object)).toContain(
          hash,
        );
    }
  });

  it("V12 a cut-off object is found, whatever its length", async () => {
    const longest = Math.max(...whole.objects.map(({ bytes }) => bytes.length));
    for (let length = 0; length < longest; length++)
      await expectAllNamed(
        ({ bytes }) => (length < bytes.length ? bytes.slice(0, length) : undefined),
        finder(length),
      );
    await expectAllNamed(({ bytes }) => Buffer.concat([bytes, Buffer.alloc(1)]));
  });

  it("V13 a missing object is found; a missing node is none, because it can be folded again", async () => {
    for (const { hash, kind } of whole.objects) {
      const problems = await problemsOf(new Map([[hash, null]]));
      if (kind === "node") expect(problems).toEqual([]);
      else expect(problems.some(({ severity }) => severity === "error")).toBe(true);
    }
    const nodes = whole.objects.filter(({ kind }) => kind === "node");
    expect(await problemsOf(new Map(nodes.map(({ hash }) => [hash, null])))).toEqual([]);
  });

  it("V14 an object in the place of another is found", async () => {
    for (const kind of new Set(whole.objects.map((object) => object.kind))) {
      const [one, other] = whole.objects.filter((object) => object.kind === kind) as [
        StoredObject,
        StoredObject,
      ];
      const named = (await problemsOf(new Map([[one.hash, other.bytes]]))).map(({ object }) => object);
      expect(named).toContain(one.hash);
    }
  });

  it("V15 damage to a node changes no other finding, damage to a changeset does not hide later damage", async () => {
    const nodes = whole.objects.filter(({ kind }) => kind === "node");
    const problems = await problemsOf(new Map(nodes.map(({ hash, bytes }) => [hash, flipped(bytes, 0, 0)])));
    expect(new Set(problems.map(({ problem }) => problem))).toEqual(new Set(["node-damaged"]));
    const changesets = whole.objects.filter(({ kind }) => kind === "changeset");
    const [early, late] = [changesets[2], whole.touch.findLast(({ record }) => record)] as const;
    const both = await problemsOf(
      new Map([
        [early!.hash, null],
        [late!.record!, null],
      ]),
    );
    expect(both.map(({ problem }) => problem)).toEqual(
      expect.arrayContaining(["changeset-missing", "state-unverified", "record-missing"]),
    );
    expect(both.map(({ problem }) => problem)).not.toContain("wrong-root");
  });

  it("V16 a state that can neither be folded nor read is lost", async () => {
    const changeset = whole.objects.findLast(({ kind }) => kind === "changeset");
    const nodes = whole.objects.filter(({ kind }) => kind === "node");
    const problems = await problemsOf(new Map([changeset!, ...nodes].map(({ hash }) => [hash, null])));
    expect(problems.map(({ problem }) => problem)).toContain("state-lost");
  });
});

describe("a session on a damaged store", () => {
  it("V18 answers rightly, with a typed error, or leaves something out and says so", async () => {
    const wrong: string[] = [];
    for (const { hash, kind, bytes } of whole.objects)
      for (const damage of [
        flipped(bytes, Math.floor(random() * bytes.length), 3),
        bytes.slice(0, -1),
        null,
      ]) {
        const store = await openSeeded(changed(storage, new Map([[hash, damage]])));
        for (const [name, answer] of await answers(everything(store), ids))
          if (!isHonest(name, answer, right.get(name), store.damaged))
            wrong.push(`${kind} ${damage ? "damaged" : "missing"}: ${name} ${String(answer).slice(0, 80)}`);
      }
    expect(wrong).toEqual([]);
  });
});
