import assert from "node:assert/strict";
import type { Storage, StoredObject } from "../port.js";

/** The body of a case. `reopen` gives the same store again, after a close. */
export type Check = (storage: Storage, reopen: () => Promise<Storage>) => Promise<void>;
export type Checks = readonly (readonly [name: string, check: Check])[];

/** Pages downwards start above everything. */
export const top = Number.MAX_SAFE_INTEGER;

export const hex = (value: Uint8Array | undefined): string | undefined =>
  value && Buffer.from(value).toString("hex");

export async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

export async function assertStored(storage: Storage, objects: readonly StoredObject[]): Promise<void> {
  const found = await storage.getMany(objects.map(({ hash }) => hash));
  for (const { hash, bytes } of objects) assert.equal(hex(found.get(hash)), hex(bytes));
}
