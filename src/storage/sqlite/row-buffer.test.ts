import fc from "fast-check";
import { expect, it } from "vitest";
import { type Hash, hashBytes, hashValue } from "../../core/base/hash.js";
import { touchRow, transaction } from "../contract/data.js";
import type { ObjectKind, StoredObject, Transaction } from "../port.js";
import { RowBuffer } from "./row-buffer.js";
import { pack, packSmall } from "./transact.js";

const hash: fc.Arbitrary<Hash> = fc.nat(99).map((n) => hashValue("id", n));
const kind = fc.constantFrom<ObjectKind>("memory", "changeset", "commit", "note", "operation", "tombstone");
const object = fc
  .record({ kind, text: fc.string({ unit: "binary", maxLength: 600 }), isText: fc.boolean() })
  .map(({ kind, text, isText }): StoredObject => {
    const bytes = new Uint8Array(Buffer.from(text));
    return { kind, hash: hashBytes(kind, bytes), bytes, ...(isText && { text }) };
  });
const touch = fc
  .record({
    id: fc.string({ minLength: 1 }),
    op: fc.constantFrom("add" as const, "modify" as const, "forget" as const),
    record: fc.boolean(),
    author: fc.record({ kind: fc.constantFrom("user" as const, "agent" as const), id: fc.string() }),
    links: fc.array(hash, { maxLength: 3 }),
  })
  .map(touchRow);
const small: fc.Arbitrary<Transaction> = fc
  .record({
    put: fc.array(object, { minLength: 1, maxLength: 8 }),
    touch: fc.array(touch, { maxLength: 4 }),
    ops: fc.array(hash, { maxLength: 2 }),
  })
  .map(transaction);

it("a row that is laid out over the one before is byte for byte the row that is packed by itself", () => {
  const row = new RowBuffer();
  fc.assert(
    fc.property(fc.array(small, { minLength: 1, maxLength: 5 }), (transactions) => {
      for (const one of transactions) {
        const laid = packSmall(one, row);
        const packed = pack(one);
        expect(laid?.journal.map(bytesOf)).toEqual(packed.journal.map(bytesOf));
        expect([laid?.nodes, laid?.objects, laid?.bytes]).toEqual([[], packed.objects, packed.bytes]);
      }
    }),
  );
});

it("what is no small row is left to be packed", () => {
  const of = (kind: ObjectKind, size: number): StoredObject => ({
    kind,
    hash: hashValue("id", size),
    bytes: Buffer.alloc(size),
  });
  const row = new RowBuffer();
  for (const put of [
    [],
    [of("memory", 40_000)],
    [of("node", 10)],
    Array.from({ length: 129 }, (_, n) => of("note", n)),
  ])
    expect(packSmall(transaction({ put }), row)).toBeUndefined();
  const events = Array.from({ length: 129 }, (_, n) => touchRow({ id: `${n}` }));
  expect(packSmall(transaction({ put: [of("memory", 9)], touch: events }), row)).toBeUndefined();
  const wide: StoredObject = { ...of("memory", 12_000), text: "x".repeat(12_000) };
  expect(packSmall(transaction({ put: [wide] }), row)).toBeUndefined();
});

it("columns longer than the buffer have room of their own", () => {
  const links = Array.from({ length: 200 }, (_, n) => hashValue("link", n));
  const one = transaction({
    put: [{ kind: "memory", hash: hashValue("id", 1), bytes: Buffer.from("x") }],
    touch: [touchRow({ id: "a", links }), touchRow({ id: "b", links })],
    ops: [hashValue("id", 2)],
  });
  expect(packSmall(one, new RowBuffer())?.journal.map(bytesOf)).toEqual(pack(one).journal.map(bytesOf));
});

const bytesOf = ({ touch, ops, chunk }: ReturnType<typeof pack>["journal"][number]) =>
  [touch, ops, chunk?.directory, chunk?.objects].map(
    (column) => column && Buffer.from(column).toString("hex"),
  );
