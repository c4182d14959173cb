import type { Statement } from "./driver.js";
import { isDamage } from "./errors.js";

/** Rows are read in small pages, so that no statement stays open and no page holds much memory. */
const PAGE = 16;

/**
 * Rows with after < seq <= upTo in order, from a statement that ends in
 * `WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?`. Rows on damaged pages are passed over one by one.
 */
export function* readRows<Row extends { readonly seq: number }>(
  statement: Statement<Row>,
  after: number,
  upTo: number,
  onDamage?: (seq: number, error: unknown) => void,
): Generator<Row> {
  let at = after;
  let limit = PAGE;
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
    yield* page;
    if (page.length < limit) return;
    at = page.at(-1)!.seq;
    limit = PAGE;
  }
}
