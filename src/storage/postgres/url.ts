import { hashValue, PalimpsestError, parseName } from "../../core/base/index.js";

/** What a URL says: how to reach the server, and which store in the database is meant. */
export interface Address {
  /** For messages: the URL without its password. */
  readonly location: string;
  /** For the driver: the URL without what only we understand. */
  readonly connectionString: string;
  /** The name of the store in its database. */
  readonly name: string;
  /** Its number, by which every table is keyed: it follows from the name, so that nobody has to give it out. */
  readonly store: string;
  readonly channel: string;
  readonly connections: number;
  /** Poolers that hand out another session for each transaction may not know prepared statements. */
  readonly prepare: boolean;
}

export const isPostgresUrl = (text: string): boolean => /^postgres(?:ql)?:\/\//i.test(text);

const CONNECTIONS = 4;

/** `postgres://user@host:port/database?store=name&connections=4&prepare=false`, and whatever the driver knows. */
export function parseAddress(text: string): Address {
  const url = URL.canParse(text) && isPostgresUrl(text) ? new URL(text) : undefined;
  if (!url)
    throw new PalimpsestError("INVALID_VALUE", "This is no URL of a PostgreSQL database.", {
      hint: "Give postgres://user@host:5432/database?store=name; write special characters as %XX.",
    });
  const name = parseName(url.searchParams.get("store") ?? "main");
  const connections = Number(url.searchParams.get("connections") ?? CONNECTIONS);
  // One may hold the write lock while its holder reads with another.
  if (!Number.isInteger(connections) || connections < 2 || connections > 1000)
    throw new PalimpsestError("INVALID_VALUE", "`connections` is a whole number from 2 to 1000.");
  const prepare = url.searchParams.get("prepare") !== "false";
  for (const own of ["store", "connections", "prepare"]) url.searchParams.delete(own);
  const connectionString = url.href;
  url.password = "";
  for (const secret of ["password", "sslpassword"]) url.searchParams.delete(secret);
  url.searchParams.set("store", name);
  const digits = hashValue("id", name).slice(0, 16);
  return {
    location: url.href,
    connectionString,
    name,
    store: BigInt.asIntN(64, BigInt(`0x${digits}`)).toString(),
    channel: `palimpsest_${digits}`,
    connections,
    prepare,
  };
}
