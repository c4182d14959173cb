import { type Hash, HashSet, PalimpsestError, parseScope, type Scope } from "../base/index.js";
import {
  expandRecord,
  type FullRecord,
  type MemoryRecord,
  parentLink,
  type Tip,
  type Touch,
} from "../ledger/index.js";
import type { Context } from "./context.js";
import { isExpired } from "./entries.js";
import { liveHashes } from "./live-hashes.js";
import type { Reader } from "./reader.js";
import { SortedHashes } from "./sorted-hashes.js";
import { rowAt } from "./versions.js";

const ROWS = 2_000;
const PAGE = 500;
/** A large transaction takes several numbers, and its objects may lie behind its rows. */
const SPAN = 16;

export interface ExportSourceOptions {
  readonly scope?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

type Found = { readonly row: Touch; readonly hash: Hash; readonly record: MemoryRecord };

/**
 * The memories of a state that a session sees, read from the store while they are told: however many there are, of each
 * only some ten bytes are held. A view would hold all of them.
 */
export class ExportSource {
  readonly #context: Context;
  readonly #reader: Reader;
  readonly #tip: Tip;
  readonly #now: string;
  readonly #only: Scope | undefined;
  readonly #types: ReadonlySet<string> | undefined;
  readonly #onProgress: (done: number, total: number) => void;
  /** The versions that are live, and of each whether one event gave it or several. */
  readonly #live = new HashSet();
  #events = new Uint8Array(0);
  /** Links of those that others name as their parent. */
  readonly #named = new HashSet();
  #count = 0;
  #done = 0;

  private constructor(context: Context, reader: Reader, tip: Tip, now: string, options: ExportSourceOptions) {
    this.#context = context;
    this.#reader = reader;
    this.#tip = tip;
    this.#now = now;
    this.#only = options.scope === undefined ? undefined : parseScope(options.scope);
    this.#types = options.types && new Set(options.types);
    this.#onProgress = options.onProgress ?? (() => undefined);
  }

  /** Counts what is there, which reads all of it once. */
  static async open(
    context: Context,
    reader: Reader,
    tip: Tip,
    now: string,
    options: ExportSourceOptions,
  ): Promise<ExportSource> {
    const source = new ExportSource(context, reader, tip, now, options);
    for await (const hashes of liveHashes(reader, tip)) for (const hash of hashes) source.#live.add(hash);
    source.#events = new Uint8Array(source.#live.size);
    await source.#look();
    return source;
  }

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
      const records = await this.#read(page);
      yield* this.#told(page.flatMap((hash) => records.get(hash) ?? []).map(expandRecord));
    }
  }

  async #read(hashes: readonly Hash[]): Promise<ReadonlyMap<Hash, MemoryRecord>> {
    const records = await this.#reader.values("memory", hashes);
    for (const hash of hashes) if (!records.has(hash)) await this.#reader.missed(hash);
    return records;
  }

  #tell(count: number): void {
    const before = this.#done;
    this.#done += count;
    if (Math.floor(before / PAGE) < Math.floor(this.#done / PAGE) || this.#done === this.#count)
      this.#onProgress(this.#done, this.#count);
  }

  async #look(): Promise<void> {
    let met = 0;
    for await (const { rows, records } of this.#pages((slot) => this.#events[slot] === 0)) {
      for (const row of rows) {
        const slot = this.#live.numberOf(row.record as Hash) as number;
        const events = this.#events[slot] as number;
        this.#events[slot] = Math.min(2, events + 1);
        if (events > 0) continue;
        met++;
        const record = records.get(row.record as Hash);
        if (!record || !this.#sees(record)) continue;
        this.#count++;
        if (record.parent !== undefined) this.#named.add(parentLink(record.scope, record.parent));
      }
    }
    if (met === this.#live.size) return;
    for await (const hashes of liveHashes(this.#reader, this.#tip))
      for (const hash of hashes)
        if (this.#events[this.#live.numberOf(hash) as number] === 0) await this.#reader.missed(hash);
  }

  async *#found(isSilent?: "silent"): AsyncGenerator<Found> {
    for await (const { rows, records } of this.#pages(() => true))
      for (const row of rows) {
        const hash = row.record as Hash;
        const record = records.get(hash);
        if (!record || !this.#sees(record) || !(await this.#isTheOne(row, hash))) continue;
        yield { row, hash, record };
        if (!isSilent) this.#tell(1);
      }
  }

  /** A version that came several times, as by a merge, is told where it came last. */
  async #isTheOne(row: Touch, hash: Hash): Promise<boolean> {
    if (this.#events[this.#live.numberOf(hash) as number] === 1) return true;
    const last = await rowAt(this.#reader, this.#tip, row.scope, row.id, hash);
    return last?.commit === row.commit && last.version === row.version;
  }

  /** The rows of live versions in the order of writing, with the records of those that are wanted. */
  async *#pages(isWanted: (slot: number) => boolean) {
    const { storage } = this.#reader;
    const { epoch } = await this.#reader.version();
    for (let after = 0; ; ) {
      const page = await storage.touchSince(after, ROWS);
      const rows = page.touch.filter(
        ({ record, generation }) =>
          record && generation <= this.#tip.commit.generation && this.#live.has(record),
      );
      const wanted = new Set(
        rows.flatMap(({ record }) => (isWanted(this.#live.numberOf(record!)!) ? record! : [])),
      );
      const beside = await this.#reader.gather(["memory"], { after, upTo: page.seq + SPAN }, (hash) =>
        wanted.has(hash),
      );
      const rest = [...wanted].filter((hash) => !beside.has(hash));
      const records = new Map([...(beside as Map<Hash, MemoryRecord>), ...(await this.#read(rest))]);
      if ((await this.#reader.version()).epoch !== epoch)
        throw new PalimpsestError("STORE_BUSY", "What was to be exported was erased meanwhile.");
      // Told while it only looks, too: whoever is told may end it.
      this.#onProgress(this.#done, this.#count || this.#live.size);
      yield { rows, records };
      if (page.seq === after) return;
      after = page.seq;
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
