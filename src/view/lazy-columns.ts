import type { CheckedBytes } from "./checked-bytes.js";
import { type Columns, type Frozen, LAYOUT } from "./frozen.js";

/** Where a column lies, and how many numbers it has. */
export type Section = readonly [start: number, length: number];

/** Columns that are read when they are first wanted: one question needs a few of them, and of the long ones some parts. */
export function lazyColumns(
  bytes: CheckedBytes,
  sections: Readonly<Record<keyof Columns, Section>>,
): Columns & Pick<Frozen, "part" | "complete"> {
  const known: Partial<Record<keyof Columns, Columns[keyof Columns]>> = {};
  const inParts: Partial<Record<keyof Columns, number>> = {};
  const read = (name: keyof Columns, from: number, to: number): Columns[keyof Columns] => {
    const Type = LAYOUT[name];
    const [start] = sections[name];
    const size = Type.BYTES_PER_ELEMENT;
    const { buffer, byteOffset } = bytes.read(start + from * size, start + to * size);
    return new Type(buffer as ArrayBuffer, byteOffset, to - from);
  };
  const whole = (name: keyof Columns): Columns[keyof Columns] => {
    known[name] ??= read(name, 0, sections[name][1]);
    return known[name];
  };
  const part = (name: keyof Columns, from: number, to: number): Columns[keyof Columns] => {
    // Whoever goes through all of it, step by step, would read every block for each of its numbers.
    inParts[name] = (inParts[name] ?? 0) + Math.max(LEAST, to - from);
    if (known[name] || inParts[name] > sections[name][1]) return whole(name).subarray(from, to);
    return read(name, from, to);
  };
  const complete = (): void => {
    for (const name of NAMES) whole(name);
    bytes.close();
  };
  const columns = { part, complete };
  for (const name of NAMES)
    Object.defineProperty(columns, name, { enumerable: true, get: () => whole(name) });
  return columns as unknown as Columns & Pick<Frozen, "part" | "complete">;
}

const NAMES = Object.keys(LAYOUT) as (keyof Columns)[];
/** What any part counts as, since blocks are read whole. */
const LEAST = 1 << 12;
