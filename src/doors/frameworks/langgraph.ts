import type { RunnableConfig } from "@langchain/core/runnables";
import {
  BaseCheckpointSaver,
  BaseStore,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  copyCheckpoint,
  type GetOperation,
  getCheckpointId,
  type Item,
  type ListNamespacesOperation,
  type MatchCondition,
  maxChannelVersion,
  type Operation,
  type OperationResults,
  type PendingWrite,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
  TASKS,
  WRITES_IDX_MAP,
} from "@langchain/langgraph-checkpoint";
import { type EraseReport, type JsonObject, PalimpsestError, type Session } from "../../session/index.js";
import { type Paper, Papers, type PapersOptions, paperId, wordsOf } from "./papers.js";

export type { PapersOptions } from "./papers.js";

const CHECKPOINT = "thread-checkpoint";
const VALUE = "thread-value";
const WRITE = "thread-write";
const ITEM = "store-item";

/** What the serializer of LangGraph makes of a value: JSON as it is, anything else as base64. */
type Packed = readonly [type: string, data: unknown, isBytes?: true];

interface KeptCheckpoint {
  readonly checkpoint: Packed;
  readonly metadata: Packed;
  readonly parent?: string;
  /** Where the value of each channel lies. What did not change lies where the parent has it. */
  readonly values: Readonly<Record<string, string>>;
}

interface Place {
  readonly thread: string;
  readonly ns: string;
}

/**
 * The threads of a graph as documents of a session: each superstep is a commit of its branch. Values that did not change are
 * kept once. Deleting a thread erases it.
 */
export class PalimpsestSaver extends BaseCheckpointSaver {
  readonly #papers: Papers;

  constructor(session: Session, options: PapersOptions = {}) {
    super();
    this.#papers = new Papers(session, options);
  }

  async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    if (config.configurable?.thread_id === undefined) return undefined;
    const place = placeOf(config);
    const id = getCheckpointId(config);
    if (id) {
      const paper = await this.#papers.get(checkpointPaper(place, id));
      return paper && this.#tuple(paper, config);
    }
    const newest = (await this.#papers.list(CHECKPOINT, { ...place })).sort(newestFirst)[0];
    return newest && this.#tuple(newest);
  }

