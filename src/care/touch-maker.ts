import {
  grown,
  grownBuffer,
  type Hash,
  HashSet,
  hashCanonical,
  hashFromBytes,
  type Timestamp,
} from "../core/base/index.js";
import type { Counters, Sensitivity, Touch } from "../core/ledger/index.js";

/** What later rows of a key go on from. */
export type EarlierRow = Counters & Pick<Touch, "record">;

const SENSITIVITIES: readonly Sensitivity[] = ["normal", "private", "confidential"];
const HASH = 32;
const HAS_RECORD = 0x80;
/** Where in a row of bytes stands what. */
const [VERSION, CREATED, PREVIOUS, FLAGS, ROW] = [HASH, HASH + 4, HASH + 8, HASH + 12, HASH + 13];

/** The rows made so far, by key, packed: there is one for every event of a history. */
export class KeyRows {
  readonly #keys = new HashSet();
  /** By number of the key: its last row, plus one. */
  #last = new Uint32Array(64);
  #bytes = Buffer.alloc(64 * ROW);
  #count = 0;
  readonly #times: Timestamp[] = [];
  readonly #numbers = new Map<Timestamp, number>();

  /** Those of a key, newest first. */
  *of(scope: Hash, id: Hash): Generator<EarlierRow> {
    const number = this.#keys.numberOf(keyOf(scope, id));
    if (number === undefined) return;
    for (let row = this.#last[number] as number; row > 0; ) {
      const at = (row - 1) * ROW;
      const flags = this.#bytes[at + FLAGS] as number;
      yield {
        ...(flags & HAS_RECORD && { record: hashFromBytes(this.#bytes, at) }),
        version: this.#bytes.readUInt32LE(at + VERSION),
        created: this.#times[this.#bytes.readUInt32LE(at + CREATED)] as Timestamp,
        sensitivity: SENSITIVITIES[flags & ~HAS_RECORD] as Sensitivity,
      };
      row = this.#bytes.readUInt32LE(at + PREVIOUS);
    }
  }

  add({ scope, id, record, version, created, sensitivity }: Touch): void {
    const at = this.#count++ * ROW;
    if (at === this.#bytes.length) this.#bytes = grownBuffer(this.#bytes);
    const key = keyOf(scope, id);
    this.#keys.add(key);
    const number = this.#keys.numberOf(key) as number;
    if (number === this.#last.length) this.#last = grown(this.#last);
    const bytes = this.#bytes;
    if (record) bytes.write(record, at, "hex");
    bytes.writeUInt32LE(version, at + VERSION);
    bytes.writeUInt32LE(this.#timeOf(created), at + CREATED);
    bytes.writeUInt32LE(this.#last[number] as number, at + PREVIOUS);
    bytes[at + FLAGS] = SENSITIVITIES.indexOf(sensitivity) | (record ? HAS_RECORD : 0);
    this.#last[number] = this.#count;
  }

  #timeOf(time: Timestamp): number {
    const known = this.#numbers.get(time);
    if (known !== undefined) return known;
    this.#numbers.set(time, this.#times.length);
    return this.#times.push(time) - 1;
  }
}

const keyOf = (scope: Hash, id: Hash): Hash => hashCanonical("link", scope + id);
