import {
  canonical,
  type Hash,
  isBlank,
  isHash,
  type Json,
  type JsonObject,
  PalimpsestError,
  parseId,
  parseScope,
  parseTime,
  unreadable,
} from "../core/base/index.js";
import {
  isPosition,
  isSensitivity,
  type Lifetime,
  laneOf,
  type Sensitivity,
  type Tier,
  type Triple,
} from "../core/ledger/index.js";
import { countCharacters } from "./checks/limits.js";

export interface ShapeOptions {
  /** It changes a memory: null removes, and nothing need be said anew. */
  readonly change?: boolean;
  /** It was read from a file, so that a document may have no text. */
  readonly read?: boolean;
}

/**
 * The first check of every lane: is this a memory at all? What is malformed is an error of the caller, thrown
 * with a code; what is well formed but unwelcome is a verdict of the later checks.
 */
export function checkShape(input: MemoryInput, options: ShapeOptions = {}): void {
  try {
    check(input, options);
  } catch (error) {
    throw unreadable(error);
  }
}

function check(input: MemoryInput, options: ShapeOptions): void {
  if (typeof input !== "object" || input === null || Array.isArray(input))
    throw new PalimpsestError("INVALID_FIELD", "A memory is given as an object with a text.");
  for (const key of Object.keys(input))
    if (!Object.hasOwn(FIELDS, key)) throw invalid(key, "is not a field of a memory");
  // Every field that may be read later is checked, whether it is the object's own or inherited.
  for (const [key, problemOf] of CHECKED) {
    const value = input[key as keyof MemoryInput];
    if (value === undefined || (value === null && options.change)) continue;
    const problem = problemOf(value as never, input, options);
    if (problem !== undefined) throw invalid(key, problem);
  }
  if (!options.change && input.text === undefined && input.triple === undefined)
    throw new PalimpsestError("INVALID_TEXT", "There is no text and no triple.");
}

const invalid = (field: string, problem: string): PalimpsestError =>
  new PalimpsestError(
    field === "text" ? "INVALID_TEXT" : "INVALID_FIELD",
    `The field ${JSON.stringify(field.slice(0, 64).toWellFormed())} ${problem}.`,
    { data: { field: field.slice(0, 64).toWellFormed() } },
  );

type Check = (value: never, input: MemoryInput, options?: ShapeOptions) => string | undefined;

/** Tab, line feed and carriage return are text; other control characters are not. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;
const WORD = /^[a-z][a-z0-9_-]{0,63}$/;
/** Does it hold but visible ASCII and spaces? Then it is a line of text, and the searching is saved. */
function isPlainLine(text: string): boolean {
  let isVisible = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code > 0x7e) return false;
    if (code > 0x20) isVisible = true;
  }
  return isVisible;
}
const BREAK = /[\t\n\r\u2028\u2029]/;
const isPlain = (value: unknown): value is object =>
  typeof value === "object" &&
  value !== null &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value));

/** A name that lists and prompts show in one line. */
function line(max: number): Check {
  const isPassage = passage(max);
  return (value: unknown, input) => {
    if (typeof value === "string" && value.length <= max && isPlainLine(value)) return undefined;
    return (
      isPassage(value as never, input) ?? (BREAK.test(value as string) ? "must be a single line" : undefined)
    );
  };
}

function passage(max: number): Check {
  return (value: unknown) => {
    if (typeof value !== "string") return "must be text";
    if (!value.isWellFormed()) return "holds a lone surrogate (half a character)";
    if (isBlank(value)) return "must not be blank";
    if (CONTROL.test(value)) return "must not hold control characters";
    return countCharacters(value) > max ? `is longer than ${max} characters` : undefined;
  };
}

/** A line that only messages have. */
const ofMessage =
  (otherwise: string): Check =>
  (value: unknown, input) =>
    line(128)(value as never, input) ??
    (typeof input.type === "string" && laneOf(input.type) === "message"
      ? undefined
      : `is for messages; ${otherwise}`);

const oneOf =
  (...words: readonly string[]): Check =>
  (value: unknown) =>
    words.includes(value as string) ? undefined : `must be one of ${words.join(", ")}`;

/** "log" is a tier that the gate knows and always refuses. */
const isTier = oneOf("register", "canon", "log");

const time: Check = (value: unknown) => void parseTime(value);

