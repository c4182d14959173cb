import type { Pages } from "./pages.js";

/** A value of a row: a number is not decoded, because no row is found by one. */
export type Column = Buffer | string | null | undefined;

const TABLE_LEAF = 0x0d;
const INDEX_LEAF = 0x0a;

/** `key` is the number of a row of a table. */
export interface Row {
  readonly key: number;
  readonly columns: readonly Column[];
}

/** The rows whose cells start on a page, as far as they can be read. What is wrong is left out. */
export function* rowsOn(pages: Pages, page: Buffer, isFirst: boolean): Generator<Row> {
  const start = isFirst ? 100 : 0;
  const type = page[start];
  if (type !== TABLE_LEAF && type !== INDEX_LEAF) return;
  const cells = Math.min(page.readUInt16BE(start + 3), page.length / 4);
  for (let cell = 0; cell < cells; cell++) {
    const pointer = start + 8 + 2 * cell;
    if (pointer + 2 > page.length) return;
    const found = cellAt(pages, page, page.readUInt16BE(pointer), type === TABLE_LEAF);
    const columns = found && columnsOf(found.payload);
    if (columns) yield { key: found.key, columns };
  }
}

/** A cell's bytes; where the chain of further pages breaks, what was read so far, and zeros. */
function cellAt(
  pages: Pages,
  page: Buffer,
  at: number,
  isTable: boolean,
): { readonly key: number; readonly payload: Buffer } | undefined {
  const length = varint(page, at);
  const key = length && isTable ? varint(page, length.end) : length;
  if (!length || !key || length.value > 2 ** 30 || length.value < 2) return undefined;
  const usable = pages.size;
  const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  const from = key.end;
  if (length.value <= most) return { key: key.value, payload: page.subarray(from, from + length.value) };
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((length.value - least) % (usable - 4));
  const here = fitting <= most ? fitting : least;
  if (from + here + 4 > page.length) return undefined;
  const payload = Buffer.alloc(Math.min(length.value, pages.count * usable));
  let filled = page.copy(payload, 0, from, from + here);
  let next = page.readUInt32BE(from + here);
  for (let steps = 0; next > 0 && next <= pages.count && filled < payload.length; steps++) {
    if (steps > pages.count) break;
    const further = pages.page(next);
    filled += further.copy(payload, filled, 4);
    next = further.readUInt32BE(0);
  }
  return { key: key.value, payload };
}

function varint(bytes: Buffer, at: number): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  for (let n = 0; n < 9 && at + n < bytes.length; n++) {
    const byte = bytes[at + n]!;
    if (n === 8) return { value: value * 256 + byte, end: at + 9 };
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, end: at + n + 1 };
  }
  return undefined;
}

/** Sizes of the numeric types 0 to 9. */
const SIZES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

function columnsOf(payload: Buffer): Column[] | undefined {
  const header = varint(payload, 0);
  if (!header || header.value > 64 || header.value > payload.length) return undefined;
  const columns: Column[] = [];
  let at = header.end;
  let body = header.value;
  while (at < header.value) {
    const type = varint(payload, at);
    if (!type || type.value === 10 || type.value === 11) return undefined;
    at = type.end;
    const { value } = type;
    const size = value < 10 ? SIZES[value]! : Math.floor((value - 12) / 2);
    const bytes = payload.subarray(body, body + size);
    if (value === 0) columns.push(null);
    else if (value < 10) columns.push(undefined);
    else columns.push(value % 2 === 0 ? bytes : bytes.toString());
    body += size;
  }
  return columns;
}
