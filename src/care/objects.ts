import { isUtf8 } from "node:buffer";
import { canonical, type Hash, hashBytes, idKey, type Scope, scopeKey } from "../base/index.js";
import {
  type Commit,
  type Kinds,
  linksOf,
  type MemoryRecord,
  type Operation,
  type Sensitivity,
  sensitivityOf,
  type Tombstone,
} from "../ledger/index.js";
import { checkNode } from "../merkle/index.js";
import type { Storage, StoredObject } from "../storage/index.js";
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

  keep(kind: keyof Kinds, hash: Hash, value: unknown): void {
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
        (kind === "note" ? this.notes : this.changesets).add(hash);
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

/** Reads and re-hashes every stored object. Objects written after `seq` count as reached: their refs came later. */
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
      if (inspect(object, inventory, findings) && object.seq <= seq) inventory.unreached.add(object.hash);
      await pace.step();
    }
  });
  return inventory;
}

function inspect({ hash, kind, bytes }: StoredObject, inventory: Inventory, findings: Findings): boolean {
  const isNode = kind === "node";
  if (hashBytes(kind, bytes) !== hash) {
    findings.add(isNode ? "node-damaged" : "object-damaged", hash);
    return false;
  }
  if (isNode) {
    if (checkNode(bytes).length > 0) findings.add("node-malformed", hash);
    else inventory.nodes.add(hash);
    return true;
  }
  const value = parseCanonical(bytes);
  if (value === undefined) findings.add("object-not-canonical", hash);
  else if (!SHAPES[kind](value)) findings.add("object-malformed", hash);
  else inventory.keep(kind, hash, value);
  return true;
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
