import { canonical, idKey, type Json, type MemoryId, type Scope, scopeKey } from "../core/base/index.js";
import {
  encodeObject,
  fieldsAside,
  type MemoryRecord,
  readField,
  type Setter,
  type StateChange,
  setAside,
} from "../core/ledger/index.js";
import { type FieldSetter, presentAt, readIfWhole, saidRecord, stronger } from "../memories/index.js";
import type { Draft } from "../repo/index.js";
import type { Meeting, MergedMemory } from "./merge-states.js";

/**
 * The state that a merge is about to make. Of what differed between the two sides it begins with what was said, so that
 * what earlier merges set aside is decided anew, by what both sides know now.
 */
export class Joined {
  readonly meeting: Meeting;
  readonly #draft: Draft;
  readonly #items: Map<string, MergedMemory>;

  private constructor(meeting: Meeting, draft: Draft, items: Map<string, MergedMemory>) {
    this.meeting = meeting;
    this.#draft = draft;
    this.#items = items;
  }

  static async of(
    meeting: Meeting,
    draft: Draft,
    changes: readonly StateChange[],
    merged: readonly MergedMemory[],
  ): Promise<Joined> {
    const { reader } = meeting;
    const items = new Map(merged.map((item) => [keyOf(item), item]));
    for (const { before } of changes) {
      const record = await readIfWhole(reader, before);
      if (!record || items.has(keyOf(record)) || fieldsAside(record).length === 0) continue;
      items.set(keyOf(record), { scope: record.scope, id: record.id, before: record, record, contested: [] });
    }
    for (const [key, item] of items)
      if (item.record) items.set(key, { ...item, record: await saidRecord(reader, item.record) });
    return new Joined(meeting, draft, items);
  }

  /** What differs from ours, or may, in an order that no side decides. */
  items(): MergedMemory[] {
    return [...this.#items].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
  }

  async record(scope: Scope, id: MemoryId): Promise<MemoryRecord | undefined> {
    const item = this.#items.get(keyOf({ scope, id }));
    return item ? item.record : (await this.#draft.entry(scope, id))?.record;
  }

  /** Who gave a field the value it has after the merge. */
  async setter(record: MemoryRecord, field: string): Promise<FieldSetter | undefined> {
    const { reader, ours, theirs } = this.meeting;
    const value = keyOfValue(readField(record, field));
    const terms = (record.contested?.[field]?.terms ?? []).filter((term) => keyOfValue(term.value) === value);
    const found: Setter[] = terms.map(({ commit, author, trust }) => ({
      ...(commit && { commit }),
      author,
      trust,
    }));
    for (const tip of [ours, theirs]) {
      const side = await presentAt(reader, tip, scopeKey(record.scope), idKey(record.id));
      if (side && keyOfValue(readField(side.record, field)) === value) found.push(side.setBy(field));
    }
    const setters: FieldSetter[] = [];
    for (const { commit, ...by } of found)
      if (commit) setters.push({ ...by, commit, time: (await reader.value("commit", commit)).time });
    return setters.length > 0 ? setters.reduce(stronger) : undefined;
  }

  /** Shows something else than what was said, which stays a term. */
  async setAside(
    record: MemoryRecord,
    field: string,
    shown: Json | undefined,
    { commit, author, trust }: FieldSetter,
  ): Promise<void> {
    const { scope, id } = record;
    const known = this.#items.get(keyOf(record));
    const before = known?.before ?? (await this.#draft.entry(scope, id))?.record;
    this.#items.set(keyOf(record), {
      ...(known ?? { scope, id }),
      ...(before && { before }),
      record: setAside(record, field, shown, { commit, author, trust }),
      contested: [],
    });
  }

  /** What has to change in ours. */
  changes(): MergedMemory[] {
    return [...this.#items.values()]
      .filter(({ before, record }) => !before || !record || hashOf(before) !== hashOf(record))
      .map((item) => ({ ...item, contested: Object.keys(item.record?.contested ?? {}).sort() }));
  }
}

const keyOf = ({ scope, id }: { readonly scope: string; readonly id: string }): string => `${scope}\n${id}`;
const keyOfValue = (value: Json | undefined): string => (value === undefined ? "" : canonical(value));
const hashOf = (record: MemoryRecord) => encodeObject("memory", record).hash;
