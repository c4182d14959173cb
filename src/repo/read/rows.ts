import { type Hash, scopeKey } from "../../core/base/index.js";
import { clears, type MemoryRecord, type Touch } from "../../core/ledger/index.js";
import type { Context } from "../context.js";
import type { Reader } from "./reader.js";

/** May a session see this row? At once wherever no record has to be read. */
export type RowSight = (row: Touch) => boolean | Promise<boolean>;

/** Decides which touch rows a session may see, without reading records unless its scopes are patterns. */
export function rowSight(context: Context): RowSight {
  const { reader } = context.engine;
  const { sight } = context;
  const named = new Set<Hash>(sight.named.map(scopeKey));
  const others = new Map<Hash, boolean>();
  const asked = async (row: Touch): Promise<boolean> => {
    const record = await anyRecord(reader, row);
    if (!record) return false;
    others.set(row.scope, sight.sees(record.scope));
    return sight.sees(record.scope);
  };
  return (row) => {
    if (!clears(sight.clearance, row.sensitivity)) return false;
    if (named.has(row.scope)) return true;
    if (!sight.open) return false;
    return others.get(row.scope) ?? asked(row);
  };
}

/** Some version of the memory a row is about; a forget row has none of its own. */
export async function anyRecord(reader: Reader, row: Touch): Promise<MemoryRecord | undefined> {
  const own = row.record && (await reader.values("memory", [row.record])).get(row.record);
  if (own) return own;
  const hashes = (await reader.storage.touchOf(row.scope, row.id)).flatMap(({ record }) => record ?? []);
  return [...(await reader.values("memory", hashes.slice(-8))).values()][0];
}
