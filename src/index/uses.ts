import type { Columns } from "./frozen.js";

const NAME_COLUMNS = ["session", "speaker", "role", "language"] as const;
export type NameColumn = (typeof NAME_COLUMNS)[number];

/** In a frozen part one after the other: partition, place in `NAME_COLUMNS`, number of the name, memories, their lengths. */
const WIDTH = 5;

/** How often each name is used in each partition, counted once so that no start has to go through all memories. */
export function countUses(
  columns: Pick<Columns, NameColumn | "length" | "bounds">,
  none: number,
): Uint32Array {
  const { bounds, length } = columns;
  const rows: number[] = [];
  for (let partition = 0; partition + 1 < bounds.length; partition++)
    for (const [at, column] of NAME_COLUMNS.entries()) {
      const rowOf = new Map<number, number>();
      const names = columns[column];
      for (let doc = bounds[partition]!; doc < bounds[partition + 1]!; doc++) {
        const name = names[doc]!;
        if (name === none) continue;
        let row = rowOf.get(name);
        if (row === undefined) {
          row = rows.push(partition, at, name, 0, 0) - WIDTH;
          rowOf.set(name, row);
        }
        rows[row + 3]!++;
        rows[row + 4]! += length[doc]!;
      }
    }
  return Uint32Array.from(rows);
}

/** How many memories use each name, by its number, and how long they are together. */
export class Uses {
  readonly counts: Uint32Array;
  readonly lengths: Float64Array;

  constructor(size: number) {
    this.counts = new Uint32Array(size);
    this.lengths = new Float64Array(size);
  }

  add(name: number, count: number, length: number): void {
    if (name < 0) return;
    this.counts[name]! += count;
    this.lengths[name]! += length;
  }

  /** All that a frozen part counted in the partitions that are wanted. */
  addFrozen(uses: Uint32Array, column: NameColumn, wanted: (partition: number) => boolean): void {
    const place = NAME_COLUMNS.indexOf(column);
    for (let at = 0; at < uses.length; at += WIDTH)
      if (uses[at + 1] === place && wanted(uses[at]!)) this.add(uses[at + 2]!, uses[at + 3]!, uses[at + 4]!);
  }
}
