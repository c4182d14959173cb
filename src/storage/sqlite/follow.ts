import { asBuffer, eachObject } from "./chunk.js";
import type { Queries } from "./driver.js";
import { isDamage } from "./errors.js";
import { type EachPlace, JOURNAL, NODES, type ObjectTable } from "./place.js";
import { readRows } from "./rows.js";
import type { Tail } from "./tail.js";
import { eachTouchKey } from "./touch-index.js";
import { takeNotes } from "./waiting.js";

interface JournalKeys {
  readonly seq: number;
  readonly touch: Uint8Array | null;
  readonly directory: Uint8Array | null;
}
interface NodesKeys {
  readonly seq: number;
  readonly directory: Uint8Array;
}

/** Without their objects rows are small. */
const KEYS = { pageSize: 256 };

/** Everything the index says about the rows with after < seq <= upTo. A damaged row says nothing. */
export function eachKey(queries: Queries, after: number, upTo: number, each: EachPlace): void {
  const journal = queries.sql<JournalKeys>(
    "SELECT seq, touch, directory FROM journal WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?",
  );
  for (const { seq, touch, directory } of readRows(journal, after, upTo, KEYS)) {
    if (touch) ofTouch(touch, seq, each);
    if (directory) ofObjects(directory, seq, JOURNAL, each);
  }
  const nodes = queries.sql<NodesKeys>(
    "SELECT seq, directory FROM nodes WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?",
  );
  for (const { seq, directory } of readRows(nodes, after, upTo, KEYS)) ofObjects(directory, seq, NODES, each);
}

function ofTouch(touch: Uint8Array, seq: number, each: EachPlace): void {
  try {
    eachTouchKey(asBuffer(touch), seq, each);
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}

function ofObjects(directory: Uint8Array, seq: number, table: ObjectTable, each: EachPlace): void {
  try {
    eachObject(asBuffer(directory), seq, table, each);
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}

/** So few rows are read sooner than looked for in notes. */
export const FEW_ROWS = 32;

/** Adds the rows committed since, by whomever. */
export function followTail(
  queries: Queries,
  tail: Tail,
  state: { readonly seq: number; readonly epoch: number },
): void {
  if (state.seq - tail.upTo > FEW_ROWS) takeNotes(queries, tail, state);
  eachKey(queries, tail.upTo, state.seq, tail.add);
  tail.upTo = state.seq;
}
