import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashOf, object, touchRow, transaction } from "../contract/data.js";
import type { Storage, StoredObject } from "../port.js";
import { problemsOf, testStore } from "./_store.js";
import { Entries } from "./place.js";
import { packNote, unpackNote } from "./watch.js";

const entriesOf = (pairs: readonly (readonly [number, number])[]): Entries => {
  const entries = new Entries();
  for (const [prefix, place] of pairs) entries.add(prefix, place);
  return entries;
};

it("a note gives back what was noted, wherever its bytes lie; a damaged one nothing", () => {
  const pair = fc.tuple(fc.nat(2 ** 48 - 1), fc.maxSafeNat());
  fc.assert(
    fc.property(
      fc.maxSafeNat(),
      fc.nat(),
      fc.array(pair),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (after, epoch, pairs, at, flip) => {
        const bytes = packNote(after, epoch, entriesOf(pairs));
        const inside = Buffer.concat([Buffer.alloc(3), bytes]).subarray(3);
        const note = unpackNote(inside)!;
        expect(note).toMatchObject({ after, epoch });
        expect([...note.prefixes].map((prefix, n) => [prefix, note.places[n]])).toEqual(pairs);
        inside[at % inside.length]! ^= flip;
        expect(unpackNote(inside)).toBeUndefined();
        expect(unpackNote(bytes.subarray(0, at % bytes.length))).toBeUndefined();
      },
    ),
  );
});

describe("what waits for the index of a SQLite store", () => {
  const single = (n: number): StoredObject[] => [object("memory", `m ${n}`), object("node", `n ${n}`)];
  const fill = async (storage: Storage, from: number, to: number): Promise<void> => {
    for (let n = from; n < to; n++) {
      const touch = [touchRow({ id: "shared", version: n })];
      expect(await storage.transact(transaction({ put: single(n), touch }))).toBe("ok");
    }
  };
  const hashes = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => single(from + n).map(({ hash }) => hash)).flat();
  const expectWhole = async (storage: Storage, rows: number): Promise<void> => {
    expect(await storage.missing(hashes(0, rows))).toEqual([]);
    expect((await storage.touchOf(hashOf("scope"), hashOf("shared"))).length).toBe(rows);
  };
  const closed = async (...rows: number[]) => {
    const place = await testStore();
    const notes = async (): Promise<number[]> => {
      const found: number[] = [];
      await place.sql((db) => {
        for (const { upto } of db.prepare("SELECT upto FROM waiting ORDER BY upto").all() as {
          upto: number;
        }[])
          found.push(upto);
      });
      return found;
    };
    let from = 0;
    for (const to of rows) {
      const storage = place.open();
      await fill(storage, from, to);
      await storage.close();
      from = to;
    }
    return { ...place, notes };
  };

  it("upkeep notes it while it is written, and who leaves notes the rest", async () => {
    const { open, notes } = await closed();
    const storage = open();
    await fill(storage, 0, 511);
    await storage.tend();
    expect(await notes()).toEqual([]);
    await fill(storage, 511, 600);
    await storage.tend();
    expect(await notes()).toEqual([600]);
    await fill(storage, 600, 640);
    await storage.close();
    expect(await notes()).toEqual([600, 640]);
    const next = open();
    await expectWhole(next, 640);
    expect(await problemsOf(next)).toEqual([]);
  });

  it("few rows with much in them are noted too", async () => {
    const { open, notes } = await closed();
    const storage = open();
    const put = Array.from({ length: 100 }, (_, n) => [1, 2, 3].map((m) => object("memory", `${m} of ${n}`)));
    for (let n = 0; n < 3; n++) await storage.transact(transaction({ put: put.map((three) => three[n]!) }));
    expect(await storage.missing(put.flat().map(({ hash }) => hash))).toEqual([]);
    await storage.close();
    expect(await notes()).toEqual([3]);
  });

  it("a new process takes notes over instead of reading the rows; one that lacks something is found by a check", async () => {
    const { open, sql } = await closed(40, 80);
    await sql((db) => {
      db.prepare("UPDATE waiting SET entries = ? WHERE upto = 40").run(packNote(0, 0, entriesOf([])));
    });
    const storage = open();
    expect((await storage.missing(hashes(0, 80))).length).toBe(80);
    expect(await problemsOf(storage)).toContainEqual({
      problem: "index-missing",
      severity: "error",
      object: "waiting 40",
    });
  });

  it("a note of another epoch says nothing, whatever it says", async () => {
    const { open, sql } = await closed(40, 80);
    await sql((db) => {
      db.prepare("UPDATE waiting SET entries = ? WHERE upto = 40").run(packNote(0, 1, entriesOf([])));
    });
    const storage = open();
    await expectWhole(storage, 80);
    expect((await problemsOf(storage)).map(({ problem }) => problem)).toEqual(["waiting-damaged"]);
  });

  it("notes of thousands of rows are several; bulk that came in pieces is in the index when its writer leaves", async () => {
    const { open, notes, sql } = await closed();
    const storage = open();
    await fill(storage, 0, 40);
    await sql((db) => db.exec("UPDATE journal SET seq = seq + 4000 WHERE seq > 20"));
    await storage.close();
    expect(await notes()).toEqual([2048, 4040]);
    const bulk = await closed();
    const writer = bulk.open();
    for (let n = 0; n < 70; n++)
      await writer.transact(
        transaction({ put: Array.from({ length: 1_000 }, (_, m) => object("memory", `${m} of ${n}`)) }),
      );
    await writer.close();
    expect(await bulk.notes()).toEqual([]);
    await bulk.sql((db) => {
      expect(db.prepare("SELECT count(*) AS count FROM lookup").get()).toEqual({ count: 70_000 });
    });
  });

  it.each([
    [
      "is damaged",
      "UPDATE waiting SET entries = zeroblob(length(entries)) WHERE upto = 40",
      ["waiting-damaged"],
    ],
    ["is gone", "DELETE FROM waiting WHERE upto = 40", []],
    ["is from nowhere", "INSERT INTO waiting VALUES (1000000, x'00')", ["waiting-damaged"]],
  ])("where a note %s the rows are read", async (_, damage, problems) => {
    const { open, sql } = await closed(40, 80);
    await sql((db) => db.exec(damage));
    const storage = open();
    await expectWhole(storage, 80);
    expect((await problemsOf(storage)).map(({ problem }) => problem)).toEqual(problems);
    await fill(storage, 80, 120);
    await storage.close();
    await expectWhole(open(), 120);
  });

  it("notes go when the index has what they say, and all of them with an erasure", async () => {
    const { open, notes } = await closed(40, 80);
    const merging = open({ tailRows: 0 });
    await expectWhole(merging, 80);
    await merging.tend();
    expect(await notes()).toEqual([]);
    await expectWhole(merging, 80);
    expect(await problemsOf(merging)).toEqual([]);
    const erasing = await closed(40, 80);
    const storage = erasing.open();
    expect(await storage.remove(hashes(3, 4))).toBe(2);
    expect(await erasing.notes()).toEqual([]);
    expect((await erasing.open().missing(hashes(0, 80))).sort()).toEqual(hashes(3, 4).sort());
  });

  it("what was taken out after it was noted does not enter the index", async () => {
    const { open } = await closed(40, 80);
    const storage = open({ tailRows: 0 });
    const nodes = hashes(0, 80).filter((_, n) => n % 2 === 1);
    await storage.remove(nodes);
    const next = open({ tailRows: 0 });
    expect((await next.missing(hashes(0, 80))).length).toBe(80);
    await next.tend();
    expect(await problemsOf(next)).toEqual([]);
  });
});
