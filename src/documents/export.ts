import { type Hash, HashSet, type JsonObject, parseScope, type Scope } from "../core/base/index.js";
import {
  expandRecord,
  type FullRecord,
  laneOf,
  type MemoryRecord,
  parentLink,
} from "../core/ledger/index.js";
import {
  type At,
  type Context,
  isExpired,
  type LiveVersion,
  LiveVersions,
  looking,
  type Reader,
  recordsOf,
  SortedHashes,
} from "../repo/index.js";
import { entityLine, exactText, relationLine, relationOf, typeOfEntity } from "./graph.js";
import { IMAGE_MAGIC } from "./image.js";

export type ExportFormat = "json" | "jsonl" | "markdown" | "org" | "mcp-memory";

export interface ExportedBranch {
  readonly name: string;
  readonly persona: string;
  readonly head: string;
}

/** The knowledge graph alone, as the official memory server keeps it: entities with what was observed of each, relations. */
export async function* graphExport(
  entities: AsyncIterable<{ readonly memory: FullRecord; readonly below: readonly FullRecord[] }>,
  relations: AsyncIterable<{ readonly memory: FullRecord }>,
): AsyncGenerator<string> {
  let start = "";
  for await (const { memory, below } of entities) {
    const observations = below.filter(({ type }) => type === "remark").map(exactText);
    const entity = { name: exactText(memory), entityType: typeOfEntity(memory), observations };
    yield `${start}${entityLine(entity)}`;
    start = "\n";
  }
  for await (const { memory } of relations) {
    yield `${start}${relationLine(relationOf(memory))}`;
    start = "\n";
  }
}

/** A program that reads line by line finds a parent before its children. */
export function parentsFirst<
  T extends { readonly id: string; readonly scope?: string; readonly parent?: string },
>(items: readonly T[]): T[] {
  const keyOf = (scope: string | undefined, id: string) => `${scope ?? ""}\n${id}`;
  const byKey = new Map(items.map((item) => [keyOf(item.scope, item.id), item]));
  const done = new Set<T>();
  const order: T[] = [];
  for (const item of items) {
    const trail: T[] = [];
    for (let at: T | undefined = item; at && !done.has(at); ) {
      done.add(at);
      trail.push(at);
      at = at.parent === undefined ? undefined : byKey.get(keyOf(at.scope, at.parent));
    }
    order.push(...trail.reverse());
  }
  return order;
}

const PAGE = 500;

interface ExportSourceOptions {
  readonly scope?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** The memories of a state that a session sees, in the orders that files want, read from the store while they are written. */
export class ExportSource {
  readonly #context: Context;
  readonly #reader: Reader;
  readonly #now: string;
  readonly #only: Scope | undefined;
  readonly #types: ReadonlySet<string> | undefined;
  readonly #onProgress: (done: number, total: number) => void;
  #versions: LiveVersions | undefined;
  /** Links of those that others name as their parent. */
  readonly #named = new HashSet();
  #count = 0;
  #done = 0;

  private constructor({ context, reader, now }: At, options: ExportSourceOptions) {
    this.#context = context;
    this.#reader = reader;
    this.#now = now;
    this.#only = options.scope === undefined ? undefined : parseScope(options.scope);
    this.#types = options.types && new Set(options.types);
    this.#onProgress = options.onProgress ?? (() => undefined);
  }

  /** Counts what is there, which reads all of it once. */
  static async open(at: At, options: ExportSourceOptions): Promise<ExportSource> {
    const source = new ExportSource(at, options);
    source.#versions = await LiveVersions.open(at.reader, at.tip, source.look, (record) =>
      source.#meet(record),
    );
    return source;
  }

