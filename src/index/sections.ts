import { type Columns, LAYOUT } from "./frozen.js";
import { tableSize } from "./strings.js";

/** Where a column lies, and how many numbers it has. */
export type Section = readonly [start: number, length: number];
export type Sections = Readonly<Record<keyof Columns, Section>>;

/** Every array begins at a multiple of this, so that the bytes of a file can be used as they are. */
const ALIGN = 8;
export const aligned = (at: number): number => Math.ceil(at / ALIGN) * ALIGN;

export const NAMES = Object.keys(LAYOUT) as (keyof Columns)[];

/**
 * Do columns lie as they are written, one behind the other and nothing beside them, and have they as many numbers as belong
 * together? Checksums only say that nothing was changed by chance, and whoever believed a place would read beside the file.
 */
export function areSound(sections: Sections, bodySize: number, partitions: number, names: number): boolean {
  let at = 0;
  for (const name of NAMES) {
    const [start, length] = sections[name];
    if (start !== at || !Number.isSafeInteger(length) || length < 0) return false;
    at = aligned(at + length * LAYOUT[name].BYTES_PER_ELEMENT);
  }
  return at === bodySize && haveLengths(sections, partitions, names);
}

/** One number for each memory. */
const EACH = [
  "version",
  "created",
  "updated",
  "commit",
  "author",
  "expires",
  "session",
  "turn",
  "speaker",
  "role",
  "said",
  "language",
  "traits",
  "confidence",
  "length",
  "saying",
  "sayingNext",
] as const satisfies readonly (keyof Columns)[];

function haveLengths(sections: Sections, partitions: number, names: number): boolean {
  const has = (name: keyof Columns, length: number): boolean => sections[name][1] === length;
  const memories = sections.idStarts[1] - 1;
  const terms = sections.starts[1] - 1;
  return (
    EACH.every((name) => has(name, memories)) &&
    has("hashes", memories * 32) &&
    has("hashTable", tableSize(memories)) &&
    has("sayingTable", tableSize(memories / 2)) &&
    has("termStarts", terms + 1) &&
    has("termTable", tableSize(terms)) &&
    has("weights", sections.docs[1]) &&
    has("bounds", partitions + 1) &&
    has("turnStarts", names + 1)
  );
}
