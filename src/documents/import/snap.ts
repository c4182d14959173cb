import { type Json, type JsonObject, PalimpsestError } from "../../core/base/index.js";
import { positionBetween } from "../../core/ledger/index.js";
import { typeOf } from "../ast.js";
import { defined, type Import, type ImportedMemory, textOf } from "./item.js";
import { Dotted, Name, readSexp, type Sexp, Struct } from "./sexp.js";

/** Lisp counts seconds from 1900. */
const EPOCH = 2_208_988_800;

/**
 * `memory.snap`: the live objects of a Lisp image, `(:memory ((id . object) …) :history-store (…))`. Objects without a
 * scope are from before there were scopes.
 */
export function importSnap(text: string): Import {
  const data = readSexp(text);
  const entries = data === undefined ? [] : plist(data).get("MEMORY");
  if (!Array.isArray(entries))
    throw new PalimpsestError("INVALID_FILE", "This is no memory.snap: it has no list :memory.");
  const problems: { where: string; reason: string }[] = [];
  const objects = new Map<string, ReadonlyMap<string, Sexp>>();
  for (const [index, entry] of entries.entries()) {
    const object = objectOf(entry);
    const id = object && textOf(object.get("ID"));
    if (object && id !== undefined) objects.set(id, object);
    else problems.push({ where: `object ${index + 1}`, reason: "This is no object with an id." });
  }
  const places = childPlaces(objects);
  return {
    memories: [...objects].map(([id, object]) => memoryOf(id, object, objects, places)),
    forgotten: [],
    problems,
  };
}

/** `("id" . #S(MEMORY-OBJECT :ID …))`, also as a plain property list. */
function objectOf(entry: Sexp): ReadonlyMap<string, Sexp> | undefined {
  const value = entry instanceof Dotted ? entry.tail : Array.isArray(entry) ? entry.slice(1) : entry;
  if (value instanceof Struct) return plist(value.slots);
  if (!Array.isArray(value)) return undefined;
  return value.length === 1 && value[0] instanceof Struct ? plist(value[0].slots) : plist(value);
}

function plist(value: Sexp): Map<string, Sexp> {
  const pairs = new Map<string, Sexp>();
  if (!Array.isArray(value)) return pairs;
  for (let at = 0; at + 1 < value.length; at += 2) {
    const name = value[at];
    if (name instanceof Name && !pairs.has(name.name)) pairs.set(name.name, value[at + 1] as Sexp);
  }
  return pairs;
}

function memoryOf(
  id: string,
  object: ReadonlyMap<string, Sexp>,
  objects: ReadonlyMap<string, unknown>,
  places: ReadonlyMap<string, string>,
): ImportedMemory {
  const type = object.get("TYPE");
  const attributes = Object.fromEntries(
    [...plist(object.get("ATTRIBUTES") ?? [])]
      .filter(([name]) => name !== "__proto__")
      .map(([name, value]) => [name, jsonOf(value)]),
  );
  const word = type instanceof Name && type.name !== "NIL" ? typeOf(type.name) : "note";
  const parent = textOf(object.get("PARENT-ID"));
  const version = object.get("VERSION");
  const time = typeof version === "number" ? timeOf(version) : undefined;
  const scope = object.get("SCOPE");
  const place =
    scope instanceof Name && !["NIL", "MEMEX"].includes(scope.name) ? scope.name.toLowerCase() : undefined;
  const position = places.get(id);
  return {
    id,
    scope: "shared",
    type: word,
    text: contentOf(object.get("CONTENT")) ?? contentOf(attributes.TITLE) ?? "",
    attributes: defined({ ...attributes, imported: defined({ from: "memory.snap", time }) }) as JsonObject,
    ...(place !== undefined && { category: place }),
    ...(parent !== undefined &&
      parent !== id &&
      objects.has(parent) && { parent, ...(position && { position }) }),
  };
}

/** What is absent is absent: NIL is no text, and no word is put in its place. */
const contentOf = (value: Sexp | Json | undefined): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** Positions by the order in which parents list their children. */
function childPlaces(objects: ReadonlyMap<string, ReadonlyMap<string, Sexp>>): Map<string, string> {
  const places = new Map<string, string>();
  for (const object of objects.values()) {
    const children = object.get("CHILDREN");
    let last: string | undefined;
    for (const child of Array.isArray(children) ? children : []) {
      if (typeof child !== "string") continue;
      last = positionBetween(last, undefined);
      places.set(child, last);
    }
  }
  return places;
}

function timeOf(universal: number): string | undefined {
  const at = new Date((universal - EPOCH) * 1000);
  return Number.isFinite(at.getTime()) && at.getUTCFullYear() >= 0 && at.getUTCFullYear() <= 9999
    ? at.toISOString()
    : undefined;
}

/** Plain data as JSON: NIL is null, T is true, other symbols are their names. */
function jsonOf(value: Sexp, depth = 0): Json {
  if (depth > 50) return null;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "string") return value.toWellFormed();
  if (value instanceof Name) return value.name === "NIL" ? null : value.name === "T" ? true : value.name;
  if (value instanceof Struct) return value.slots.map((slot) => jsonOf(slot, depth + 1));
  if (value instanceof Dotted) return [...value.items, value.tail].map((item) => jsonOf(item, depth + 1));
  return value.map((item) => jsonOf(item, depth + 1));
}
