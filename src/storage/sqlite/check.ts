import { setImmediate as nextTurn } from "node:timers/promises";
import type { StorageProblem } from "../port.js";
import { isTouchWhole } from "../touch-codec.js";
import { checkIndex, checkNotes, IndexCheck } from "./check-index.js";
import { asBuffer, type Chunk, chunkProblem, eachObject } from "./chunk.js";
import type { Connection } from "./connection.js";
import { isThere, objectPlaces } from "./objects.js";
import { unpackOps } from "./ops.js";
import { JOURNAL, NODES } from "./place.js";
import { attempt, error, warning } from "./problems.js";
import { isRefWhole } from "./refs.js";
import { readRows } from "./rows.js";
import { eachTouchKey } from "./touch-index.js";
import { damagedVectors } from "./vectors.js";

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
