import type { Statement } from "./driver.js";
import { damaged, isDamage } from "./errors.js";

/** Rows are read in pages, so that no statement stays open; small ones, as a row may hold megabytes. */
const PAGE = 16;

interface ReadOptions {
  readonly pageSize?: number;
  readonly onDamage?: (seq: number, error: unknown) => void;
}

/**
 * Rows with after < seq <= upTo in order, from a statement that ends in
 * `WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?`. Rows on damaged pages are passed over one by one.
 */
export function* readRows<Row extends { readonly seq: number }>(
  statement: Pick<Statement<Row>, "all">,
  after: number,
  upTo: number,
  { pageSize = PAGE, onDamage }: ReadOptions = {},
): Generator<Row> {
  let at = after;
  let limit = pageSize;
  while (at < upTo) {
    let page: Row[];
    try {
      page = statement.all(at, upTo, limit);
    } catch (error) {
      if (!isDamage(error)) throw error;
      if (limit === 1) {
        at++;
        onDamage?.(at, error);
      }
      limit = 1;
      continue;
    }
    const start = at;
    for (const row of page) {
      if (row.seq <= at) {
        onDamage?.(row.seq, damaged("The rows are out of order."));
        continue;
      }
      at = row.seq;
      yield row;
    }
    if (page.length < limit) return;
    if (at === start) at++;
    limit = pageSize;
  }
}
