import { canonical, copyJson, type JsonObject, PalimpsestError, unreadable } from "../core/base/index.js";
import type { MemoryInput } from "../gate/index.js";

/** Says what an option has to be, if the value given is not that. */
export type Check = (value: unknown) => string | undefined;
/** Every option a verb knows. */
export type Allowed<T> = { readonly [K in keyof Required<T>]: Check };

/**
 * Are these options of a verb? A name nobody knows is refused, never passed over: a filter or a clearance that is spelled
 * wrong would show more than was asked for. Texts that have a form of their own are read where they are used.
 */
export function checkOptions<T extends object>(verb: string, given: T, allowed: Allowed<NoInfer<T>>): void {
  try {
    check(verb, given, allowed);
  } catch (error) {
    throw unreadable(error);
  }
}

function check<T extends object>(verb: string, given: T, allowed: Allowed<T>): void {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new PalimpsestError("INVALID_VALUE", `The options of ${verb} are given as an object.`, {
      hint: `Its options are ${Object.keys(allowed).join(", ")}.`,
    });
  for (const name of Object.keys(given))
    if (!Object.hasOwn(allowed, name))
      throw new PalimpsestError("INVALID_FIELD", `${verb} has no option ${quoted(name)}.`, {
        hint: `Its options are ${Object.keys(allowed).join(", ")}.`,
        data: { field: name.slice(0, 64).toWellFormed() },
      });
  for (const [name, check] of Object.entries<Check>(allowed)) {
    const value = given[name as keyof T];
    const problem = value === undefined ? undefined : check(value);
    if (problem !== undefined)
      throw new PalimpsestError(
        "INVALID_VALUE",
        `The option ${quoted(name)} of ${verb} must be ${problem}.`,
        {
          hint: "Give it so, or leave it out.",
          data: { field: name },
        },
      );
  }
}

/**
 * Is what a verb is given beside its options what it takes? Names of memories, branches and scopes are read by those who
 * parses them, with a code of their own.
 */
export function checkGiven(
  verb: string,
  given: Readonly<Record<string, unknown>>,
  allowed: Readonly<Record<string, Check>>,
): void {
  try {
    for (const [name, check] of Object.entries(allowed)) {
      const problem = check(given[name]);
      if (problem !== undefined)
        throw new PalimpsestError("INVALID_VALUE", `The ${name} of ${verb} must be ${problem}.`, {
          hint: "Give it so.",
          data: { field: name },
        });
    }
  } catch (error) {
    throw unreadable(error);
  }
}

/** A copy of what a verb is given as a value with parts: what was checked is what is used. */
export function plainGiven<T>(verb: string, name: string, given: T, check: Check): T {
  const plain = given === undefined ? given : copyJson(given);
  checkGiven(verb, { [name]: plain }, { [name]: check });
  return plain;
}

const quoted = (name: string): string => JSON.stringify(name.slice(0, 64).toWellFormed());

/** How a field is written where people or programs give it as text or JSON. */
export type Form = "text" | "flag" | "count" | "number" | "choice" | "list" | "json" | "code";

declare const VALUE: unique symbol;

/** A field of what a verb takes: what it may be, how it is written, and what it means, for every door. */
export interface Field<T = unknown> extends Check {
  readonly form: Form;
  readonly choices?: readonly string[];
  /** What stands for the value in a line of help: `<scope>`. */
  readonly word?: string;
  readonly meaning?: string;
  /** The same field, said in words. */
  as(meaning: string, word?: string): Field<T>;
  readonly [VALUE]?: T;
}

/** The fields of an object, by name. */
export type Fields = Readonly<Record<string, Field<never> | Field>>;

/** What these fields may be given as; each may be left out. */
export type Given<F> = { readonly [K in keyof F]?: F[K] extends Field<infer T> ? T : never };

interface Said {
  readonly choices?: readonly string[];
  readonly word?: string;
  readonly meaning?: string;
}

function field<T>(form: Form, check: Check, said: Said = {}): Field<T> {
  const as = (meaning: string, word?: string): Field<T> =>
    field(form, check, { ...said, meaning, ...(word !== undefined && { word }) });
  return Object.assign((value: unknown) => check(value), { form, ...said, as });
}

/** A field of the kind of another, under a narrower type. */
export const typed = <T>(of: Field): Field<T> => of as Field<never> as Field<T>;

const kind =
  (name: "string" | "boolean" | "function", what: string): Check =>
  (value) =>
    typeof value === name ? undefined : `${what}${butIs(value)}`;

/** What was given instead, where that can be said in a word. */
function butIs(value: unknown): string {
  if (typeof value === "string") return `, not ${quoted(value)}`;
  return typeof value === "object" || typeof value === "function" ? "" : `, not ${String(value)}`;
}

export const text: Field<string> = field("text", kind("string", "text"));
export const flag: Field<boolean> = field("flag", kind("boolean", "true or false"));
export const action: Field<(...args: never[]) => unknown> = field("code", kind("function", "a function"));
/** A function that is called while long work goes on. */
export const progress = <A extends readonly unknown[] = [done: number, total: number]>(): Field<
  ((...args: A) => void) | undefined
