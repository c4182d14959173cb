import { type Hash, hashBytes, hashValue, type Timestamp } from "../../core/base/index.js";
import type { Author, Op, Sensitivity, Touch } from "../../core/ledger/index.js";
import type { ObjectKind, StoredObject, Transaction } from "../port.js";

/** Small made-up values for the contract: real hashes, but no meaning. */
export const hashOf = (text: string): Hash => hashValue("id", text);

export function object(kind: ObjectKind, text: string): StoredObject {
  const bytes = new Uint8Array(Buffer.from(JSON.stringify({ text, padding: "x".repeat(text.length * 7) })));
  return { hash: hashBytes(kind, bytes), kind, bytes };
}

export const batch = (kind: ObjectKind, count: number, name = "batch"): StoredObject[] =>
  Array.from({ length: count }, (_, n) => object(kind, `${name} ${n}`));

export const transaction = (part: Partial<Transaction>): Transaction => ({
  put: [],
  refs: [],
  touch: [],
  ops: [],
  epoch: 0,
  ...part,
});

export interface TouchPart {
  readonly id: string;
  readonly scope?: string;
  readonly op?: Op;
  /** False for an event that leaves no record. */
  readonly record?: boolean;
  readonly author?: Author;
  readonly version?: number;
  readonly sensitivity?: Sensitivity;
  readonly links?: readonly Hash[];
}

export function touchRow(part: TouchPart): Touch {
  const author = part.author ?? { kind: "agent", id: "orion" };
  return {
    scope: hashOf(part.scope ?? "scope"),
    id: hashOf(part.id),
    op: part.op ?? "add",
    ...(part.record === false ? {} : { record: hashOf(`record of ${part.id} ${part.version}`) }),
    commit: hashOf(`commit by ${author.id}`),
    generation: 7,
    time: "2026-03-01T12:00:00.123Z" as Timestamp,
    author,
    version: part.version ?? 1,
    created: "1969-12-31T23:59:59.999Z" as Timestamp,
    sensitivity: part.sensitivity ?? "normal",
    links: part.links ?? [],
  };
}
