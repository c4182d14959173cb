import { createHash } from "node:crypto";

/** Why a proof is not believed. */
export class Refusal extends Error {}

export function demand(condition: boolean, reason: string): asserts condition {
  if (!condition) throw new Refusal(reason);
}

/** What was refused, as a value, so that a caller who checks a proof never has to catch anything. */
export function refusing<Verdict>(check: () => Verdict): Verdict | { ok: false; reason: string } {
  try {
    return check();
  } catch (error) {
    return { ok: false, reason: error instanceof Refusal ? error.message : "the proof cannot be read" };
  }
}

export type Fields = Record<string, unknown>;

/** Each field is read once and from the object itself, so that what is checked is what is used. */
export function fieldsOf(value: unknown, names: readonly string[]): Fields {
  demand(typeof value === "object" && value !== null && !Array.isArray(value), "not an object");
  const fields: Fields = { ...value };
  for (const name of Object.keys(fields))
    demand(names.includes(name), `unknown field ${JSON.stringify(name.slice(0, 80))}`);
  return fields;
}

/** The items of a list, read once, or a refusal before any of a longer list is read. */
export function itemsOf(value: unknown, most: number, refusal: string): unknown[] {
  const items: unknown[] = Array.isArray(value) ? Array.prototype.slice.call(value, 0, most + 1) : [];
  demand(Array.isArray(value) && items.length <= most, refusal);
  return items;
}

export function hashOf(value: unknown, name: string): string {
  demand(typeof value === "string" && /^[0-9a-f]{64}$/.test(value), `${name} is not a whole hash`);
  return value;
}

export function textOf(value: unknown, name: string): string {
  demand(typeof value === "string" && value.isWellFormed(), `${name} is not well-formed text`);
  return value;
}

export function digest(kind: string, content: string | Uint8Array): string {
  return createHash("sha256").update(`palimpsest:${kind}:v1\n`).update(content).digest("hex");
}
