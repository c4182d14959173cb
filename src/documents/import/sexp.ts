import { PalimpsestError } from "../../core/base/index.js";

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
export type Sexp = string | number | Name | Struct | Dotted | readonly Sexp[];

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
