import { isUtf8 } from "node:buffer";
import { canonical, type Hash, hashBytes, idKey, type Scope, scopeKey } from "../base/index.js";
import {
  type Commit,
  linksOf,
  type MemoryRecord,
  type Operation,
  type Sensitivity,
  sensitivityOf,
  type Tombstone,
} from "../ledger/index.js";
import { checkNode } from "../merkle/index.js";
import type { ObjectKind, Storage, StoredObject } from "../storage/index.js";
import type { Pace } from "./pace.js";
import type { Findings } from "./problems.js";
import { attempt } from "./reads.js";
import { SHAPES } from "./shapes.js";

/** What later checks ask of a record. Its text is not kept: a store may be bigger than memory. */
export interface RecordFacts {
  readonly scope: Hash;
  readonly id: Hash;
  readonly sensitivity: Sensitivity;
  readonly links: readonly Hash[];
}

/** What is stored and whole. Changesets are only named: each is read again when its commit is folded. */
export class Inventory {
  objects = 0;
  readonly records = new Map<Hash, RecordFacts>();
  readonly commits = new Map<Hash, Commit>();
  readonly operations = new Map<Hash, Operation>();
  readonly tombstones = new Map<Hash, Tombstone>();
  readonly changesets = new Set<Hash>();
  readonly notes = new Set<Hash>();
  readonly nodes = new Set<Hash>();
  /** Whole objects that nothing has led to so far. */
  readonly unreached = new Set<Hash>();
  readonly #scopes = new Map<Scope, Hash>();
  readonly #noLinks: readonly Hash[] = [];

  keep(kind: ObjectKind, hash: Hash, value: unknown): void {
    this.unreached.add(hash);
    switch (kind) {
      case "memory":
        this.records.set(hash, this.#factsOf(value as MemoryRecord));
        break;
      case "commit":
        this.commits.set(hash, value as Commit);
        break;
      case "operation":
        this.operations.set(hash, value as Operation);
        break;
      case "tombstone":
        this.tombstones.set(hash, value as Tombstone);
        break;
      default:
        this[`${kind}s`].add(hash);
    }
  }

  #factsOf(record: MemoryRecord): RecordFacts {
    const links = linksOf(record);
    const scope = this.#scopes.get(record.scope) ?? scopeKey(record.scope);
    this.#scopes.set(record.scope, scope);
    return {
      scope,
      id: idKey(record.id),
      sensitivity: sensitivityOf(record),
      links: links.length > 0 ? links : this.#noLinks,
    };
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
