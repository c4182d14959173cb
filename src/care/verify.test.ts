import { beforeAll, describe, expect, it } from "vitest";
import {
  commitsOf,
  type Dump,
  dump,
  everything,
  load,
  openSeeded,
  withNodes,
  writeSome,
} from "../../test/_damage.js";
import type { Hash } from "../core/base/hash.js";
import type { Timestamp } from "../core/base/time.js";
import { CHECKPOINT_EVERY, GENESIS } from "../core/ledger/commit.js";
import { encodeObject } from "../core/ledger/objects.js";
import type { Touch } from "../core/ledger/types.js";
import { EMPTY_ROOT } from "../core/merkle/node.js";
import { memoryStorage, type Storage } from "../storage/index.js";
import { PROBLEMS } from "./problems.js";
import { verifyStore } from "./verify.js";

const OTHER = "ab".repeat(32) as Hash;
let whole: Dump;
beforeAll(async () => {
  const storage = memoryStorage();
  await writeSome(everything(await openSeeded(storage)));
  whole = withNodes(await dump(storage));
});

/** The names of what is found in a store that differs from the whole one. */
async function found(change: (copy: Dump) => void): Promise<string[]> {
  const copy = { ...structuredClone(whole), refs: new Map(whole.refs), objects: [...whole.objects] };
  change(copy);
  const report = await verifyStore(await load(copy), {});
  expect(report.ok).toBe(report.problems.every(({ severity }) => severity === "note"));
  return [...new Set(report.problems.map(({ problem }) => problem))];
}

const main = () => whole.refs.get("heads/main")?.target as Hash;
const tip = (back: number) => commitsOf(whole).at(-1 - back)?.hash as Hash;

describe("a whole store", () => {
  it("V1 an empty store is whole and has the empty root", async () => {
    expect(await verifyStore(memoryStorage(), {})).toEqual({
      ok: true,
      root: EMPTY_ROOT,
      head: GENESIS.hash,
      objects: 0,
      commits: 0,
      memories: 0,
      erased: 0,
      problems: [],
    });
  });

  it("V2 an intact store has no problems, and is counted", async () => {
    const store = await openSeeded(await load(whole));
    const pal = everything(store);
    const { root, head } = await pal.stats();
    const report = await store.verify();
    expect(report).toMatchObject({ ok: true, root, head, problems: [], erased: 0 });
    expect(report.objects).toBe(whole.objects.length);
    expect(report.commits).toBe(commitsOf(whole).length);
    expect(report.memories).toBe((await pal.list()).length);
    expect(whole.objects.length).toBeGreaterThan(60);
  });

  it("V3 a long history with checkpoints is whole, with all of its nodes or none", async () => {
    const storage = memoryStorage();
    const store = await openSeeded(storage);
    const pal = everything(store);
    for (let at = 0; at < 2.5 * CHECKPOINT_EVERY; at++) {
      if (at % 5 === 4) await pal.forget(`m${at - 2}`);
      else if (at % 5 === 3) await pal.update(`m${at - 2}`, `Memory ${at - 2}, later`);
      else await pal.remember({ id: `m${at}`, text: `Memory ${at}`, scope: at % 2 ? "shared" : "user/1" });
    }
    const report = await store.verify();
    expect(report).toMatchObject({ ok: true, problems: [], commits: 641, memories: 256 });
    const bare = await dump(storage);
    bare.objects = bare.objects.filter(({ kind }) => kind !== "node");
    expect(await verifyStore(await load(bare), {})).toEqual({ ...report, objects: bare.objects.length });
  });

  it("V4 progress is shown, ends at the total, and the event loop runs on", async () => {
    const storage = memoryStorage();
    const pal = everything(await openSeeded(storage));
    await pal.rememberMany(Array.from({ length: 3000 }, (_, at) => `Fact number ${at}`));
    const steps: [number, number | undefined][] = [];
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await verifyStore(storage, { onProgress: (done, total) => steps.push([done, total]) });
    clearInterval(timer);
    expect(steps.length).toBeGreaterThan(1);
    expect(turns).toBeGreaterThan(0);
    expect(steps.map(([done]) => done)).toEqual(steps.map(([done]) => done).toSorted((a, b) => a - b));
    expect(steps.at(-1)?.[0]).toBe(steps.at(-1)?.[1]);
  });

  it("V5 writes that happen meanwhile are no problem", async () => {
    const storage = await load(whole);
    const pal = everything(await openSeeded(storage, 99));
    let writes = 0;
    const busy = new Proxy(storage, {
      get: (target, name) => {
        const value = target[name as keyof Storage];
        if (typeof value !== "function") return value;
        if (name === "scan")
          return async function* () {
            for await (const object of target.scan()) {
              if (writes < 40)
                await pal.remember({ id: `w${writes++}`, text: `Written meanwhile ${writes}` });
              yield object;
            }
          };
        if (name !== "touchSince" && name !== "opsBefore") return value.bind(target);
        return async (...args: never[]) => {
          await pal.remember({ id: `w${writes++}`, text: `Written meanwhile ${writes}` });
          return (value as (...given: never[]) => unknown).apply(target, args);
        };
      },
    });
    expect((await verifyStore(busy, {})).problems).toEqual([]);
    expect(writes).toBeGreaterThan(10);
    expect((await verifyStore(storage, {})).problems).toEqual([]);
  });

  it("V6 every problem has a name of its own and a meaning", () => {
    for (const [name, [severity, meaning]] of Object.entries(PROBLEMS)) {
      expect(name).toMatch(/^([a-z]+(-[a-z]+)*|[A-Z]+(_[A-Z]+)*)$/);
      expect(["error", "warning", "note"]).toContain(severity);
      expect(meaning).toMatch(/\.$/);
    }
  });
});