const FIELDS: { readonly [K in keyof Required<MemoryInput>]: Check } = {
  text: (text: unknown, input: MemoryInput, options?: ShapeOptions) => {
    if (typeof text !== "string") return "must be text";
    if (isPlainLine(text)) return undefined;
    if (!text.isWellFormed()) return "holds a lone surrogate (half a character)";
    const lane = typeof input.type === "string" ? laneOf(input.type) : "belief";
    if (isBlank(text) && !(options?.read && lane === "document")) return "is empty or blank";
    return lane === "belief" && CONTROL.test(text) ? "holds control characters" : undefined;
  },
  id: (id: unknown) => void parseId(id),
  scope: (scope: unknown) => void parseScope(scope),
  type: (type: unknown) =>
    typeof type === "string" && WORD.test(type) ? undefined : "must be a lower-case word",
  triple: (triple: unknown) => checkTriple(triple as Triple),
  attributes: (value: unknown) => checkAttributes(value as JsonObject),
  category: line(128),
  tags: (tags: unknown) => checkTags(tags),
  parent: (id: unknown) => void parseId(id),
  in: (value: unknown, input) =>
    line(260)(value as never, input) ??
    (input.parent === undefined ? undefined : 'and the field "parent" say two places'),
  position: (value: unknown) => (isPosition(value) ? undefined : "is not a position among siblings"),
  tier: (value: unknown, input) =>
    isTier(value as never, input) ??
    (typeof input.type === "string" && laneOf(input.type) !== "belief"
      ? `is for beliefs, and ${JSON.stringify(input.type.slice(0, 64).toWellFormed())} is none; leave it out`
      : undefined),
  topic: line(256),
  lifetime: oneOf("permanent", "session", "temporary"),
  ttl: (ttl: unknown) =>
    typeof ttl === "number" && Number.isFinite(ttl) && ttl > 0
      ? undefined
      : "must be a positive number of milliseconds",
  expiresAt: time,
  confidence: (value: unknown) =>
    typeof value === "number" && value >= 0 && value <= 1 ? undefined : "must be a number from 0 to 1",
  sensitivity: (value: unknown) =>
    isSensitivity(value) ? undefined : "must be normal, private or confidential",
  source: (value: unknown) =>
    typeof value === "string" && WORD.test(value) ? undefined : "must be a lower-case word",
  evidence: passage(4096),
  uri: line(2048),
  turn: (turn: unknown) =>
    Number.isSafeInteger(turn) && (turn as number) >= 0 ? undefined : "must be a whole number from 0",
  speaker: ofMessage("who else writes is the session's agent"),
  conversation: ofMessage("what else is written belongs to its session"),
  derivedFrom: (hashes: unknown) =>
    // A copy, because a list with holes has entries that `every` does not visit.
    Array.isArray(hashes) && [...hashes].every(isHash) ? undefined : "must be a list of hashes",
  valid: (valid: unknown) => checkValid(valid as { from?: unknown; to?: unknown }),
};

const CHECKED = Object.entries(FIELDS);

function checkTriple(triple: Triple): string | undefined {
  if (!isPlain(triple)) return "must have subject, predicate and object";
  const { subject, predicate, object, ...rest } = triple;
  if (Object.keys(rest).length > 0) return "must have only subject, predicate and object";
  for (const part of [subject, predicate, object]) {
    const problem = passage(1200)(part as never, {});
    if (problem !== undefined) return `has a part that ${problem}`;
  }
  return undefined;
}

function checkAttributes(value: JsonObject): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "must be an object";
  return canonical(value as Json).length > 65536 ? "is larger than 64 KB" : undefined;
}

const isTag = line(128);

function checkTags(tags: unknown): string | undefined {
  if (!Array.isArray(tags) || tags.length > 100) return "must be a list of at most 100 words";
  for (const tag of tags) {
    const problem = isTag(tag as never, {});
    if (problem !== undefined) return `has an entry that ${problem}`;
  }
  return undefined;
}

function checkValid(valid: { from?: unknown; to?: unknown }): string | undefined {
  if (!isPlain(valid)) return "must have from or to";
  const { from, to, ...rest } = valid;
  if (Object.keys(rest).length > 0) return "must have only from and to";
  const [start, end] = [from, to].map((at) => (at === undefined ? undefined : parseTime(at)));
  return start !== undefined && end !== undefined && start > end ? "ends before it begins" : undefined;
}

/** What a caller may say about a memory. Everything but the text (or a triple) is optional. */
export interface MemoryInput {
  readonly text?: string;
  readonly id?: string;
  readonly scope?: string;
  readonly type?: string;
  readonly triple?: Triple;
  readonly attributes?: JsonObject;
  readonly category?: string;
  readonly tags?: readonly string[];
  readonly parent?: string;
  readonly position?: string;
  /** A room, or `room/drawer`, of the palace that it lies in, made if it is not there; instead of `parent`. */
  readonly in?: string;
  readonly tier?: Tier | "log";
  readonly topic?: string;
  readonly lifetime?: Lifetime;
  /** Milliseconds to live; makes the lifetime temporary unless another is given. */
  readonly ttl?: number;
  readonly expiresAt?: string;
  readonly confidence?: number;
  readonly sensitivity?: Sensitivity;
  readonly source?: string;
  readonly evidence?: string;
  readonly uri?: string;
  readonly turn?: number;
  /** Of a message: the person or role that said it; default the agent that writes. */
  readonly speaker?: string;
  /** Of a message: the conversation it was said in; default the session that writes. */
  readonly conversation?: string;
  readonly derivedFrom?: readonly Hash[];
  readonly valid?: { readonly from?: string; readonly to?: string };
}

/** A change to a memory: only what is named changes; null removes an optional field or attribute. */
export type MemoryChange = {
  readonly [K in keyof Omit<MemoryInput, "id" | "scope" | "topic" | "speaker" | "conversation">]?:
    | MemoryInput[K]
    | null;
};
