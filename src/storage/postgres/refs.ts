import type { Hash, JsonObject } from "../../core/base/index.js";
import type { Ref } from "../port.js";
import type { Run } from "./server.js";

interface RefRow {
  readonly name: string;
  readonly target: Hash;
  readonly meta: string | null;
}

const COLUMNS = "name, encode(target, 'hex') AS target, meta::text AS meta";
const ONE = { name: "ref", text: `SELECT ${COLUMNS} FROM palimpsest.refs WHERE store = $1 AND name = $2` };
/** A range of the primary key, by the bytes of the names: no character of a prefix has a meaning of its own. */
const SOME = {
  name: "refs",
  text: `SELECT ${COLUMNS} FROM palimpsest.refs WHERE store = $1 AND name >= $2 AND name < $3 ORDER BY name`,
};

export async function readRef(run: Run, store: string, name: string): Promise<Ref | undefined> {
  const { rows } = await run<RefRow>(ONE, [store, name]);
  return rows[0] && refOf(rows[0]);
}

export async function readRefs(run: Run, store: string, prefix: string): Promise<Map<string, Ref>> {
  const { rows } = await run<RefRow>(SOME, [store, prefix, `${prefix}\u{10ffff}`]);
  return new Map(rows.map((row) => [row.name, refOf(row)]));
}

const refOf = ({ target, meta }: RefRow): Ref =>
  meta === null ? { target } : { target, meta: JSON.parse(meta) as JsonObject };
