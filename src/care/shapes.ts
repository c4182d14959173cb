import { isHash, parseBranch, parseId, parseScope } from "../core/base/index.js";
import {
  canonicalRecord,
  isPosition,
  isSensitivity,
  isTrust,
  type Kinds,
  type MemoryRecord,
} from "../core/ledger/index.js";

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
export const SHAPES: { readonly [K in keyof Kinds]: Check } = {
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