  /** Called while it only looks, too: the callback may end it. */
  readonly look = looking(() => this.#onProgress(this.#done, Math.max(1, this.#count)));

  get count(): number {
    return this.#count;
  }

  /** All of them, as they were written. */
  async *memories() {
    for await (const { row, record } of this.#found())
      yield {
        ...expandRecord(record),
        version: row.version,
        createdAt: row.created,
        updatedAt: row.time,
      };
  }

  /** By what `headingOf` says of each, headings in the order in which they are met. */
  async *groups(headingOf: (record: FullRecord) => string) {
    const headings = new Map<string, string>();
    const sorted = new SortedHashes();
    for await (const { hash, record } of this.#found("silent")) {
      const heading = headingOf(expandRecord(record));
      const key = headings.get(heading) ?? String(headings.size).padStart(9, "0");
      headings.set(heading, key);
      sorted.add(key, hash);
    }
    for (const [heading, key] of headings) yield { heading, memories: this.#records(sorted.under(key)) };
  }

  /** Trees from their tops down, each memory with its level, so that a parent comes before its children. */
  async *nested(): AsyncGenerator<{ memory: FullRecord; level: number }> {
    const present = new HashSet();
    const children = new SortedHashes();
    if (this.#named.size > 0)
      for await (const { hash, record } of this.#found("silent")) {
        const own = parentLink(record.scope, record.id);
        if (this.#named.has(own)) present.add(own);
        if (record.parent !== undefined)
          children.add(placeOf(parentLink(record.scope, record.parent), record), hash);
      }
    for await (const { record } of this.#found("silent")) {
      if (record.parent !== undefined && present.has(parentLink(record.scope, record.parent))) continue;
      const open: AsyncIterator<FullRecord>[] = [this.#handOut([expandRecord(record)])];
      for (let last = open.at(-1); last; last = open.at(-1)) {
        const { value: memory, done } = await last.next();
        if (done) open.pop();
        else {
          yield { memory, level: open.length };
          const own = parentLink(memory.scope, memory.id);
          if (this.#named.has(own)) open.push(this.#records(children.under(own)));
        }
      }
    }
  }

  /** Those of one type by position, with those below each. */
  async *placed(type: string) {
    const tops = new SortedHashes();
    const children = new SortedHashes();
    for await (const { hash, record } of this.#found("silent"))
      if (record.type === type) tops.add(placeOf("", record), hash);
      else if (record.parent !== undefined)
        children.add(placeOf(parentLink(record.scope, record.parent), record), hash);
    for await (const memory of this.#records(tops.under(""))) {
      const below: FullRecord[] = [];
      for await (const child of this.#records(children.under(parentLink(memory.scope, memory.id))))
        below.push(child);
      yield { memory, below };
    }
  }

  async *#handOut(memories: readonly FullRecord[]): AsyncGenerator<FullRecord> {
    yield* memories;
    this.#tell(memories.length);
  }

  async *#records(hashes: Iterable<Hash>): AsyncGenerator<FullRecord> {
    for (const page of inPages(hashes)) {
      const records = await recordsOf(this.#reader, page);
      yield* this.#handOut(page.flatMap((hash) => records.get(hash) ?? []).map(expandRecord));
    }
  }

  #tell(count: number): void {
    const before = this.#done;
    this.#done += count;
    if (Math.floor(before / PAGE) < Math.floor(this.#done / PAGE) || this.#done === this.#count)
      this.#onProgress(this.#done, this.#count);
  }

  #meet(record: MemoryRecord): void {
    if (!this.#sees(record)) return;
    this.#count++;
    if (record.parent !== undefined) this.#named.add(parentLink(record.scope, record.parent));
  }

  async *#found(isSilent?: "silent"): AsyncGenerator<LiveVersion> {
    for await (const found of (this.#versions as LiveVersions).each((record) => this.#sees(record))) {
      yield found;
      if (!isSilent) this.#tell(1);
    }
  }

  #sees(record: MemoryRecord): boolean {
    return (
      this.#context.sight.seesRecord(record) &&
      !isExpired({ record }, this.#now) &&
      (this.#only === undefined || record.scope === this.#only) &&
      (!this.#types || this.#types.has(record.type))
    );
  }
}

/** Siblings in their order. */
const placeOf = (above: string, { position = "", id }: MemoryRecord): string => `${above}${position}\0${id}`;

function* inPages(hashes: Iterable<Hash>): Generator<Hash[]> {
  let page: Hash[] = [];
  for (const hash of hashes) {
    page.push(hash);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** What a streamed export is made of; nothing of it is held as a whole. */
interface ExportStream {
  readonly at: string;
  readonly branch: string;
  readonly branches: readonly ExportedBranch[];
  readonly memories: AsyncIterable<Exported>;
  /** Commits, newest first. */
  readonly history?: AsyncIterable<object>;
  /** The lines of an image of the store, from which an empty one becomes the same, root hash and all. */
  readonly store?: AsyncIterable<string>;
}

/** One object: exported_at, current_branch, branches, memories, and with history the commits and the store's image. */
export async function* jsonExport(given: ExportStream): AsyncGenerator<string> {
  const { at, branch, branches, memories, history, store } = given;
  const head = { exported_at: at, current_branch: branch, branches, ...(store && { whole: true }) };
  yield `${JSON.stringify(head, undefined, 2).slice(0, -2)},\n  "memories": `;
  yield* list(memories, (memory) =>
    JSON.stringify({
      ...fieldsOf(memory),
      ...(memory.triple ?? {}),
      version: memory.version,
      created_at: memory.createdAt,
      timestamp: memory.updatedAt,
    }),
  );
  if (history) yield ',\n  "history": ';
  if (history) yield* list(history, (commit) => JSON.stringify(commit));
  if (store) yield ',\n  "store": ';
  if (store) yield* list(store, (line) => JSON.stringify(line.trimEnd()));
  yield "\n}\n";
}

async function* list<T>(items: AsyncIterable<T>, write: (item: T) => string): AsyncGenerator<string> {
  let before = "[";
  for await (const item of items) {
    yield `${before}\n    ${write(item)}`;
    before = ",";
  }
  yield before === "[" ? "[]" : "\n  ]";
}

/** One memory per line, as they come; with history a first line that says so, and the image after the memories. */
export async function* jsonlExport({
  at,
  branch,
  memories,
  history,
  store,
}: Omit<ExportStream, "memories"> & {
  readonly memories: AsyncIterable<{ readonly memory: FullRecord }>;
}): AsyncGenerator<string> {
  const line = (value: object): string => `${JSON.stringify(value)}\n`;
  if (history || store)
    yield line({ export: { exported_at: at, current_branch: branch, ...(store && { whole: true }) } });
  for await (const { memory } of memories) yield line(fieldsOf(memory));
  if (history) for await (const commit of history) yield line({ commit });
  if (store) for await (const text of store) yield line({ store: text.trimEnd() });
}

/** A memory as exports tell of it, with what its history says. */
type Exported = FullRecord & {
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** What the gate takes back: the fields of a memory that somebody gave, without what is computed. */
export function fieldsOf(memory: FullRecord): JsonObject {
  const { origin, lifetime, confidence, sensitivity, attributes, tags } = memory;
  const { id, scope, type, text, triple, category, parent, position, tier, topic, expiresAt, valid } = memory;
  const given = {
    id,
    scope,
    type,
    text,
    triple,
    attributes: Object.keys(attributes).length > 0 ? attributes : undefined,
    category,
    tags: tags.length > 0 ? tags : undefined,
    parent,
    position,
    tier: tier === "canon" ? tier : undefined,
    topic,
    lifetime: lifetime === "permanent" ? undefined : "temporary",
    expiresAt,
    confidence: confidence === 1 ? undefined : confidence,
    sensitivity: sensitivity === "normal" ? undefined : sensitivity,
    source: origin.source,
    evidence: origin.evidence,
    uri: origin.uri,
    turn: origin.turn,
    speaker: laneOf(type) === "message" ? origin.actor : undefined,
    conversation: laneOf(type) === "message" ? origin.session : undefined,
    valid,
  };
  return JSON.parse(JSON.stringify(given)) as JsonObject;
}

/** A memory and how deep in its tree it is, from 1. */
export interface Nested {
  readonly memory: FullRecord;
  readonly level: number;
}

/** What we write to files of people, each known by how it begins. */
type MadeHere = keyof typeof HEADS;

const TIME = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`;

/** Of an export as JSON, JSON lines (what follows, or a memory with its fields in our order), Markdown or Org. */
const EXPORTS = [
  `\\{\n {2}"exported_at": "${TIME}",\n {2}"current_branch": `,
  `\\{"export":\\{"exported_at":"${TIME}","current_branch":`,
  String.raw`\{"id":"(?:[^"\\]|\\.)*","scope":"[^"]*","type":"[^"]*","text":"`,
  `# Memories\n\nExported ${TIME} from branch `,
  `#\\+TITLE: Memories\n#\\+DATE: ${TIME}\n`,
];

const HEADS = {
  image: new RegExp(`^${IMAGE_MAGIC}\n`),
  // The graph of the official memory server and a document are in forms of others: nobody can tell who wrote them.
  export: new RegExp(`^(?:${EXPORTS.join("|")})`),
  gcc: /^(?:# Roadmap\n\n[\s\S]*\n\n## Branches\n\n- |# (?:Milestones|Steps) of \S+\n(?:\n|$)|name: ".*"\npurpose: ".*"\npersona: ".*"\nstatus: ")/,
  proof: /^\{(?:"v":[12],"root":"[0-9a-f]{64}","scope":"|"v":1,"kind":"consistency","old":"[0-9a-f]{64}")/,
  "hand-over": /^\{\n {2}"format": "palimpsest-hand-over",\n {2}"v": 1,\n/,
} as const;

/** Does a file begin as what we would write in its place? Another program's file with the same name does not. */
export const isMadeHere =
  (kind: MadeHere) =>
  (head: string): boolean =>
    HEADS[kind].test(head);