describe("refs", () => {
  it("V20 a ref moved to another commit is found", async () => {
    for (let back = 1; back < 5; back++)
      expect(await found(({ refs }) => refs.set("heads/main", { target: tip(back) }))).toContain("ref-moved");
    expect(await found(({ refs }) => refs.set("heads/main", { target: GENESIS.hash }))).toContain(
      "ref-moved",
    );
  });

  it("V21 a ref to nothing, or to something that is no commit, is found", async () => {
    const { objects } = whole;
    for (const target of [OTHER, ...objects.filter(({ kind }) => kind !== "commit").map(({ hash }) => hash)])
      expect(await found(({ refs }) => refs.set("heads/main", { target }))).toContain("ref-dangling");
    expect(await found(({ refs }) => refs.set("erased/x", { target: main() }))).toContain("ref-dangling");
  });

  it("V22 a ref renamed, deleted or added is found", async () => {
    const renamed = await found(({ refs }) => {
      refs.delete("heads/main");
      refs.set("heads/other", { target: main() });
    });
    expect(renamed).toEqual(expect.arrayContaining(["ref-moved", "ref-unlogged"]));
    expect(await found(({ refs }) => refs.delete("heads/main"))).toEqual(
      expect.arrayContaining(["ref-moved", "unreachable-objects"]),
    );
    expect(await found(({ refs }) => refs.set("tags/v1", { target: tip(2) }))).toEqual(["ref-unlogged"]);
  });
});

describe("touch rows", () => {
  it("V30 a row that is missing is found, whichever it is", async () => {
    for (let at = 0; at < whole.touch.length; at++)
      expect(await found(({ touch }) => touch.splice(at, 1))).toContain("touch-missing");
    expect(await found((copy) => (copy.touch = []))).toEqual(["touch-missing"]);
  });

  it("V31 a row of which any field was changed is found", async () => {
    const changes: { [K in keyof Required<Touch>]: Touch[K] } = {
      scope: OTHER,
      id: OTHER,
      op: "observe",
      record: OTHER,
      commit: tip(0),
      generation: 99,
      time: "2020-01-01T00:00:00.000Z" as Timestamp,
      author: { kind: "system", id: "somebody" },
      version: 77,
      created: "2020-01-01T00:00:00.000Z" as Timestamp,
      sensitivity: "confidential",
      links: [OTHER],
    };
    for (let at = 0; at < whole.touch.length; at++)
      for (const [field, value] of Object.entries(changes)) {
        const row = whole.touch[at] as Touch;
        if (JSON.stringify(row[field as keyof Touch]) === JSON.stringify(value)) continue;
        const names = await found(({ touch }) => (touch[at] = { ...row, [field]: value }));
        expect(names.join(), `${field} of row ${at}`).toMatch(/touch-(missing|extra|different)/);
      }
    const [first] = whole.touch as [Touch];
    for (const author of [
      { ...first.author, id: "x" },
      { ...first.author, kind: "user" as const },
    ])
      expect(await found(({ touch }) => (touch[0] = { ...first, author }))).toEqual(["touch-different"]);
    const linked = whole.touch.findIndex(({ links }) => links.length > 0);
    expect(await found(({ touch }) => (touch[linked] = { ...(touch[linked] as Touch), links: [] }))).toEqual([
      "touch-different",
    ]);
  });

  it("V33 of a version that was there twice the last one counts", async () => {
    const storage = memoryStorage();
    const pal = everything(await openSeeded(storage));
    await pal.remember({ id: "x", text: "One" });
    for (const text of ["Two", "One", "Three"]) await pal.update("x", text);
    const copy = await dump(storage);
    const [first, , third, last] = copy.touch as [Touch, Touch, Touch, Touch];
    expect([third.record, last.version]).toEqual([first.record, 4]);
    copy.touch[3] = { ...last, version: 2 };
    const { problems } = await verifyStore(await load(copy), {});
    expect(problems.map(({ problem }) => problem)).toEqual(["touch-different"]);
  });

  it("V32 a row added, doubled or out of order is found", async () => {
    const [first, second] = whole.touch as [Touch, Touch];
    expect(await found(({ touch }) => touch.push(first))).toEqual(["touch-extra"]);
    expect(await found(({ touch }) => touch.splice(1, 0, first))).toEqual(["touch-extra"]);
    expect(await found(({ touch }) => touch.push({ ...second, commit: OTHER }))).toEqual(["touch-extra"]);
    const twice = whole.touch.findIndex(({ commit }, at) => whole.touch[at + 1]?.commit === commit);
    const names = await found(({ touch }) =>
      touch.splice(twice, 2, ...touch.slice(twice, twice + 2).reverse()),
    );
    expect(names).toContain("touch-misplaced");
  });
});

