import type { CheckedBytes } from "./checked-bytes.js";
import { type Columns, type Frozen, LAYOUT } from "./frozen.js";
import { NAMES, type Sections } from "./sections.js";
import type { Steps } from "./slices.js";

/**
 * Columns that are read when they are first wanted: one question needs a few of them, and of the long ones some parts. A
 * process that goes on for a while, or writes, completes them, and then holds nothing open.
 */
export function lazyColumns(
  bytes: CheckedBytes,
  sections: Sections,
): Columns & Pick<Frozen, "part" | "complete"> {
  const wholes = new Map<keyof Columns, Columns[keyof Columns]>();
  const asked = new Map<keyof Columns, number>();

  function read<K extends keyof Columns>(name: K, from: number, to: number): Columns[K] {
    const Type = LAYOUT[name];
    const [start] = sections[name];
    const size = Type.BYTES_PER_ELEMENT;
    const { buffer, byteOffset } = bytes.read(start + from * size, start + to * size);
    return new Type(buffer as ArrayBuffer, byteOffset, to - from) as Columns[K];
  }
  function whole<K extends keyof Columns>(name: K): Columns[K] {
    const known = wholes.get(name) ?? read(name, 0, sections[name][1]);
    wholes.set(name, known);
    return known as Columns[K];
  }
  function part<K extends keyof Columns>(name: K, from: number, to: number): Columns[K] {
    const known = wholes.get(name);
    if (known) return known.subarray(from, to) as Columns[K];
    const times = (asked.get(name) ?? 0) + 1;
    asked.set(name, times);
    return times > MANY ? (whole(name).subarray(from, to) as Columns[K]) : read(name, from, to);
  }
  function* complete(): Steps<void> {
    for (const name of NAMES) {
      whole(name);
      yield;
    }
    bytes.close();
  }

  const columns = { part, complete };
  for (const name of NAMES) {
    let known: Columns[typeof name] | undefined;
    const get = () => (known ??= whole(name));
    Object.defineProperty(columns, name, { enumerable: true, get });
  }
  return columns as unknown as Columns & Pick<Frozen, "part" | "complete">;
}

/** Whoever asks for so many parts of a column goes through all of it, and it is cheaper to have it. */
const MANY = 256;
