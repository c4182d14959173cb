import { setImmediate as nextTurn } from "node:timers/promises";
import type { StorageProblem } from "../port.js";
import type { Connection } from "./connection.js";
import { eachKey } from "./follow.js";
import { type EachPlace, seqOf } from "./place.js";
import { error, failure, warning } from "./problems.js";
import { NOTES, type Note, type NoteRow, unpackNote } from "./waiting.js";

/** Looks up what the rows say must be in the index, and counts it. */
export class IndexCheck {
  found = 0;
  constructor(readonly connection: Connection) {}

  /** False when something of an indexed row is not in the table. Rows above the mark are in the tail. */
  expect(seq: number, keys: (each: EachPlace) => void): boolean {
    if (seq > this.connection.state.indexed) return true;
    const entry = this.connection.sql<{ at: number }>("SELECT at FROM lookup WHERE prefix = ? AND at = ?");
    let whole = true;
    keys((prefix, place) => {
      if (entry.get(prefix, place)) this.found++;
      else whole = false;
    });
    return whole;
  }
}

interface Entry {
  readonly prefix: number;
  readonly at: number;
}

const PAGE = 4096;
const NEXT = "SELECT prefix, at FROM lookup WHERE (prefix, at) > (?, ?) ORDER BY prefix, at LIMIT ?";

/** Entries that point to nothing. They are only searched for when the numbers differ. */
export async function* checkIndex(
  connection: Connection,
  { found }: IndexCheck,
  goOn: () => boolean,
): AsyncGenerator<StorageProblem> {
  let entries = 0;
  try {
    // A check that was ended early has not counted everything.
    if (!goOn()) return;
    for (const page of pages(connection)) {
      entries += page.length;
      await nextTurn();
      if (!goOn()) return;
    }
    if (entries === found) return;
    const rows = new RowKeys(connection);
    for (const page of pages(connection)) {
      for (const entry of page)
        if (!rows.has(entry)) yield warning("index-dangling", `seq ${seqOf(entry.at)}`);
      await nextTurn();
      if (!goOn()) return;
    }
  } catch (cause) {
    yield failure("index-damaged", cause);
  }
}

function* pages(connection: Connection): Generator<Entry[]> {
  let last: Entry = { prefix: -1, at: -1 };
  for (;;) {
    const page = connection.sql<Entry>(NEXT).all(last.prefix, last.at, PAGE);
    yield page;
    if (page.length < PAGE) return;
    last = page.at(-1)!;
  }
}

/** What rows say about themselves, for the last few hundred that were asked. */
class RowKeys {
  readonly #known = new Map<number, Set<string>>();
  constructor(readonly connection: Connection) {}

  has({ prefix, at }: Entry): boolean {
    const seq = seqOf(at);
    let keys = this.#known.get(seq);
    if (!keys) {
      const found = new Set<string>();
      eachKey(this.connection, seq - 1, seq, (key, place) => found.add(`${key} ${place}`));
      if (this.#known.size >= 500) this.#known.clear();
      this.#known.set(seq, found);
      keys = found;
    }
    return keys.has(`${prefix} ${at}`);
  }
}

/** A note that is damaged or of another epoch is passed over; one that is whole but lacks something hides it. */
export async function* checkNotes(
  connection: Connection,
  goOn: () => boolean,
): AsyncGenerator<StorageProblem> {
  const { seq, epoch } = connection.state;
  try {
    for (const { upto, entries } of connection.sql<NoteRow>(NOTES).all(-1, Number.MAX_SAFE_INTEGER)) {
      const note = upto <= seq ? unpackNote(entries) : undefined;
      if (note?.epoch !== epoch) yield warning("waiting-damaged", `waiting ${upto}`);
      else if (!isComplete(connection, note, upto)) yield error("index-missing", `waiting ${upto}`);
      await nextTurn();
      if (!goOn()) return;
    }
  } catch (cause) {
    yield failure("index-damaged", cause);
  }
}

function isComplete(connection: Connection, { after, prefixes, places }: Note, upTo: number): boolean {
  const known = new Map<number, Set<number>>();
  prefixes.forEach((prefix, n) => {
    const there = known.get(prefix);
    if (there) there.add(places[n]!);
    else known.set(prefix, new Set([places[n]!]));
  });
  let isWhole = true;
  eachKey(connection, after, upTo, (prefix, place) => {
    isWhole &&= known.get(prefix)?.has(place) ?? false;
  });
  return isWhole;
}
