import { unavailable } from "./unavailable.js";

/** Checks what a service gave out as vectors: as many as texts, of one size, all numbers. */
export function readVectors(given: unknown, count: number, dimensions: number | undefined): Float32Array[] {
  if (!Array.isArray(given) || given.length !== count)
    throw unavailable(`The service gave ${lengthOf(given)} vectors for ${count} texts.`);
  return given.map((vector: unknown) => {
    if (!Array.isArray(vector) || vector.length === 0 || !vector.every(Number.isFinite))
      throw unavailable("The service gave something that is no vector.");
    if (dimensions !== undefined && vector.length !== dimensions)
      throw unavailable(`The service gave a vector of ${vector.length} instead of ${dimensions} dimensions.`);
    return Float32Array.from(vector as number[]);
  });
}

const lengthOf = (given: unknown): number | string => (Array.isArray(given) ? given.length : "no");

/** Services refuse what has no character, and get a blank in its place. */
export const sayable = (text: string): string => (text.trim() === "" ? " " : text.toWellFormed());

/** In parts of at most so many, one after the other: a service should not be given everything at once. */
export async function inParts(
  texts: readonly string[],
  size: number,
  embed: (part: readonly string[]) => Promise<Float32Array[]>,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let at = 0; at < texts.length; at += size) vectors.push(...(await embed(texts.slice(at, at + size))));
  return vectors;
}
