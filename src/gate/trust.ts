import { type Trust, trustRank, weakest } from "../core/ledger/index.js";

/** Where a memory may come from, and how far that can be trusted at most, whatever the door says. */
export const SOURCES: ReadonlyMap<string, Trust> = new Map([
  ["chat", "operator"],
  ["user", "operator"],
  ["agent", "agent"],
  ["manual", "operator"],
  ["tool", "agent"],
  ["operator", "operator"],
  ["promotion", "operator"],
  ["observation", "agent"],
  ["extraction", "agent"],
  ["consolidation", "agent"],
  ["reflection", "agent"],
  ["merge", "operator"],
  ["file", "external"],
  ["web", "external"],
  ["import", "external"],
  ["ingest", "external"],
  ["document", "operator"],
  ["artifact", "external"],
]);

/** The trust of a write: never more than its source, the door it came through, and everything it was made from. */
export const trustOf = (source: string, channel: Trust, derivedFrom: readonly Trust[] = []): Trust =>
  weakest(channel, SOURCES.get(source) ?? "external", ...derivedFrom);

export interface Principal {
  readonly id: string;
  readonly trust: Trust;
}

/** Canon needs a user or operator; anything weaker is raised only when two different principals vouch for it. */
export function mayElevate(vouchers: readonly Principal[]): boolean {
  if (vouchers.some(({ trust }) => trustRank(trust) >= trustRank("user"))) return true;
  const known = vouchers.filter(({ trust }) => trust !== "external");
  return new Set(known.map(({ id }) => id)).size >= 2;
}
