import * as z from "zod";
import { PalimpsestError } from "../../session/index.js";
import { unquoted } from "../cli/input-text.js";
import { cut, quoted } from "./telling.js";

/** Other names that models give to an argument, each with its own. */
export type Aliases = Readonly<Record<string, readonly string[]>>;

export interface Reading<T> {
  readonly args: T;
  /** What was changed of what was given, so that nobody wonders. */
  readonly notes: readonly string[];
}

interface Property {
  readonly type?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
  readonly unlisted?: boolean;
}

/** Marks an argument that is understood, because the documents name it, and is not listed: a list costs every conversation. */
export const unlisted = <T extends z.ZodType>(schema: T): T => schema.meta({ unlisted: true }) as T;

/** Bounds that are kept by using them: a model asks for as many as it can, and means it. */
const BOUNDED = new Set(["limit", "budget", "confidence", "min_similarity", "ttl_seconds"]);
/** Asked with quotes around it, a question is the same question. */
const ASKED = new Set(["question", "query", "about"]);

/** Reads the arguments of a call as they are meant, not only as they are written; what cannot be meant is an error that helps. */
export class Arguments<In extends z.ZodType> {
  readonly #properties: Readonly<Record<string, Property>>;
  readonly #renamed: ReadonlyMap<string, string>;

  constructor(
    readonly tool: string,
    readonly schema: In,
    aliases: Aliases,
    readonly example: Readonly<Record<string, unknown>>,
  ) {
    const { properties = {} } = z.toJSONSchema(schema, { io: "input" });
    this.#properties = properties as Record<string, Property>;
    this.#renamed = new Map(
      Object.entries(aliases).flatMap(([name, others]) => others.map((one) => [plain(one), name] as const)),
    );
  }

  read(given: unknown): Reading<z.output<In>> {
    if (typeof given !== "object" || given === null || Array.isArray(given))
      throw this.#wrong(`${this.tool} takes its arguments as one object.`);
    const notes: string[] = [];
    const meant: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(given)) {
      // What is left out by saying so is left out.
      if (value === null) continue;
      const name = this.#nameOf(key, given);
      if (name === undefined)
        throw this.#wrong(`${this.tool} does not know the argument ${quoted(key, 100)}.`);
      meant[name] = this.#meant(name, value, notes);
    }
    const found = this.schema.safeParse(meant);
    if (found.success) return { args: found.data, notes };
    const [issue] = found.error.issues;
    const where = issue?.path.map(String).join(".") ?? "";
    const said = issue?.message.replace(/^Invalid input: /, "") ?? "It is not understood.";
    throw this.#wrong(
      where === ""
        ? `${this.tool}: ${said}.`
        : `The argument ${quoted(where, 100)} of ${this.tool}: ${said}.`,
    );
  }

  /** Its own name, however it is spelt; another only where its own was not given as well. */
  #nameOf(key: string, given: object): string | undefined {
    if (Object.hasOwn(this.#properties, key)) return key;
    const own = Object.keys(this.#properties).find((name) => plain(name) === plain(key));
    const name = own ?? this.#renamed.get(plain(key));
    return name !== undefined && !Object.hasOwn(given, name) ? name : undefined;
  }

  #meant(name: string, value: unknown, notes: string[]): unknown {
    const { type, minimum, maximum } = this.#properties[name] as Property;
    if (type === "array" && typeof value === "string") return listOf(value);
    if (type === "boolean" && (value === "true" || value === "false")) return value === "true";
    if (type === "string" && typeof value === "number") return String(value);
    if (ASKED.has(name) && typeof value === "string") return asAsked(value, name);
    if (type !== "number" && type !== "integer") return value;
    const number = typeof value === "string" && /^\s*-?\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : value;
    if (typeof number !== "number" || !BOUNDED.has(name)) return number;
    const whole = type === "integer" ? Math.round(number) : number;
    const used = Math.min(maximum ?? whole, Math.max(minimum ?? whole, whole));
    if (used !== number) notes.push(`${name} is ${used}, not ${number}.`);
    return used;
  }

  #wrong(message: string): PalimpsestError {
    const listed = Object.entries(this.#properties).filter(([, { unlisted: isHidden }]) => isHidden !== true);
    const names = listed.map(([name, { enum: words }]) => (words ? `${name} (${words.join(", ")})` : name));
    return new PalimpsestError("INVALID_FIELD", message, {
      hint: `It takes ${names.length === 0 ? "no arguments" : names.join(", ")}. For example ${JSON.stringify(this.example)}.`,
      data: { isSaid: true },
    });
  }
}

/** `ifVersion`, `if-version` and `if_version` are one name. */
const plain = (name: string): string =>
  cut(name, 100)
    .toLowerCase()
    .replace(/[_\s-]/g, "");

const listOf = (text: string): unknown => {
  if (/^\s*\[/.test(text))
    try {
      return JSON.parse(text);
    } catch {
      // It only begins like one.
    }
  return text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
};

/** To a search quotes are a phrase, unless a question stands in them. */
function asAsked(text: string, name: string): string {
  const inner = unquoted(text);
  return name !== "query" || /[?？]$/.test(inner) ? inner : text;
}
