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
