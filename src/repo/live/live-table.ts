import {
  grown,
  grownBuffer,
  type Hash,
  HashList,
  hashFromBytes,
  millisecondsOf,
  timestamp,
  writeHash,
} from "../../core/base/index.js";
import type { Author, Touch } from "../../core/ledger/index.js";
import type { Counted, LiveEntries } from "../read/entries.js";
import type { Sought } from "../read/sweep.js";

const HASH = 32;

/** The row of a version, as far as a view needs it. */
export interface VersionRow extends Counted {
  readonly record: Hash;
  readonly generation: number;
}

/**
 * What is live in a state: where each version stands, and the rows that may have given it. As values of their own they would
 * take a kilobyte of the heap for each memory; in columns it is some 150 bytes, and none of them of the heap.
 */
export class LiveTable implements Sought {
  readonly #versions = new HashList();
  readonly #scopes: Hash[] = [];
  #scopeOf = new Uint32Array(64);
  #ids = Buffer.alloc(64 * HASH);
  #isRead = new Uint8Array(64);
  #isHeld = new Uint8Array(64);
  #read = 0;
  #held = 0;

  /** 1 + number of the youngest row of each version, and of the row before each row; 0 where there is none. */
  #youngest = new Uint32Array(64);
  #older = new Uint32Array(64);
  #counts = new Uint32Array(64);
  #generations = new Uint32Array(64);
  #times = new Float64Array(64);
  #createds = new Float64Array(64);
  #commitOf = new Uint32Array(64);
  #authorOf = new Uint32Array(64);
  #rows = 0;
  readonly #commits = new HashList();
  readonly #authors = new Authors();

  /** A version's hash covers its scope and id, so that it stands in one place. */
  addEntries({ scope, entries }: LiveEntries): void {
    if (this.#scopes.at(-1) !== scope) this.#scopes.push(scope);
    for (const [id, version] of entries) {
      const number = this.#versions.add(version);
      if (number === this.#scopeOf.length) this.#makeRoom();
      this.#scopeOf[number] = this.#scopes.length - 1;
      writeHash(id, this.#ids, number * HASH);
    }
  }

  #makeRoom(): void {
    this.#scopeOf = grown(this.#scopeOf);
    this.#ids = grownBuffer(this.#ids);
    this.#isRead = grown(this.#isRead);
    this.#isHeld = grown(this.#isHeld);
    this.#youngest = grown(this.#youngest);
  }

  /** How many are still to be read. */
  get size(): number {
    return this.#versions.size - this.#read;
  }
  has(version: Hash): boolean {
    const number = this.#versions.numberOf(version);
    return number !== undefined && this.#isRead[number] === 0;
  }
  delete(version: Hash): void {
    const number = this.#versions.numberOf(version)!;
    if (this.#isRead[number] === 0) this.#read++;
    this.#isRead[number] = 1;
  }
  *keys(): Generator<Hash> {
    for (let number = 0; number < this.#versions.size; number++)
      if (this.#isRead[number] === 0) yield this.#versions.at(number);
  }

  /** Says that a version has come to stand in the view. */
  hold(version: Hash): void {
    const number = this.#versions.numberOf(version)!;
    if (this.#isHeld[number] === 0) this.#held++;
    this.#isHeld[number] = 1;
  }
  *unheld(): Generator<Hash> {
    if (this.#held === this.#versions.size) return;
    for (let number = 0; number < this.#versions.size; number++)
      if (this.#isHeld[number] === 0) yield this.#versions.at(number);
  }

  /** Where a version stands. */
  placeOf(version: Hash): { readonly scope: Hash; readonly id: Hash } {
    const number = this.#versions.numberOf(version)!;
    return { scope: this.#scopes[this.#scopeOf[number]!]!, id: hashFromBytes(this.#ids, number * HASH) };
  }

  /** Rows of what is not live are passed over. The oldest come first. */
  addRow(row: Touch): void {
    const number = row.record && this.#versions.numberOf(row.record);
    if (number === undefined) return;
    const at = this.#rows++;
    if (at === this.#older.length) this.#makeRoomForRows();
    this.#older[at] = this.#youngest[number]!;
    this.#youngest[number] = at + 1;
    this.#counts[at] = row.version;
    this.#generations[at] = row.generation;
    this.#times[at] = millisecondsOf(row.time);
    this.#createds[at] = row.created === row.time ? this.#times[at]! : millisecondsOf(row.created);
    this.#commitOf[at] = this.#commits.add(row.commit);
    this.#authorOf[at] = this.#authors.numberOf(row.author);
  }

  #makeRoomForRows(): void {
    this.#older = grown(this.#older);
    this.#counts = grown(this.#counts);
    this.#generations = grown(this.#generations);
    this.#times = grown(this.#times);
    this.#createds = grown(this.#createds);
    this.#commitOf = grown(this.#commitOf);
    this.#authorOf = grown(this.#authorOf);
  }

  /** The rows of a version, the oldest first. */
  rowsOf(version: Hash): VersionRow[] {
    const rows: VersionRow[] = [];
    const number = this.#versions.numberOf(version)!;
    for (let at = this.#youngest[number]! - 1; at >= 0; at = this.#older[at]! - 1)
      rows.push({
        record: version,
        version: this.#counts[at]!,
        generation: this.#generations[at]!,
        time: timestamp(this.#times[at]!),
        created: timestamp(this.#createds[at]!),
        commit: this.#commits.at(this.#commitOf[at]!),
        author: this.#authors.at(this.#authorOf[at]!),
      });
    return rows.reverse();
  }
}

/** Authors by number; there are few. */
class Authors {
  readonly #numbers = new Map<string, number>();
  readonly #all: Author[] = [];

  numberOf(author: Author): number {
    const last = this.#all.length - 1;
    if (this.#all[last] === author) return last;
    const name = `${author.kind}\n${author.id}`;
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.#all.length);
    return this.#all.push(author) - 1;
  }

  at(number: number): Author {
    return this.#all[number]!;
  }
}
