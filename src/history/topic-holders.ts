import type { Scope } from "../core/base/index.js";
import { type MemoryRecord, topicLink } from "../core/ledger/index.js";
import { type FieldSetter, stronger } from "../memories/index.js";
import { linkedEntries } from "../repo/index.js";
import type { Joined } from "./joined.js";
import type { MergedMemory } from "./merge-states.js";

export interface Claim extends FieldSetter {
  readonly record: MemoryRecord;
}

/** Which of two memories keeps a topic: as everywhere, the one of higher trust, then of the later commit. */
export const keepsTopic = (a: Claim, b: Claim): Claim =>
  a.commit === b.commit && a.trust === b.trust ? (a.record.id < b.record.id ? a : b) : stronger(a, b);

/** One topic has one live holder per scope: where a merge brings another, all but one have it set aside. */
export async function settleTopics(joined: Joined): Promise<void> {
  const byTopic = new Map<string, { scope: Scope; topic: string; items: MergedMemory[] }>();
  for (const item of joined.items()) {
    const { scope, record: { topic } = {} } = item;
    if (topic === undefined) continue;
    const known = byTopic.get(`${scope}\n${topic}`) ?? { scope, topic, items: [] };
    known.items.push(item);
    byTopic.set(`${scope}\n${topic}`, known);
  }
  for (const { scope, topic, items } of byTopic.values()) {
    // Of two that hold it after the merge at least one did not in ours.
    if (items.every(({ before }) => before?.topic === topic)) continue;
    const claims: Claim[] = [];
    const linked = await linkedEntries(joined.meeting.reader, joined.meeting.ours, topicLink(scope, topic));
    const ids = new Set([...items, ...linked.map(({ record }) => record)].map(({ id }) => id));
    for (const id of ids) {
      const record = await joined.record(scope, id);
      const setter = record?.topic === topic ? await joined.setter(record, "topic") : undefined;
      if (record && setter) claims.push({ ...setter, record });
    }
    if (claims.length === 0) continue;
    const kept = claims.reduce(keepsTopic);
    for (const claim of claims)
      if (claim !== kept) await joined.setAside(claim.record, "topic", undefined, claim);
  }
}
