/** A list in an answer, given bare or under its name. */
export function readList(
  value: unknown,
  name: string,
): readonly Readonly<Record<string, unknown>>[] | string {
  const list = Array.isArray(value) ? value : (value as Record<string, unknown> | null)?.[name];
  if (!Array.isArray(list)) return `It has no list "${name}".`;
  if (list.some((one) => typeof one !== "object" || one === null || Array.isArray(one)))
    return `"${name}" holds something that is no object.`;
  return list as Readonly<Record<string, unknown>>[];
}

export const text = (value: unknown): string => (typeof value === "string" ? value.trim() : "");

export const oneOf = <T extends string>(value: unknown, choices: readonly T[]): T | undefined =>
  choices.find((choice) => choice === (typeof value === "string" ? value.toLowerCase() : value));
