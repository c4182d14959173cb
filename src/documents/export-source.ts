import { type Hash, HashSet, parseScope, type Scope } from "../core/base/index.js";
import { expandRecord, type FullRecord, type MemoryRecord, parentLink } from "../core/ledger/index.js";
import type { At, Context, Reader } from "../repo/index.js";
import {
  isExpired,
  type LiveVersion,
  LiveVersions,
  looking,
  recordsOf,
  SortedHashes,
} from "../repo/index.js";

const PAGE = 500;

export interface ExportSourceOptions {
  readonly scope?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** The memories of a state that a session sees, in the orders that files want, read from the store while they are told. */
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

  /** Told while it only looks, too: whoever is told may end it. */
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
      const open: AsyncIterator<FullRecord>[] = [this.#told([expandRecord(record)])];
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

  async *#told(memories: readonly FullRecord[]): AsyncGenerator<FullRecord> {
    yield* memories;
    this.#tell(memories.length);
  }

  async *#records(hashes: Iterable<Hash>): AsyncGenerator<FullRecord> {
    for (const page of inPages(hashes)) {
      const records = await recordsOf(this.#reader, page);
      yield* this.#told(page.flatMap((hash) => records.get(hash) ?? []).map(expandRecord));
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
