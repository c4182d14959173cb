import { type Hash, hashFromBytes, hashToBytes, type JsonObject, writeHash } from "../../core/base/index.js";
import { crcOf } from "../crc.js";
import type { Ref, RefMove } from "../port.js";
import { asBuffer } from "./chunk.js";
import type { Connection } from "./connection.js";
import { damaged } from "./errors.js";

interface RefRow {
  readonly name: string;
  readonly target: Uint8Array;
  readonly meta: string | null;
}

/** Nothing hashes a ref, so its row carries a crc32 of all it says behind the 32 bytes of the target. */
function checksum(name: string, target: Uint8Array, meta: string | null): number {
  if (name !== said.name || meta !== said.meta)
    said = { name, meta, bytes: Buffer.from(`${name}\0${meta ?? ""}`) };
  return crcOf(said.bytes, said.bytes.length, crcOf(target, 32));
}

/** Of the ref that was moved last, which nearly always is the one that is moved next. */
let said = { name: "", meta: null as string | null, bytes: Buffer.of(0) };

export function readRef(connection: Connection, name: string): Ref | undefined {
  const row = connection.sql<RefRow>("SELECT name, target, meta FROM refs WHERE name = ?").get(name);
  return row && refOf(row);
}

/** By the bytes of the names: a range of the primary key, so no character of a prefix has a meaning of its own. */
export function readRefs(connection: Connection, prefix: string): Map<string, Ref> {
  const rows = connection
    .sql<RefRow>("SELECT name, target, meta FROM refs WHERE name >= ? AND name < ? ORDER BY name")
    .all(prefix, `${prefix}\u{10ffff}`);
  return new Map(rows.map((row) => [row.name, refOf(row)]));
}

function refOf({ name, target, meta }: RefRow): Ref {
  if (!isRefWhole({ name, target, meta })) throw damaged(`The ref ${name} is damaged.`, { ref: name });
  const hash = hashFromBytes(target);
  return meta === null ? { target: hash } : { target: hash, meta: JSON.parse(meta) as JsonObject };
}

export function isRefWhole({ name, target, meta }: RefRow): boolean {
  if (!(target instanceof Uint8Array) || (meta !== null && typeof meta !== "string")) return false;
  const bytes = asBuffer(target);
  return bytes.length === 36 && bytes.readUInt32BE(32) === checksum(name, bytes, meta);
}

/**
 * Compare and swap in one statement; false when the target is not the expected one. Only the bare target is
 * compared: a move that expects it also heals a damaged row.
 */
export function moveRef(connection: Connection, { name, expect, next, join }: RefMove): boolean {
  if (!next) {
    if (expect === null) return !connection.sql("SELECT 1 FROM refs WHERE name = ?").get(name);
    connection.refMeta.delete(name);
    return changed(connection.sql(DELETE).run(name, hashToBytes(expect)));
  }
  const kept = join || next.meta === undefined ? keptMeta(connection, name, expect) : null;
  const said = join && kept !== null ? { ...JSON.parse(kept), ...next.meta } : next.meta;
  const meta = said === undefined ? kept : JSON.stringify(said);
  const target = rowOfRef(name, next.target, meta);
  const done =
    expect === null
      ? connection.sql(INSERT).run(name, target, meta)
      : connection.sql(UPDATE).run(target, meta, name, hashToBytes(expect));
  // One that was not moved makes the whole transaction stale, and what it noted goes with the rollback.
  connection.refMeta.set(name, meta);
  return changed(done);
}

/** The column of a target. */
export function rowOfRef(
  name: string,
  target: Hash,
  meta: string | null,
  room: (size: number) => Buffer = Buffer.allocUnsafe,
): Buffer {
  const row = room(36);
  writeHash(target, row, 0);
  row.writeUInt32BE(checksum(name, row, meta), 32);
  return row;
}

/** What a ref says beside its target stays when a move does not speak of it. The last mover need not read it again. */
export function keptMeta(connection: Connection, name: string, expect: Hash | null): string | null {
  if (expect === null) return null;
  const known = connection.refMeta.get(name);
  if (known !== undefined) return known;
  const row = connection.sql<RefRow>("SELECT name, target, meta FROM refs WHERE name = ?").get(name);
  return row && isRefWhole(row) ? row.meta : null;
}

const INSERT = "INSERT OR IGNORE INTO refs VALUES (?, ?, ?)";
const UPDATE = "UPDATE refs SET target = ?, meta = ? WHERE name = ? AND substr(target, 1, 32) = ?";
const DELETE = "DELETE FROM refs WHERE name = ? AND substr(target, 1, 32) = ?";

const changed = ({ changes }: { readonly changes: number | bigint }): boolean => Number(changes) === 1;
