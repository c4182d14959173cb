import type { Field, Fields, Given } from "../../session/index.js";
import { usage } from "./fail.js";
import type { OptionSpec, Options } from "./options.js";
import { attributesOf } from "./values.js";

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** An option of a command that is an option of its verb: word, meaning and choices are what the verb says of it. */
export function flagOf<F extends Fields>(fields: F, name: keyof F & string, flags?: string): OptionSpec {
  const { form, meaning = "", choices, ...field } = fields[name] as Field;
  const repeat = form === "list" || form === "json";
  const word = field.word ?? (form === "json" ? "K=V" : name);
  return {
    flags: flags ?? (form === "flag" ? `--${kebab(name)}` : `--${kebab(name)} <${word}>`),
    description: `${meaning}${form === "json" ? ", V as JSON or text" : ""}${repeat ? "; may be repeated" : ""}`,
    ...(choices && { choices }),
    ...(repeat && { repeat }),
  };
}

/** The same of several that are called as the verb calls them. */
export const flagsOf = <F extends Fields>(fields: F, ...names: (keyof F & string)[]): OptionSpec[] =>
  names.map((name) => flagOf(fields, name));

/** The same where they mean something only in one use of the command: `with list: …`. */
export const flagsWhen = (use: string, specs: readonly OptionSpec[]): OptionSpec[] =>
  specs.map((spec) => ({ ...spec, description: `${use}: ${spec.description}` }));

/** What was given of them, as the verb takes it; what was not given is absent. */
export function valuesOf<F extends Fields, N extends keyof F & string>(
  options: Options,
  fields: F,
  ...names: N[]
): { readonly [K in N]?: Exclude<Given<F>[K], undefined> } {
  const values: Record<string, unknown> = {};
  for (const name of names) {
    const value = oneValue(options, name, (fields[name] as Field).form);
    if (value !== undefined) values[name] = value;
  }
  return values as { [K in N]?: Exclude<Given<F>[K], undefined> };
}

function oneValue(options: Options, name: string, form: Field["form"]): unknown {
  if (form === "flag") return isSet(options, name) || undefined;
  if (form === "json") return attributesOf(options.list(name), `--${kebab(name)}`);
  if (form === "count") return options.count(name);
  if (form === "number") return numberOf(options, name);
  return form === "list" ? (options.has(name) ? options.list(name) : undefined) : options.text(name);
}

/** Commander reads `--no-ff` as `ff: false`. */
const isSet = (options: Options, name: string): boolean =>
  /^no[A-Z]/.test(name) ? options.has(name.charAt(2).toLowerCase() + name.slice(3)) : options.flag(name);

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
