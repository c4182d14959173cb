import { randomUUID } from "node:crypto";
import { type Hash, hashToBytes } from "../../core/base/index.js";
import type { Touch } from "../../core/ledger/index.js";
import type { ObjectKind, RefMove, StoredObject, Transaction } from "../port.js";
import { packTouch } from "../touch-codec.js";

/** By their numbers in the table; never renumbered. */
export const KINDS: readonly ObjectKind[] = [
  ...(["memory", "changeset", "commit", "note", "operation", "tombstone", "node"] as const),
];
export const kindNumber = (kind: ObjectKind): number => KINDS.indexOf(kind) + 1;

/** Events in one row of the journal: whoever looks for one of them has to read the row. */
const EVENTS = 128;
const KEY = 35;

/** A transaction as arguments of the function that writes it. */
export interface Packed {
  /** By this the server knows it again when it comes twice. */
  readonly token: string;
  readonly values: readonly unknown[];
}

export function pack({ put, refs, touch, ops, guard, erase, drop = [] }: Transaction): Packed {
  const rows = cut(touch, EVENTS);
  return {
    token: randomUUID(),
    values: [
      guard ? JSON.stringify(guard) : null,
      JSON.stringify(refs.map(moveOf)),
      erase !== undefined,
      [...(erase?.objects ?? []), ...drop].map(hashToBytes),
      (erase?.texts ?? []).map(hashToBytes),
      [...(erase?.notes ?? [])],
      rows.map((row) => packTouch(row)),
      ops.length > 0 ? Buffer.concat(ops.map(hashToBytes)) : null,
      packKeys(rows),
      ...packObjects(put),
    ],
  };
}

/** Events as they go into rows of so many. */
export function cut(touch: readonly Touch[], most: number): (readonly Touch[])[] {
  const rows: (readonly Touch[])[] = [];
  for (let at = 0; at < touch.length; at += most) rows.push(touch.slice(at, at + most));
  return rows;
}

const moveOf = ({ name, expect, next, join }: RefMove) => ({
  name,
  ...(expect !== null && { expect }),
  ...(next && { target: next.target, ...(next.meta && { meta: next.meta }), ...(join && { join }) }),
});

/** The ids and links that occur in a row, each once. */
export const keysOf = (row: readonly Touch[]): Hash[] => [
  ...new Set(row.flatMap(({ id, links }) => [id, ...links])),
];

/** The keys of every row: row 3, key 32. */
function packKeys(rows: readonly (readonly Touch[])[]): Buffer {
  const keys = rows.map(keysOf);
  const out = Buffer.allocUnsafe(keys.reduce((sum, { length }) => sum + length, 0) * KEY);
  let at = 0;
  for (const [row, list] of keys.entries())
    for (const key of list) {
      out.writeUIntBE(row, at, 3);
      at += 3 + out.write(key, at + 3, "hex");
    }
  return out;
}

/** One long value instead of many: arrays of bytes would be sent as text. */
function packObjects(put: readonly StoredObject[]): readonly unknown[] {
  const objects = [...new Map(put.map((object) => [object.hash, object])).values()];
  const ends: number[] = [];
  let end = 0;
  for (const { bytes } of objects) {
    end += bytes.length;
    ends.push(end);
  }
  return [
    Buffer.concat(objects.map(({ hash }) => hashToBytes(hash))),
    Buffer.from(objects.map(({ kind }) => kindNumber(kind))),
    ends,
    Buffer.concat(objects.map(({ bytes }) => bytes)),
  ];
}

/** A transaction that expects something to be there is stale on a store that is not there, and creates none. */
export const canBeFirst = ({ refs, epoch, guard }: Transaction): boolean =>
  epoch === 0 && typeof guard?.value !== "string" && refs.every(({ expect }) => expect === null);