describe("the operation log", () => {
  it("V36 an operation that is not in the log, or in another place of it, is found", async () => {
    for (let at = 0; at < whole.ops.length; at++)
      expect((await found(({ ops }) => ops.splice(at, 1))).join()).toMatch(/operation-gap|ref-moved/);
    for (let at = 1; at < whole.ops.length; at++)
      expect(
        await found(({ ops }) => ops.splice(at - 1, 2, ...ops.slice(at - 1, at + 1).reverse())),
      ).toContain("operation-gap");
    expect(await found((copy) => (copy.ops = []))).toContain("ref-unlogged");
    expect(await found(({ ops }) => ops.push(OTHER))).toEqual(["operation-missing"]);
  });

  it("V37 an operation that was changed is found although its hash is right", async () => {
    for (const changed of [
      { before: tip(3), after: main() },
      { before: tip(1), after: tip(2) },
      { before: tip(1) },
      { after: main() },
    ]) {
      const operation = encodeObject("operation", {
        v: 1,
        verb: "remember",
        refs: [{ name: "heads/main", ...changed }],
        time: "2026-03-01T13:00:00.000Z" as Timestamp,
        author: { kind: "agent", id: "orion" },
      });
      const names = await found((copy) => {
        copy.ops[copy.ops.length - 1] = operation.hash;
        copy.objects.push(operation);
      });
      expect(names.join()).toMatch(/operation-gap|ref-moved/);
    }
  });
});

describe("storage that fails", () => {
  const failing = async (names: readonly (keyof Storage)[]): Promise<Storage> =>
    new Proxy(await load(whole), {
      get: (target, name) => {
        const value = target[name as keyof Storage];
        if (typeof value !== "function") return value;
        if (!names.includes(name as keyof Storage)) return value.bind(target);
        return () => {
          throw new Error(`${String(name)} failed`);
        };
      },
    });

  it.each([
    ["refs", "refs-unreadable"],
    ["scan", "objects-unreadable"],
    ["getMany", "changeset-missing"],
    ["touchSince", "touch-unreadable"],
    ["opsBefore", "operations-unreadable"],
    ["check", "storage-unreadable"],
  ] as const)("V45 when %s fails it is a problem and not an exception", async (name, problem) => {
    const report = await verifyStore(await failing([name]), {});
    expect(report.ok).toBe(false);
    expect(report.problems.map((found) => found.problem)).toContain(problem);
  });

  it("V48 a storage that gives out other bytes than it scans is found", async () => {
    const storage = await load(whole);
    const other = whole.objects.filter(({ kind }) => kind === "changeset")[2]?.bytes as Uint8Array;
    const lying = new Proxy(storage, {
      get: (target, name) => {
        const value = target[name as keyof Storage];
        if (typeof value !== "function") return value;
        if (name !== "getMany") return value.bind(target);
        return async (hashes: Hash[]) => new Map(hashes.map((hash) => [hash, other]));
      },
    });
    const names = (await verifyStore(lying, {})).problems.map(({ problem }) => problem);
    expect(names).toContain("changeset-missing");
    expect(names).not.toContain("wrong-root");
  });

  it("V46 all of them at once, too", async () => {
    const all = ["refs", "scan", "get", "getMany", "missing", "touchSince", "opsBefore", "check"] as const;
    expect((await verifyStore(await failing(all), {})).ok).toBe(false);
  });

  it("V47 a closed store is the caller's error", async () => {
    const storage = await load(whole);
    await storage.close();
    await expect(verifyStore(storage, {})).rejects.toMatchObject({ code: "CLOSED" });
  });
});
