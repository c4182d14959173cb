import { constants } from "node:fs";
import { access, stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { StorageProblem, TouchedBy } from "../port.js";
import { isTouchWhole, packTouch } from "../touch-codec.js";
import { asBuffer, type Chunk, chunkProblem, eachObject, hasHoles, withoutSlots } from "./chunk.js";
import type { Connection, State } from "./connection.js";
import { damaged } from "./errors.js";
import { type EachPlace, JOURNAL, NODES, seqOf } from "./place.js";
import { nextEpoch, rewriteRow } from "./remove.js";
import { readRows } from "./rows.js";
import { damagedVectors, isRefWhole, isThere, objectPlaces, unpackOps } from "./tables.js";
import { eachTouchKey } from "./touch-index.js";
import { eachKey, NOTES, type Note, type NoteRow, unpackNote } from "./watch.js";

interface JournalRow {
  readonly seq: number;
  readonly touch: Uint8Array | null;
  readonly ops: Uint8Array | null;
  readonly directory: Uint8Array | null;
  readonly objects: Uint8Array | null;
}

/** Everything this adapter can know without hashing, over one snapshot of the store. */
export async function* checkStore(
  connection: Connection,
  goOn: () => boolean,
): AsyncGenerator<StorageProblem> {
  const { seq, indexed, epoch } = connection.state;
  if (!(indexed >= 0 && indexed <= seq)) yield error("mark-damaged", `indexed ${indexed} of ${seq}`);
  if (!(Number.isSafeInteger(epoch) && epoch >= 0)) yield error("mark-damaged", `epoch ${epoch}`);
  yield* attempt("refs-damaged", () => refs(connection));
  yield* attempt("vectors-unreadable", () => vectors(connection));
  yield* attempt("notes-unreadable", () => sideNotes(connection));
  yield* checkNotes(connection, goOn);
  const index = new IndexCheck(connection);
  yield* eachRow(connection, "journal", goOn, (row) => journalProblems(connection, row, index));
  yield* eachRow(connection, "nodes", goOn, (row) => chunkProblems(row, "nodes", index));
  yield* checkIndex(connection, index, goOn);
}

/** SQLite's own look at every page: one call, however long. */
export function integrity(connection: Connection): StorageProblem[] {
  return connection
    .sql<{ integrity_check: string }>("PRAGMA integrity_check")
    .all()
    .filter((row) => row.integrity_check !== "ok")
    .map((row) => error("file-damaged", row.integrity_check));
}

function refs(connection: Connection): StorageProblem[] {
  return connection
    .sql<{ name: string; target: Uint8Array; meta: string | null }>("SELECT name, target, meta FROM refs")
    .all()
    .filter((row) => !isRefWhole(row))
    .map(({ name }) => error("ref-damaged", typeof name === "string" ? name : "a ref without a name"));
}

/** Each is read and none is judged: what they say may be lost, but scratchpads and leases need a place to be kept. */
function sideNotes(connection: Connection): StorageProblem[] {
  connection.sql("SELECT count(value || key) AS notes FROM side").all();
  return [];
}

/** Derived: what is damaged is left out of answers and made again. */
const vectors = (connection: Connection): StorageProblem[] =>
  damagedVectors(connection).map((at) => warning("vectors-damaged", `vectors ${at}`));

async function* eachRow(
  connection: Connection,
  table: "journal" | "nodes",
  goOn: () => boolean,
  problemsOf: (row: JournalRow) => StorageProblem[],
): AsyncGenerator<StorageProblem> {
  const columns = table === "journal" ? "*" : "seq, NULL AS touch, NULL AS ops, directory, objects";
  const statement = connection.sql<JournalRow>(
    `SELECT ${columns} FROM ${table} WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?`,
  );
  let damaged: StorageProblem[] = [];
  const onDamage = (seq: number) => damaged.push(error("row-unreadable", `${table} ${seq}`));
  let lastTurn = performance.now();
  for (const row of readRows(statement, 0, connection.state.seq, { onDamage })) {
    yield* damaged;
    damaged = [];
    yield* attempt("row-unreadable", () => problemsOf(row));
    if (performance.now() - lastTurn > 20) {
      await nextTurn();
      if (!goOn()) return;
      lastTurn = performance.now();
    }
  }
  yield* damaged;
}

function journalProblems(connection: Connection, row: JournalRow, index: IndexCheck): StorageProblem[] {
  const name = `journal ${row.seq}`;
  const problems = row.directory || row.objects ? chunkProblems(row, "journal", index) : [];
  if (row.touch) {
    if (!isTouchWhole(asBuffer(row.touch))) problems.push(error("touch-damaged", name));
    else if (!index.expect(row.seq, (each) => eachTouchKey(asBuffer(row.touch!), row.seq, each)))
      problems.push(error("index-missing", `touch of ${name}`));
  }
  if (row.ops)
    problems.push(
      ...attempt("operations-damaged", () =>
        unpackOps(asBuffer(row.ops!))
          .filter((hash) => !objectPlaces(connection, hash).some((place) => isThere(connection, place, hash)))
          .map((hash) => error("operation-missing", hash)),
      ),
    );
  return problems;
}

function chunkProblems(row: JournalRow, table: "journal" | "nodes", index: IndexCheck): StorageProblem[] {
  const name = `${table} ${row.seq}`;
  if (!row.directory || !row.objects) return [error("directory-damaged", name)];
  const chunk: Chunk = { directory: row.directory, objects: row.objects };
  const problem = chunkProblem(chunk);
  if (problem) return [error(problem, name)];
  const what = table === "journal" ? JOURNAL : NODES;
  const found = index.expect(row.seq, (each) => eachObject(asBuffer(chunk.directory), row.seq, what, each));
  return found ? [] : [error("index-missing", name)];
}

/** Looks up what the rows say must be in the index, and counts it. */
class IndexCheck {
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
async function* checkIndex(
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
async function* checkNotes(connection: Connection, goOn: () => boolean): AsyncGenerator<StorageProblem> {
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

const MEGABYTE = 1024 * 1024;
/** What a few writes and the folding of the log may need. */
const SPACE_NEEDED = MEGABYTE;
const SPACE_WANTED = 64 * MEGABYTE;
/** Folding keeps the log at a few megabytes, unless a reader holds it up. */
const LONG_LOG = 64 * MEGABYTE;

/** What the file system says about a store, without opening it. */
export async function fileProblems(file: string): Promise<StorageProblem[]> {
  const directory = await nearest(dirname(file));
  const around = await placeProblem(directory);
  const found = [around];
  // Where the directory cannot be used at all, that is all there is to say of the file in it.
  if (!around || around.problem === "directory-read-only")
    found.push(await unwritable("file-read-only", file));
  const log = await stat(`${file}-wal`).catch(() => undefined);
  if (log && log.size > LONG_LOG)
    found.push(warning("log-long", `${Math.round(log.size / MEGABYTE)} MB in ${file}-wal`));
  const space = await statfs(directory).catch(() => undefined);
  if (space) found.push(spaceProblem(space.bavail * space.bsize, directory));
  return found.filter((problem) => problem !== undefined);
}

export function spaceProblem(free: number, directory: string): StorageProblem | undefined {
  const left = `${(free / MEGABYTE).toFixed(1)} MB left in ${directory}`;
  if (free < SPACE_NEEDED) return error("disk-full", left);
  return free < SPACE_WANTED ? warning("disk-nearly-full", left) : undefined;
}

/** Rows that are searched in memory because the index does not have them yet. */
export const waitingProblem = (rows: number, usual: number): StorageProblem | undefined =>
  rows > usual * 2 + 1024
    ? warning("upkeep-waiting", `${rows} transactions are not in the index`)
    : undefined;

/** What keeps the directory from being used: each wants another cure. */
async function placeProblem(directory: string): Promise<StorageProblem | undefined> {
  const is = await stat(directory).catch(() => undefined);
  if (is && !is.isDirectory()) return error("not-a-directory", directory);
  const isClosed = await access(directory, constants.X_OK).then(
    () => false,
    () => true,
  );
  return isClosed ? error("directory-closed", directory) : unwritable("directory-read-only", directory);
}

async function unwritable(problem: string, path: string): Promise<StorageProblem | undefined> {
  try {
    await access(path, constants.W_OK);
    return undefined;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    return error(code === "EROFS" ? "file-system-read-only" : problem, path);
  }
}

/** The directory, or, as long as it is not there, the nearest one that is. */
async function nearest(directory: string): Promise<string> {
  for (let path = directory; ; path = dirname(path)) {
    const isThere = await stat(path).catch(() => undefined);
    if (isThere || dirname(path) === path) return path;
  }
}

const error = (problem: string, object: string): StorageProblem => ({
  problem,
  severity: "error",
  object,
});
export const warning = (problem: string, object: string): StorageProblem => ({
  problem,
  severity: "warning",
  object,
});

/** A part of a check that fails is itself a finding, and the other parts still run. */
export function attempt(problem: string, find: () => StorageProblem[]): StorageProblem[] {
  try {
    return find();
  } catch (cause) {
    return [failure(problem, cause)];
  }
}

export const failure = (problem: string, cause: unknown): StorageProblem =>
  error(problem, cause instanceof Error ? cause.message : String(cause));

/** The touch rows as they will be stored, by seq: made before the lock is taken. */
export async function packRows(rows: AsyncIterable<TouchedBy>): Promise<Map<number, Buffer>> {
  const packed = new Map<number, Buffer>();
  for await (const { seq, touch } of rows) if (touch.length > 0) packed.set(seq, packTouch(touch));
  return packed;
}

/** Inside a write transaction: all at once, because an index fits either the old rows or the new ones. */
export function replaceTouch(connection: Connection, rows: ReadonlyMap<number, Buffer>, upTo: number): State {
  connection.refresh();
  const read = connection.sql<{ seq: number; touch: Uint8Array | null }>(
    "SELECT seq, touch FROM journal WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?",
  );
  const write = connection.sql("UPDATE journal SET touch = ? WHERE seq = ?");
  let met = 0;
  for (const { seq, touch } of readRows(read, 0, upTo, { pageSize: 256 })) {
    const wanted = rows.get(seq);
    if (wanted) met++;
    // A row that is right already is left where it lies.
    if (wanted ? touch instanceof Uint8Array && wanted.equals(touch) : touch === null) continue;
    write.run(wanted ?? null, seq);
  }
  if (met < rows.size) throw damaged("Events are told of transactions that are not there.");
  // Who needs one embeds the text again.
  const removeVector = connection.sql("DELETE FROM vectors WHERE at = ?");
  for (const at of damagedVectors(connection)) removeVector.run(at);
  connection.sql("DELETE FROM lookup").run();
  connection.sql("UPDATE meta SET value = 0 WHERE key = 'indexed'").run();
  return { ...nextEpoch(connection), indexed: 0 };
}

const SLICE_MS = 20;

/** Inside a write transaction: takes the room of erased objects out of rows after `after`; answers how far it came. */
export function squeeze(connection: Connection, after: number): { readonly seq: number } {
  const { seq: last } = connection.refresh();
  const end = performance.now() + SLICE_MS;
  const read = connection.sql<{ seq: number; directory: Uint8Array | null }>(
    "SELECT seq, directory FROM journal WHERE seq > ? AND seq <= ? AND directory IS NOT NULL ORDER BY seq LIMIT ?",
  );
  for (const { seq, directory } of readRows(read, after, last, { pageSize: 256 })) {
    if (directory && hasHoles(asBuffer(directory)))
      rewriteRow(connection, "journal", seq, last, (chunk) => withoutSlots(chunk, new Set()));
    if (performance.now() > end) return { seq };
  }
  return { seq: last };
}
