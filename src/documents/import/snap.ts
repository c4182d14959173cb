import { type Json, type JsonObject, PalimpsestError } from "../../core/base/index.js";
import { positionBetween } from "../../core/ledger/index.js";
import { typeOf } from "../ast.js";
import { defined, type Import, type ImportedMemory, textOf } from "./item.js";

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

/** A Lisp symbol or keyword, by name. */
export class Name {
  constructor(readonly name: string) {}
}
/** `#S(NAME :SLOT value …)`. */
export class Struct {
  constructor(
    readonly name: string,
    readonly slots: readonly Sexp[],
  ) {}
}
/** `(a . b)`: the last cell of a list that ends in something. */
export class Dotted {
  constructor(
    readonly items: readonly Sexp[],
    readonly tail: Sexp,
  ) {}
}
type Sexp = string | number | Name | Struct | Dotted | readonly Sexp[];

interface Open {
  readonly kind: "list" | "vector" | "struct";
  readonly items: Sexp[];
  tail?: Sexp;
  isDotted: boolean;
}

/**
 * Reads one Lisp datum as data. Nothing is ever evaluated: what asks for it (`#.`), and every other reader macro that
 * no memory file needs, is refused. A loop, because lists may be nested deeper than the stack.
 */
export function readSexp(text: string): Sexp | undefined {
  const open: Open[] = [];
  let result: Sexp | undefined;
  let isDone = false;
  const add = (value: Sexp): void => {
    const top = open.at(-1);
    if (!top) {
      if (isDone) throw broken("there is something after the end");
      result = value;
      isDone = true;
    } else if (!top.isDotted) top.items.push(value);
    else if (top.tail === undefined) top.tail = value;
    else throw broken("a dot has two tails");
  };
  for (const token of tokens(text)) {
    const top = open.at(-1);
    if (token === "(" || token === "#(" || token === "#S(")
      open.push({
        kind: token === "(" ? "list" : token === "#(" ? "vector" : "struct",
        items: [],
        isDotted: false,
      });
    else if (token === ")") {
      if (!top) throw broken("a list is closed that was never opened");
      open.pop();
      add(closed(top));
    } else if (token === ".") {
      if (!top || top.items.length === 0 || top.isDotted) throw broken("a dot stands where none can");
      top.isDotted = true;
    } else add(atom(token));
  }
  if (open.length > 0) throw broken("it ends inside a list");
  return result;
}

function closed({ kind, items, tail, isDotted }: Open): Sexp {
  if (isDotted && tail === undefined) throw broken("a dot has no tail");
  if (kind === "struct") {
    const [name, ...slots] = items;
    if (!(name instanceof Name)) throw broken("a structure has no name");
    return new Struct(name.name, slots);
  }
  if (tail === undefined) return items;
  // (a . (b c)) is the list (a b c).
  return Array.isArray(tail) ? [...items, ...tail] : new Dotted(items, tail);
}

const broken = (why: string): PalimpsestError =>
  new PalimpsestError("INVALID_FILE", `This is not a readable Lisp file: ${why}.`, {
    hint: "Nothing was read from it, and it was not changed.",
  });

function* tokens(text: string): Generator<string> {
  for (let at = text.startsWith("\ufeff") ? 1 : 0; at < text.length; ) {
    const char = text[at] as string;
    if (/\s/.test(char)) at++;
    else if (char === ";") at = endOf(text, "\n", at);
    else if (text.startsWith("#|", at)) at = endOf(text, "|#", at);
    else if (char === "(" || char === ")") {
      yield char;
      at++;
    } else if (text.startsWith("#(", at)) {
      yield "#(";
      at += 2;
    } else if (/^#s\(/i.test(text.slice(at, at + 3))) {
      yield "#S(";
      at += 3;
    } else if (char === '"') {
      const end = closing(text, at, '"');
      yield text.slice(at, end);
      at = end;
    } else {
      if (char === "#" && text[at + 1] !== ":")
        throw broken(`it uses #${text[at + 1] ?? ""}, which is no plain data`);
      if (char === "'" || char === "`" || char === ",")
        throw broken(`it uses ${char}, which is no plain data`);
      const end = endOfSymbol(text, at);
      yield text.slice(at, end);
      at = end;
    }
  }
}

const endOf = (text: string, mark: string, from: number): number => {
  const end = text.indexOf(mark, from);
  return end < 0 ? text.length : end + mark.length;
};

/** Where a text or a name in bars ends; a backslash takes the next character as it is. */
function closing(text: string, from: number, mark: string): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === mark) return at + 1;
  }
  throw broken("it ends inside a text");
}

function endOfSymbol(text: string, from: number): number {
  let at = from;
  while (at < text.length && !/[\s()"';`,]/.test(text[at] as string)) {
    if (text[at] === "|") at = closing(text, at, "|");
    else at += text[at] === "\\" ? 2 : 1;
  }
  return Math.max(at, from + 1);
}

const NUMBER = /^[+-]?(?:\d+\.?|\d*\.\d+)(?:[esdfl][+-]?\d+)?$/i;

function atom(token: string): Sexp {
  if (token.startsWith('"')) return token.slice(1, -1).replace(/\\([\s\S])/g, "$1");
  if (NUMBER.test(token)) return Number(token.replace(/[sdfl]/i, "e"));
  // The package before a name says nothing about the data.
  const name = token.replace(/^#?:/, "").replace(/^[^|:]*::?/, "");
  return new Name(name.startsWith("|") ? name.slice(1, -1).replace(/\\([\s\S])/g, "$1") : name.toUpperCase());
}