> => action as Field<never> as Field<((...args: A) => void) | undefined>;
export const anything: Field = field("code", () => undefined);

/** How many: Infinity is all of them. */
export const count: Field<number> = field("count", (value) =>
  (Number.isInteger(value) || value === Number.POSITIVE_INFINITY) && (value as number) >= 0
    ? undefined
    : `a whole number from 0${butIs(value)}`,
);

export const number: Field<number> = field("number", (value) =>
  typeof value === "number" && !Number.isNaN(value) ? undefined : `a number${butIs(value)}`,
);

/** A number of which people give whole ones: tokens, days. */
export const quantity: Field<number> = field("count", number);

/** The name of a file or folder. */
export const path: Field<string> = field("text", (value) =>
  typeof value === "string" && value !== "" && value.isWellFormed() && !value.includes("\0")
    ? undefined
    : `a path${butIs(value)}`,
);

/** Every place of the list is looked at, also one that holds nothing. */
export const listOf = <T = unknown>(item: Check, what: string): Field<readonly T[]> =>
  field("list", (value) =>
    Array.isArray(value) && Array.from(value).every((one) => item(one) === undefined)
      ? undefined
      : `a list of ${what}`,
  );

export const texts: Field<readonly string[]> = listOf(text, "texts");

export const list: Field<readonly unknown[]> = field("list", (value) =>
  Array.isArray(value) ? undefined : "a list",
);

export const object: Field<object> = field("json", (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? undefined : "an object",
);

/** An object that says no more than JSON can: what has to be kept, or be looked through. */
export const json: Field<JsonObject> = field("json", (value) => {
  const problem = object(value);
  if (problem === undefined) canonical(value);
  return problem;
});

/** An object with fields of these kinds; others are passed over. */
export const shape = <T = object>(fields: Readonly<Record<string, Check>>): Field<T> =>
  field("json", (value) => {
    const problem = object(value);
    if (problem !== undefined) return problem;
    for (const [name, check] of Object.entries(fields)) {
      const inner = check((value as Readonly<Record<string, unknown>>)[name]);
      if (inner !== undefined) return `an object whose ${name} is ${inner}`;
    }
    return undefined;
  });

export const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined ? undefined : check(value);

export const either = <T = unknown>(...checks: readonly Check[]): Field<T> =>
  field("code", (value) => {
    const problems = checks.map((check) => check(value));
    return problems.includes(undefined) ? undefined : problems.join(", or ");
  });

/** What ends long work between two steps. */
export const signal: Field<AbortSignal> = typed(
  shape({ aborted: flag, addEventListener: action, throwIfAborted: action }),
);

export const oneOf = <const T extends string>(...words: readonly T[]): Field<T> =>
  field(
    "choice",
    (value) => (words.includes(value as T) ? undefined : `one of ${words.join(", ")}${butIs(value)}`),
    { choices: words },
  );

/** As the field of a memory, which knows no others. */
export const word: Field<string> = field("text", (value) =>
  typeof value === "string" && /^[a-z][a-z0-9_-]{0,63}$/.test(value)
    ? undefined
    : `a lower-case word${butIs(value)}`,
);

export const tier = oneOf("register", "canon", "log");
export const sensitivity = oneOf("normal", "private", "confidential");
export const trust = oneOf("external", "agent", "user", "operator");
export const mode = oneOf("hybrid", "lexical", "vector");

export const THEN = {
  at: text.as("a commit, branch, tag, snapshot or time: the answer as it was then", "when"),
};
export const PLACED = { ...THEN, scope: text.as("look only in this scope", "scope") };
export const COMMIT_NOTE = {
  message: typed<string | undefined>(text).as("message of the commit", "text"),
  meta: typed<JsonObject | undefined>(json).as("said with the commit"),
};
/** What goes into the commit of a write beside its events. */
export const WRITING = {
  ...COMMIT_NOTE,
  dryRun: typed<boolean | undefined>(flag).as("only the verdict; nothing is written"),
};

export type WriteOptions = Given<typeof WRITING>;
export type CommitNote = Given<typeof COMMIT_NOTE>;
export type Then = Given<typeof THEN>;
export type Placed = Given<typeof PLACED>;

/** What a caller gave, its fields read once: a getter may throw, or answer otherwise the next time. */
export function readOnce<T>(given: T): T {
  try {
    if (typeof given !== "object" || given === null) return given;
    return Array.isArray(given) ? ([...given] as T) : { ...given };
  } catch (error) {
    throw unreadable(error);
  }
}

/** Most inputs hold no options, and taking fields out of an object costs more than looking for them. */
export function withOptions(
  verb: string,
  given: MemoryInput & WriteOptions,
): {
  readonly options: WriteOptions;
  readonly rest: MemoryInput;
} {
  if (typeof given !== "object" || given === null) checkOptions<WriteOptions>(verb, given, WRITING);
  if (!("message" in given || "meta" in given || "dryRun" in given)) return { options: {}, rest: given };
  const { message, meta, dryRun, ...rest } = given;
  const options = { message, meta, dryRun };
  checkOptions(verb, options, WRITING);
  return { options, rest };
}
