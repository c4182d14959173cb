import { type Hash, hashValue, type MemoryId, type Scope } from "../base/index.js";
import type { MemoryRecord } from "./types.js";

/**
 * Links let a reader find records by something other than their id without reading all records: storage
 * indexes each touch row under the links of its record. They are hints; the state decides what is live.
 */
export const parentLink = (scope: Scope, parent: MemoryId): Hash =>
  hashValue("link", ["parent", scope, parent]);
export const topicLink = (scope: Scope, topic: string): Hash => hashValue("link", ["topic", scope, topic]);

export function linksOf(record: MemoryRecord): Hash[] {
  const links: Hash[] = [];
  if (record.parent !== undefined) links.push(parentLink(record.scope, record.parent));
  if (record.topic !== undefined) links.push(topicLink(record.scope, record.topic));
  return links;
}
