import type { Field, Fields, Given } from "../../session/index.js";
import { usage } from "./fail.js";

export interface OptionSpec {
  /** As commander reads it: `-n, --limit <count>`. */
  readonly flags: string;
  readonly description: string;
  readonly choices?: readonly string[];
  /** May be given several times. */
  readonly repeat?: true;
}

/** Options as they were given; each reader says what it expects. */
export class Options {
  readonly #values: Readonly<Record<string, unknown>>;
  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values;
  }

  has(name: string): boolean {
    return this.#values[name] !== undefined;
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === "string" ? value : undefined;
  }

  flag(name: string): boolean {
    return this.#values[name] === true;
  }

  /** Every value of a repeatable option. */
  list(name: string): readonly string[] {
    const value = this.#values[name];
    return Array.isArray(value) ? (value as string[]) : [];
  }

  /** A whole number from 1. */
  count(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const count = Number(text);
    if (/^\d{1,15}$/.test(text) && count >= 1) return count;
    throw usage(
      `--${name} must be a whole number from 1, not ${JSON.stringify(text)}.`,
      `For example --${name} 20.`,
    );
  }
}

/** The options among these that were given, for functions that tell absent from undefined. */
export function given<Name extends string>(options: Options, ...names: Name[]): { [N in Name]?: string } {
  const values: { [N in Name]?: string } = {};
  for (const name of names) {
    const value = options.text(name);
    if (value !== undefined) values[name] = value;
  }
  return values;
}

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Options of a command that are options of its verb: name, words and choices are what the verb says of them. */
export function flagsOf<F extends Fields>(fields: F, ...names: (keyof F & string)[]): OptionSpec[] {
  return names.map((name) => {
    const { form, word = name, meaning = "", choices } = fields[name] as Field;
    return {
      flags: form === "flag" ? `--${kebab(name)}` : `--${kebab(name)} <${word}>`,
      description: meaning,
      ...(choices && { choices }),
      ...(form === "list" && { repeat: true as const }),
    };
  });
}

/** What was given of them, as the verb takes it; what was not given is absent. */
export function valuesOf<F extends Fields, N extends keyof F & string>(
  options: Options,
  fields: F,
  ...names: N[]
): Pick<Given<F>, N> {
  const values: Record<string, unknown> = {};
  for (const name of names) {
    const value = oneValue(options, name, (fields[name] as Field).form);
    if (value !== undefined) values[name] = value;
  }
  return values as Pick<Given<F>, N>;
}

function oneValue(options: Options, name: string, form: Field["form"]): unknown {
  if (form === "flag") return options.flag(name) || undefined;
  if (form === "count") return options.count(name);
  if (form === "number") return numberOf(options, name);
  return form === "list" ? (options.has(name) ? options.list(name) : undefined) : options.text(name);
}

function numberOf(options: Options, name: string): number | undefined {
  const text = options.text(name);
  if (text === undefined) return undefined;
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isFinite(value)) return value;
  throw usage(
    `--${kebab(name)} must be a number, not ${JSON.stringify(text)}.`,
    `For example --${kebab(name)} 0.5.`,
  );
}
