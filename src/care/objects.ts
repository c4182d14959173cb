import { isUtf8 } from "node:buffer";
import { canonical, grown, type Hash, HashSet, hashBytes } from "../core/base/index.js";
import type { Commit, MemoryRecord, Tombstone } from "../core/ledger/index.js";
import { checkNode } from "../core/merkle/index.js";
import type { ObjectKind, Storage, StoredObject } from "../storage/index.js";
import type { Pace } from "./pace.js";
import type { Findings } from "./problems.js";
import { attempt } from "./reads.js";
import { type RecordDetails, RecordFacts } from "./record-facts.js";
import { SHAPES } from "./shapes.js";

const KINDS: readonly ObjectKind[] = [
  ...(["memory", "changeset", "commit", "note"] as const),
  ...(["operation", "tombstone", "node"] as const),
];
/** Beside the number of its kind: something leads to it. */
const REACHED = 0x80;

/**
 * What is stored and whole. Commits and tombstones are held; all else is only named and read again when its turn comes,
 * because a store may be bigger than memory.
 */
export class Inventory {
  objects = 0;
  readonly commits = new Map<Hash, Commit>();
  readonly tombstones = new Map<Hash, Tombstone>();
  readonly #known = new HashSet();
  #marks = new Uint8Array(64);
  #places = new Float64Array(64);
  readonly #facts = new RecordFacts();
  #reached = 0;

  /** Whole objects that nothing has led to so far. */
  get unreached(): number {
    return this.#known.size - this.#reached;
  }

  has(kind: ObjectKind, hash: Hash): boolean {
    const number = this.#known.numberOf(hash);
    return number !== undefined && KINDS[(this.#marks[number] as number) & ~REACHED] === kind;
  }

  /** Something leads to it. */
  reach(hash: Hash): void {
    const number = this.#known.numberOf(hash);
    if (number === undefined || (this.#marks[number] as number) & REACHED) return;
    this.#marks[number] = (this.#marks[number] as number) | REACHED;
    this.#reached++;
  }

  /** Does a record that is there belong under this key? */
  isRecordOf(hash: Hash, scope: Hash, id: Hash): boolean {
    return this.#facts.isOf(this.#places[this.#known.numberOf(hash) as number] as number, scope, id);
  }

  /** Undefined when the record is not there. */
  details(hash: Hash): RecordDetails | undefined {
    return this.has("memory", hash)
      ? this.#facts.details(this.#places[this.#known.numberOf(hash) as number] as number)
      : undefined;
  }

  keep(kind: ObjectKind, hash: Hash, value: unknown): void {
    if (!this.#known.add(hash)) return;
    const number = this.#known.size - 1;
    if (number === this.#marks.length) {
      this.#marks = grown(this.#marks);
      this.#places = grown(this.#places);
    }
    this.#marks[number] = KINDS.indexOf(kind);
    if (kind === "memory") this.#places[number] = this.#facts.add(value as MemoryRecord);
    else if (kind === "commit") this.commits.set(hash, value as Commit);
    else if (kind === "tombstone") this.tombstones.set(hash, value as Tombstone);
  }
}

/** Reads and re-hashes every stored object. What was written after `seq` is hashed too, but part of no ref yet. */
export async function takeInventory(
  storage: Storage,
  seq: number,
  findings: Findings,
  pace: Pace,
): Promise<Inventory> {
  const inventory = new Inventory();
  await attempt(findings, "objects-unreadable", async () => {
    for await (const object of storage.scan()) {
      inventory.objects++;
      const value = inspect(object, findings);
      if (value !== undefined && object.seq <= seq) inventory.keep(object.kind, object.hash, value);
      const pause = pace.step(object.seq / seq);
      if (pause) await pause;
    }
  });
  return inventory;
}

/** The value of an object that is whole. */
function inspect({ hash, kind, bytes }: StoredObject, findings: Findings): unknown {
  if (hashBytes(kind, bytes) !== hash) {
    findings.add(kind === "node" ? "node-damaged" : "object-damaged", hash);
    return undefined;
  }
  if (kind === "node") {
    if (checkNode(bytes).length === 0) return bytes;
    findings.add("node-malformed", hash);
    return undefined;
  }
  const value = parseCanonical(bytes);
  if (value === undefined) findings.add("object-not-canonical", hash);
  else if (SHAPES[kind](value)) return value;
  else findings.add("object-malformed", hash);
  return undefined;
}

/** The value, or undefined when these are not the bytes that writing it would give. */
function parseCanonical(bytes: Uint8Array): unknown {
  if (!isUtf8(bytes)) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
  try {
    const value: unknown = JSON.parse(text);
    return canonical(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}
