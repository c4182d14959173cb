import type { CheckedBytes } from "./checked-bytes.js";
import { type Columns, type Frozen, LAYOUT } from "./frozen.js";

/** Where a column lies, and how many numbers it has. */
export type Section = readonly [start: number, length: number];

/** Columns that are read when they are first wanted: one question needs a few of them, and of the others some parts. */
export function lazyColumns(
  bytes: CheckedBytes,
  sections: Readonly<Record<keyof Columns, Section>>,
): Columns & Pick<Frozen, "part" | "at" | "complete"> {
  const known: Partial<Record<keyof Columns, Columns[keyof Columns]>> = {};
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
  const asked: Partial<Record<keyof Columns, number>> = {};
  const wholeIfMany = (name: keyof Columns): Columns[keyof Columns] | undefined => {
    if (known[name]) return known[name];
    asked[name] = (asked[name] ?? 0) + 1;
    return asked[name] > MANY ? whole(name) : undefined;
  };
  const columns = {
    part: (name: keyof Columns, from: number, to: number) =>
      wholeIfMany(name)?.subarray(from, to) ?? read(name, from, to),
    at: (name: keyof Columns, place: number) => {
      const all = wholeIfMany(name);
      return all ? all[place] : read(name, place, place + 1)[0];
    },
    *complete() {
      for (const name of NAMES) {
        whole(name);
        yield;
      }
      bytes.close();
    },
  };
  for (const name of NAMES)
    Object.defineProperty(columns, name, { enumerable: true, get: () => whole(name) });
  return columns as unknown as Columns & Pick<Frozen, "part" | "at" | "complete">;
}

const NAMES = Object.keys(LAYOUT) as (keyof Columns)[];
/** Whoever asks for so many parts of a column goes through all of it, and it is cheaper to have it. */
const MANY = 256;
