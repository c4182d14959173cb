import { isUtf8 } from "node:buffer";
import {
  canonical,
  grown,
  grownBuffer,
  type Hash,
  HashSet,
  hashBytes,
  hashFromBytes,
  idKey,
  isHash,
  parseBranch,
  parseId,
  parseScope,
  type Scope,
  scopeKey,
} from "../core/base/index.js";
import {
  type Commit,
  canonicalRecord,
  isPosition,
  isSensitivity,
  isTrust,
  type Kinds,
  linksOf,
  type MemoryRecord,
  type Sensitivity,
  sensitivityOf,
  type Tombstone,
} from "../core/ledger/index.js";
import { checkNode } from "../core/merkle/index.js";
import type { ObjectKind, Storage, StoredObject } from "../storage/index.js";
import type { Pace } from "./pace.js";
import type { Findings } from "./problems.js";
import { attempt } from "./reads.js";

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

/** Whether a parsed value has the form of its kind. Strict: version 1 has these fields and no others. */
type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isTime: Check = (value) =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) && isDate(value);
const isDate = (text: string): boolean => !Number.isNaN(Date.parse(text));
const isAny: Check = () => true;
const oneOf =
  (...words: readonly unknown[]): Check =>
  (value) =>
    words.includes(value);
const listOf =
  (item: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(item);
const mapOf =
  (item: Check): Check =>
  (value) =>
    isObject(value) && Object.values(value).every(item);
const parses =
  (parse: (text: unknown) => unknown): Check =>
  (value) => {
    try {
      parse(value);
      return true;
    } catch {
      return false;
    }
  };

function fields(required: Record<string, Check>, optional: Record<string, Check> = {}): Check {
  const checks = new Map([...Object.entries(required), ...Object.entries(optional)]);
  const needed = Object.keys(required);
  return (value) =>
    isObject(value) &&
    needed.every((name) => Object.hasOwn(value, name)) &&
    Object.keys(value).every((name) => checks.get(name)?.(value[name]) === true);
}

const isId = parses(parseId);
const isScope = parses(parseScope);
const author = fields({ kind: oneOf("user", "operator", "agent", "system"), id: isText });
const hashes = listOf(isHash);

const origin = fields(
  { source: isText, channel: isText, trust: isTrust },
  {
    actor: isText,
    session: isText,
    turn: isCount,
    uri: isText,
    evidence: isText,
    derivedFrom: hashes,
    movedFrom: isScope,
  },
);

const term = fields({ author, trust: isTrust }, { value: isAny, deleted: oneOf(true), commit: isHash });

const record = fields(
  { scope: isScope, id: isId, type: isText, text: isText, origin },
  {
    triple: fields({ subject: isText, predicate: isText, object: isText }),
    attributes: isObject,
    category: isText,
    tags: listOf(isText),
    parent: isId,
    position: isPosition,
    tier: oneOf("canon"),
    topic: isText,
    lifetime: oneOf("session", "temporary"),
    session: isText,
    expiresAt: isTime,
    confidence: (value) => typeof value === "number" && value >= 0 && value <= 1,
    sensitivity: isSensitivity,
    valid: fields({}, { from: isTime, to: isTime }),
    salt: (value) => typeof value === "string" && /^[0-9a-f]{32}$/.test(value),
    contested: mapOf(fields({ terms: listOf(term) }, { base: isAny })),
  },
);

/** Canonicalising drops and sorts but never adds, so equal numbers of fields and equal tags are equal records. */
function isCanonicalRecord(value: MemoryRecord): boolean {
  const one = canonicalRecord(value);
  return (
    Object.keys(one).length === Object.keys(value).length &&
    Object.keys(one.origin).length === Object.keys(value.origin).length &&
    (one.tags ?? []).join("\n") === (value.tags ?? []).join("\n")
  );
}

const event = fields(
  { op: oneOf("add", "modify", "forget", "observe"), scope: isHash, id: isHash },
  { before: isHash, after: isHash },
);

/** The shapes of the ledger's objects; nodes are binary and belong to `merkle`. */
const SHAPES: { readonly [K in keyof Kinds]: Check } = {
  memory: (value) => record(value) && isCanonicalRecord(value as MemoryRecord),
  changeset: fields({ events: listOf(event) }),
  commit: fields(
    {
      v: oneOf(1),
      parents: (value) => hashes(value) && new Set(value as string[]).size === (value as string[]).length,
      root: isHash,
      changeset: isHash,
      generation: isCount,
      time: isTime,
      author,
      branch: parses(parseBranch),
    },
    { note: isHash },
  ),
  note: fields({}, { message: isText, reasons: listOf(isText), why: isText, meta: isObject }),
  operation: fields(
    {
      v: oneOf(1),
      verb: isText,
      refs: listOf(fields({ name: isText }, { before: isHash, after: isHash })),
      time: isTime,
      author,
    },
    { session: isText, note: isHash },
  ),
  tombstone: fields({
    v: oneOf(1),
    scope: isHash,
    id: isHash,
    records: hashes,
    textDigest: isText,
    time: isTime,
    author,
  }),
};

/** What touch rows tell of a record. */
interface RecordDetails {
  readonly sensitivity: Sensitivity;
  readonly links: readonly Hash[];
}

const SENSITIVITIES: readonly Sensitivity[] = ["normal", "private", "confidential"];
const HASH = 32;
/** Number of the scope, id, sensitivity, number of links. */
const FACTS = 4 + HASH + 1 + 1;
const NO_LINKS: readonly Hash[] = [];

/** What later checks ask of records, packed: there may be millions. Their texts are not kept. */
class RecordFacts {
  readonly #scopes = new Map<Scope, number>();
  readonly #scopeKeys: Hash[] = [];
  #bytes = Buffer.alloc(1 << 12);
  #used = 0;

  /** Answers where the facts are. */
  add(record: MemoryRecord): number {
    const at = this.#used;
    const links = linksOf(record);
    this.#used += FACTS + links.length * HASH;
    while (this.#used > this.#bytes.length) this.#bytes = grownBuffer(this.#bytes);
    const bytes = this.#bytes;
    bytes.writeUInt32LE(this.#scopeOf(record.scope), at);
    bytes.write(idKey(record.id), at + 4, "hex");
    bytes[at + 4 + HASH] = SENSITIVITIES.indexOf(sensitivityOf(record));
    bytes[at + 5 + HASH] = links.length;
    for (const [number, link] of links.entries()) bytes.write(link, at + FACTS + number * HASH, "hex");
    return at;
  }

  /** Does the record belong under this key? */
  isOf(at: number, scope: Hash, id: Hash): boolean {
    const own = this.#scopeKeys[this.#bytes.readUInt32LE(at)];
    return own === scope && hashFromBytes(this.#bytes, at + 4) === id;
  }

  details(at: number): RecordDetails {
    const count = this.#bytes[at + 5 + HASH] as number;
    const link = (_: unknown, number: number) => hashFromBytes(this.#bytes, at + FACTS + number * HASH);
    return {
      sensitivity: SENSITIVITIES[this.#bytes[at + 4 + HASH] as number] as Sensitivity,
      links: count === 0 ? NO_LINKS : Array.from({ length: count }, link),
    };
  }

  #scopeOf(scope: Scope): number {
    const known = this.#scopes.get(scope);
    if (known !== undefined) return known;
    this.#scopes.set(scope, this.#scopeKeys.length);
    return this.#scopeKeys.push(scopeKey(scope)) - 1;
  }
}
