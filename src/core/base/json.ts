import { PalimpsestError, quote } from "./errors.js";

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** Deep enough for any attribute a person writes; a cycle ends here instead of in a stack overflow. */
const MAX_DEPTH = 100;

/**
 * RFC 8785 (JSON Canonicalization Scheme): keys in UTF-16 order, ECMAScript numbers, no white space.
 * What JSON cannot say exactly is refused and never repaired: a hash must not depend on a repair.
 * A property whose value is undefined counts as absent, as it does in JSON.
 */
export function canonical(value: unknown): string {
  try {
    return isInOrder(value, 0) ? JSON.stringify(value) : write(value, 0);
  } catch (error) {
    throw unreadable(error);
  }
}

/**
 * Is this a value that JSON.stringify writes in canonical form by itself? Nearly all that are hashed are built so,
 * and looking and letting the engine write costs less than half of writing by hand.
 */
function isInOrder(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case "string":
      return value.isWellFormed();
    case "number":
      return Number.isFinite(value);
    case "boolean":
      return true;
    case "object":
      if (value === null) return true;
      if (depth >= MAX_DEPTH || "toJSON" in value) return false;
      return Array.isArray(value) ? isArrayInOrder(value, depth) : isObjectInOrder(value, depth);
    default:
      return false;
  }
}

function isArrayInOrder(items: readonly unknown[], depth: number): boolean {
  for (let at = 0; at < items.length; at++) if (!isInOrder(items[at], depth + 1)) return false;
  return true;
}

function isObjectInOrder(value: object, depth: number): boolean {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  let last = "";
  for (const key of Object.keys(value)) {
    if (key < last || key === "__proto__" || !key.isWellFormed()) return false;
    if (!isInOrder((value as Record<string, unknown>)[key], depth + 1)) return false;
    last = key;
  }
  return true;
}

function write(value: unknown, depth: number): string {
  switch (typeof value) {
    case "string":
      return writeString(value);
    case "number":
      if (!Number.isFinite(value)) throw refuse(`${value} is not a JSON number`);
      return JSON.stringify(value);
    case "boolean":
      return value ? "true" : "false";
    case "object":
      if (value === null) return "null";
      if (depth >= MAX_DEPTH)
        throw refuse(`the value is nested deeper than ${MAX_DEPTH} levels or contains itself`);
      return Array.isArray(value) ? writeArray(value, depth) : writeObject(value, depth);
    default:
      throw refuse(`a value of type ${typeof value} is not JSON`);
  }
}

/** The same of a text. Most need no escapes, and looking is cheaper than having them looked for. */
export function canonicalText(text: string): string {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x22 || code === 0x5c || code > 0xd7ff) return writeString(text);
  }
  return `"${text}"`;
}

function writeString(text: string): string {
  if (!text.isWellFormed()) throw refuse("the text holds a lone surrogate (half a character)");
  return JSON.stringify(text);
}

function writeArray(items: readonly unknown[], depth: number): string {
  let out = "[";
  for (let at = 0; at < items.length; at++) {
    if (at > 0) out += ",";
    out += write(items[at], depth + 1);
  }
  return `${out}]`;
}

function writeObject(value: object, depth: number): string {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    throw refuse(`an object of class ${prototype?.constructor?.name ?? "unknown"} is not plain JSON`);
  const fields = value as Record<string, unknown>;
  let out = "{";
  for (const key of sortedKeys(fields)) {
    const field = fields[key];
    if (field === undefined) continue;
    if (key === "__proto__") throw refuse("the key __proto__ is not allowed");
    if (out.length > 1) out += ",";
    out += `${writeString(key)}:${write(field, depth + 1)}`;
  }
  return `${out}}`;
}

/** Most objects that are hashed are built in order; looking is cheaper than sorting. */
function sortedKeys(fields: object): string[] {
  const keys = Object.keys(fields);
  for (let at = 1; at < keys.length; at++)
    if ((keys[at] as string) < (keys[at - 1] as string)) return keys.sort();
  return keys;
}

/**
 * A frozen copy that shares nothing with the original and holds just what its canonical JSON says, in that order, or is
 * refused alike: what was just written and what is read again look the same.
 */
export function copyJson<T>(value: T): T {
  try {
    return copy(value, 0) as T;
  } catch (error) {
    throw unreadable(error);
  }
}

function copy(value: unknown, depth: number): unknown {
  if (typeof value === "boolean" || value === null) return value;
  if (typeof value === "string" && value.isWellFormed()) return value;
  if (typeof value === "number" && Number.isFinite(value)) return value + 0;
  if (typeof value !== "object" || depth >= MAX_DEPTH) return parsed(value);
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    for (let at = 0; at < value.length; at++) list.push(copy(value[at], depth + 1));
    return Object.freeze(list);
  }
  const prototype = Object.getPrototypeOf(value);
  if ((prototype !== Object.prototype && prototype !== null) || Object.hasOwn(value, "__proto__"))
    return parsed(value);
  const twin: Record<string, unknown> = {};
  for (const key of sortedKeys(value)) {
    const item = (value as Record<string, unknown>)[key];
    if (item !== undefined) twin[key] = copy(item, depth + 1);
  }
  return Object.freeze(twin);
}

/** The long way, which refuses what is no JSON. */
const parsed = (value: unknown): unknown => deepFreeze(JSON.parse(canonical(value)));

function refuse(what: string): PalimpsestError {
  return new PalimpsestError("INVALID_VALUE", `Not canonical JSON: ${what}.`);
}

/** What a getter or a proxy of the caller's threw while it was read, as an error of ours. */
export function unreadable(error: unknown): PalimpsestError {
  if (error instanceof PalimpsestError) return error;
  const reason = error instanceof Error ? `: ${quote(String(error.message))}` : "";
  return new PalimpsestError("INVALID_VALUE", `What was given cannot be read${reason}.`, { cause: error });
}

/** Freezes a JSON value all the way down, so that nobody can change history by changing an object. */
export function deepFreeze<T>(value: T): T {
  freeze(value, new Set());
  return value;
}

/** A frozen object may hold what is not frozen, so `Object.isFrozen` is no reason to stop; having been here is. */
function freeze(value: unknown, seen: Set<object>): void {
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  seen.add(value);
  for (const item of Object.values(Object.freeze(value))) freeze(item, seen);
}

/** Reads JSON as a frozen value. What was just read holds nothing twice and not itself, so nothing need be noted. */
export function parseFrozen(text: string): unknown {
  return frozen(JSON.parse(text));
}

function frozen(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) for (let at = 0; at < value.length; at++) frozen(value[at]);
  else for (const key in value) frozen((value as Record<string, unknown>)[key]);
  return Object.freeze(value);
}

export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  return canonical(a) === canonical(b);
}