  async *list(config: RunnableConfig, options: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
    const { thread_id: thread, checkpoint_ns: ns, checkpoint_id: checkpoint } = config.configurable ?? {};
    const wanted = Object.entries({ thread, ns, checkpoint: checkpoint || undefined });
    const attributes = Object.fromEntries(wanted.filter(([, value]) => value !== undefined)) as JsonObject;
    const before: unknown = options.before?.configurable?.checkpoint_id;
    let left = options.limit ?? Number.POSITIVE_INFINITY;
    for (const paper of (await this.#papers.list(CHECKPOINT, attributes)).sort(newestFirst)) {
      if (typeof before === "string" && checkpointOf(paper) >= before) continue;
      const metadata = (await this.#unpack((paper.value as KeptCheckpoint).metadata)) as JsonObject;
      if (!Object.entries(options.filter ?? {}).every(([name, value]) => metadata[name] === value)) continue;
      if (left-- <= 0) return;
      yield this.#tuple(paper);
    }
  }

  async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const place = placeOf(config);
    const parent = getCheckpointId(config) || undefined;
    const before = parent === undefined ? undefined : await this.#papers.get(checkpointPaper(place, parent));
    const { channel_values, ...rest } = copyCheckpoint(checkpoint);
    const values =
      before === undefined ? {} : await this.#unchanged(before, rest.channel_versions, newVersions);
    const fresh: [id: string, packed: Packed][] = [];
    for (const channel of Object.keys(newVersions)) {
      if (channel_values[channel] === undefined) continue;
      const packed = await this.#pack(channel_values[channel]);
      const id = paperId(VALUE, place.thread, place.ns, channel, packed);
      values[channel] = id;
      fresh.push([id, packed]);
    }
    const kept: KeptCheckpoint = {
      checkpoint: await this.#pack({ ...rest, channel_values: {} }),
      metadata: await this.#pack(metadata),
      ...(parent !== undefined && { parent }),
      values,
    };
    const owner = ownerOf(place.thread);
    const said = `checkpoint of thread ${place.thread}`;
    await this.#papers.change(said, async (changes) => {
      for (const [id, packed] of fresh)
        if (!(await changes.has(id)))
          await changes.put(
            { id, type: VALUE, value: packed, attributes: { ...place } },
            wordsOf(packed[1], said),
            owner,
          );
      const own = checkpointPaper(place, checkpoint.id);
      const attributes = { ...place, checkpoint: checkpoint.id };
      await changes.put({ id: own, type: CHECKPOINT, value: kept, attributes }, said, owner);
    });
    return configOf(place, checkpoint.id);
  }

  async putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void> {
    const place = placeOf(config);
    const checkpoint = getCheckpointId(config);
    if (!checkpoint) throw missing("checkpoint_id");
    const packed = await Promise.all(writes.map(([, value]) => this.#pack(value)));
    const owner = ownerOf(place.thread);
    const said = `writes of thread ${place.thread}`;
    await this.#papers.change(said, async (changes) => {
      for (const [at, [channel]] of writes.entries()) {
        const index = WRITES_IDX_MAP[channel] ?? at;
        const id = paperId(WRITE, place.thread, place.ns, checkpoint, taskId, index);
        // A task that is run again does not write again, but it may end in another error.
        if (index >= 0 && (await changes.has(id))) continue;
        const attributes = { ...place, checkpoint, task: taskId, index, channel };
        await changes.put(
          { id, type: WRITE, value: packed[at], attributes },
          wordsOf(packed[at]?.[1], said),
          owner,
        );
      }
    });
  }

  /** Erases all that was kept of a thread. */
  async deleteThread(threadId: string): Promise<void> {
    await this.eraseThread(threadId);
  }

  /** The same, with the report of what went, or of what waits for somebody who may erase. Undefined: there was nothing. */
  async eraseThread(threadId: string): Promise<EraseReport | undefined> {
    return this.#papers.erase(ownerOf(threadId));
  }

  async #tuple(paper: Paper, asked?: RunnableConfig): Promise<CheckpointTuple> {
    const { thread, ns } = paper.attributes as unknown as Place;
    const place = { thread, ns };
    const kept = paper.value as KeptCheckpoint;
    const checkpoint = (await this.#unpack(kept.checkpoint)) as Checkpoint;
    checkpoint.channel_values = Object.fromEntries(
      await Promise.all(
        Object.entries(kept.values).map(async ([channel, id]) => {
          const value = await this.#papers.get(id);
          return [channel, value && (await this.#unpack(value.value as Packed))];
        }),
      ),
    );
    if (checkpoint.v < 4 && kept.parent !== undefined) await this.#withSends(checkpoint, place, kept.parent);
    return {
      config: asked ?? configOf(place, checkpointOf(paper)),
      checkpoint,
      metadata: (await this.#unpack(kept.metadata)) as CheckpointMetadata,
      pendingWrites: await this.#writes(place, checkpointOf(paper)),
      ...(kept.parent !== undefined && { parentConfig: configOf(place, kept.parent) }),
    };
  }

  /** Checkpoints of older versions have what was sent among the writes of their parent. */
  async #withSends(checkpoint: Checkpoint, place: Place, parent: string): Promise<void> {
    const sent = (await this.#writes(place, parent)).filter(([, channel]) => channel === TASKS);
    const versions = Object.values(checkpoint.channel_versions);
    checkpoint.channel_values[TASKS] = sent.map(([, , value]) => value);
    checkpoint.channel_versions[TASKS] =
      versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined);
  }

  async #writes(place: Place, checkpoint: string): Promise<CheckpointPendingWrite[]> {
    const papers = await this.#papers.list(WRITE, { ...place, checkpoint });
    const inOrder = papers.sort(
      (a, b) =>
        a.createdAt.getTime() - b.createdAt.getTime() ||
        Number(a.attributes.index) - Number(b.attributes.index),
    );
    return Promise.all(
      inOrder.map(
        async ({ value, attributes: { task, channel } }): Promise<CheckpointPendingWrite> => [
          String(task),
          String(channel),
          await this.#unpack(value as Packed),
        ],
      ),
    );
  }

  async #unchanged(
    parent: Paper,
    versions: ChannelVersions,
    changed: ChannelVersions,
  ): Promise<Record<string, string>> {
    const { values, checkpoint } = parent.value as KeptCheckpoint;
    const { channel_versions: old } = (await this.#unpack(checkpoint)) as Checkpoint;
    const same = ([channel]: [string, string]) =>
      !Object.hasOwn(changed, channel) && old[channel] === versions[channel];
    return Object.fromEntries(Object.entries(values).filter(same));
  }

  async #pack(value: unknown): Promise<Packed> {
    const [type, bytes] = await this.serde.dumpsTyped(value);
    const buffer = Buffer.from(bytes);
    try {
      if (type === "json") return [type, JSON.parse(buffer.toString())];
    } catch {
      // What is no JSON, such as an undefined value, is kept byte by byte.
    }
    return [type, buffer.toString("base64"), true];
  }

  async #unpack([type, data, isBytes]: Packed): Promise<unknown> {
    return this.serde.loadsTyped(type, isBytes ? Buffer.from(String(data), "base64") : JSON.stringify(data));
  }
}

function placeOf({ configurable }: RunnableConfig): Place {
  const thread: unknown = configurable?.thread_id;
  if (typeof thread !== "string" || thread === "") throw missing("thread_id");
  return { thread, ns: configurable?.checkpoint_ns ?? "" };
}

const missing = (field: string): PalimpsestError =>
  new PalimpsestError("INVALID_FIELD", `The passed config has no "${field}" in its "configurable".`, {
    hint: `Give { configurable: { ${field}: "…" } }.`,
  });

