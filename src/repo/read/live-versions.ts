import { type Hash, HashSet, PalimpsestError } from "../../core/base/index.js";
import type { MemoryRecord, Tip, Touch } from "../../core/ledger/index.js";
import { liveHashes } from "./live-hashes.js";
import type { Reader } from "./reader.js";
import { attentive, type Look } from "./turn.js";
import { rowAt } from "./versions.js";

const ROWS = 2_000;
/** A large transaction takes several numbers, and its objects may lie behind its rows. */
const SPAN = 16;

export interface LiveVersion {
  readonly row: Touch;
  readonly hash: Hash;
  readonly record: MemoryRecord;
}

/**
 * What is live in a state, read from the store in the order in which it was written: however much there is, of each version only
 * some thirty bytes are held.
 */
export class LiveVersions {
  readonly #reader: Reader;
  readonly #tip: Tip;
  /** Called at every step; may throw to end it. */
  readonly #look: Look;
  readonly #live = new HashSet();
  /** By number of the version: whether one event gave it or several. */
  #events = new Uint8Array(0);

  private constructor(reader: Reader, tip: Tip, look: Look) {
    this.#reader = reader;
    this.#tip = tip;
    this.#look = look;
  }

  /** Reads all of it once; `onRecord` gets each record. */
  static async open(
    reader: Reader,
    tip: Tip,
    look: Look,
    onRecord: (record: MemoryRecord) => void,
  ): Promise<LiveVersions> {
    const versions = new LiveVersions(reader, tip, look);
    for await (const hashes of attentive(liveHashes(reader, tip), look))
      for (const hash of hashes) versions.#live.add(hash);
    versions.#events = new Uint8Array(versions.#live.size);
    await versions.#readAll(onRecord);
    return versions;
  }

  /** Those that are wanted, each once. */
  async *each(isWanted: (record: MemoryRecord) => boolean): AsyncGenerator<LiveVersion> {
    // Another branch may take a version over meanwhile, which then has one event more than were counted.
    const handed = new Uint8Array(this.#live.size);
    for await (const { rows, records } of this.#pages(() => true))
      for (const row of rows) {
        const hash = row.record as Hash;
        const number = this.#live.numberOf(hash) as number;
        const record = handed[number] ? undefined : records.get(hash);
        if (!record || !isWanted(record) || !(await this.#isTheOne(row, hash))) continue;
        handed[number] = 1;
        yield { row, hash, record };
      }
  }

  async #readAll(onRecord: (record: MemoryRecord) => void): Promise<void> {
    let met = 0;
    for await (const { rows, records } of this.#pages((number) => this.#events[number] === 0))
      for (const row of rows) {
        const number = this.#live.numberOf(row.record as Hash) as number;
        const events = this.#events[number] as number;
        this.#events[number] = Math.min(2, events + 1);
        if (events > 0) continue;
        met++;
        const record = records.get(row.record as Hash);
        if (record) onRecord(record);
      }
    if (met === this.#live.size) return;
    for await (const hashes of liveHashes(this.#reader, this.#tip))
      for (const hash of hashes)
        if (this.#events[this.#live.numberOf(hash) as number] === 0) await this.#reader.missed(hash);
  }

  /** A version that came several times, as by a merge, is handed on where it came last. */
  async #isTheOne(row: Touch, hash: Hash): Promise<boolean> {
    if (this.#events[this.#live.numberOf(hash) as number] === 1) return true;
    const last = await rowAt(this.#reader, this.#tip, row.scope, row.id, hash);
    return last?.commit === row.commit && last.version === row.version;
  }

  /** The rows of live versions in the order of writing, with the records of those that are wanted. */
  async *#pages(isWanted: (number: number) => boolean) {
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
      const records = new Map([
        ...(beside as Map<Hash, MemoryRecord>),
        ...(await recordsOf(this.#reader, rest)),
      ]);
      if ((await this.#reader.version()).epoch !== epoch)
        throw new PalimpsestError("STORE_BUSY", "What was to be exported was erased meanwhile.");
      await this.#look();
      yield { rows, records };
      if (page.seq === after) return;
      after = page.seq;
    }
  }
}

/** Records that should be there; what is not is noted as damaged, unless it was erased. */
export async function recordsOf(
  reader: Reader,
  hashes: readonly Hash[],
): Promise<ReadonlyMap<Hash, MemoryRecord>> {
  const records = await reader.values("memory", hashes);
  for (const hash of hashes) if (!records.has(hash)) await reader.missed(hash);
  return records;
}