const ownerOf = (thread: string): string => `thread ${thread}`;
const checkpointPaper = ({ thread, ns }: Place, id: string): string => paperId(CHECKPOINT, thread, ns, id);
const checkpointOf = ({ attributes }: Paper): string => String(attributes.checkpoint);
const newestFirst = (a: Paper, b: Paper): number => (checkpointOf(a) < checkpointOf(b) ? 1 : -1);
const configOf = ({ thread, ns }: Place, id: string): RunnableConfig => ({
  configurable: { thread_id: thread, checkpoint_ns: ns, checkpoint_id: id },
});

/** The long-term store of a graph: its items are documents of a session, found by what they say. */
export class PalimpsestStore extends BaseStore {
  readonly #papers: Papers;

  constructor(session: Session, options: PapersOptions = {}) {
    super();
    this.#papers = new Papers(session, options);
  }

  /** Reads answer as it was before the batch; its writes are one commit, of which the last for a key counts. */
  async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const results: unknown[] = [];
    const puts = new Map<string, PutOperation>();
    for (const operation of operations) {
      if ("value" in operation) {
        puts.set(itemId(operation), operation);
        results.push(undefined);
      } else if ("key" in operation) results.push(await this.#get(operation));
      else if ("namespacePrefix" in operation) results.push(await this.#search(operation));
      else results.push(await this.#namespaces(operation));
    }
    if (puts.size > 0)
      await this.#papers.change("items of the store", async (changes) => {
        for (const [id, { namespace, key, value, index }] of puts)
          if (value === null) await changes.forget(id);
          else {
            const attributes = { namespace, key, ...(index !== undefined && { index }) };
            await changes.put({ id, type: ITEM, value, attributes }, wordsOf(value, key));
          }
      });
    return results as OperationResults<Op>;
  }

  async #get(operation: GetOperation): Promise<Item | null> {
    const paper = await this.#papers.get(itemId(operation));
    return paper ? itemOf(paper) : null;
  }

  async #search({ namespacePrefix, filter = {}, limit = 10, offset = 0, query }: SearchOperation) {
    const found: SearchItem[] = [];
    const fits = ({ namespace, value }: Item): boolean =>
      namespacePrefix.every((part, at) => namespace[at] === part) &&
      Object.entries(filter).every(([name, wanted]) => satisfies(value[name], wanted));
    if (query) {
      for (const [paper, score] of await this.#papers.search(ITEM, query, MOST_HITS)) {
        const item = itemOf(paper);
        if (paper.attributes.index !== false && fits(item)) found.push({ ...item, score });
      }
    } else found.push(...(await this.#papers.list(ITEM)).map(itemOf).filter(fits));
    return found.slice(offset, offset + limit);
  }

  async #namespaces({ matchConditions = [], maxDepth, limit, offset }: ListNamespacesOperation) {
    const all = new Map<string, string[]>();
    for (const paper of await this.#papers.list(ITEM)) {
      const { namespace } = itemOf(paper);
      if (!matchConditions.every((condition) => matches(condition, namespace))) continue;
      const shown = namespace.slice(0, maxDepth);
      all.set(JSON.stringify(shown), shown);
    }
    const sorted = [...all.values()].sort((a, b) => a.join(":").localeCompare(b.join(":")));
    return sorted.slice(offset ?? 0, (offset ?? 0) + (limit ?? sorted.length));
  }
}

/** As many as a search answers with at most. */
const MOST_HITS = 200;

const itemId = ({ namespace, key }: GetOperation): string => paperId(ITEM, namespace, key);

const itemOf = ({ value, attributes, createdAt, updatedAt }: Paper): Item => ({
  value: value as Item["value"],
  key: String(attributes.key),
  namespace: [...(attributes.namespace as readonly string[])],
  ...{ createdAt, updatedAt },
});

function matches({ matchType, path }: MatchCondition, namespace: readonly string[]): boolean {
  const from = matchType === "prefix" ? 0 : namespace.length - path.length;
  return (
    path.length <= namespace.length && path.every((part, at) => part === "*" || namespace[from + at] === part)
  );
}

const OPERATORS: Readonly<Record<string, (value: unknown, wanted: unknown) => boolean>> = {
  $eq: (value, wanted) => value === wanted,
  $ne: (value, wanted) => value !== wanted,
  $gt: (value, wanted) => Number(value) > Number(wanted),
  $gte: (value, wanted) => Number(value) >= Number(wanted),
  $lt: (value, wanted) => Number(value) < Number(wanted),
  $lte: (value, wanted) => Number(value) <= Number(wanted),
  $in: (value, wanted) => Array.isArray(wanted) && wanted.includes(value),
  $nin: (value, wanted) => !Array.isArray(wanted) || !wanted.includes(value),
};

function satisfies(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== "object" || wanted === null) return value === wanted;
  const asked = Object.entries(wanted);
  return asked.length > 0 && asked.every(([name, of]) => OPERATORS[name]?.(value, of) ?? false);
}
