import {
  grown,
  grownBuffer,
  type Hash,
  HashSet,
  hashFromBytes,
  millisecondsOf,
  timestamp,
  writeHash,
} from "../../core/base/index.js";
import type { Author, Touch } from "../../core/ledger/index.js";
import type { Counted } from "../read/entries.js";
import type { LiveEntries } from "../read/live-entries.js";

const HASH = 32;

/** The row of a version, as far as a view needs it. */
export interface VersionRow extends Counted {
  readonly record: Hash;
  readonly generation: number;
}

/**
 * What is live in a state: where each version stands, and the rows that may have given it. As values of their own they would
 * take a kilobyte of the heap for each memory; in columns it is a hundred bytes, and none of them of the heap.
 */
export class LiveTable {
  readonly #versions = new HashSet();
  readonly #scopes: Hash[] = [];
  #scopeOf = new Uint32Array(64);
  #ids = Buffer.alloc(64 * HASH);
  #marks = new Uint8Array(64);
  #unread = 0;
  #unheld = 0;

  /** 1 + number of the youngest row of each version, and of the row before each row; 0 where there is none. */
  #youngest = new Uint32Array(64);
  #older = new Uint32Array(64);
  #numbers = new Uint32Array(64);
  #generations = new Uint32Array(64);
  #times = new Float64Array(64);
  #createds = new Float64Array(64);
  #commitOf = new Uint32Array(64);
  #authorOf = new Uint32Array(64);
  #rows = 0;
  readonly #commits = new Commits();
  readonly #authors = new Authors();

  get size(): number {
    return this.#versions.size;
  }
  /** How many are still to be read, and how many did not come to stand in the view. */
  get unread(): number {
    return this.#unread;
  }
  get unheld(): number {
    return this.#unheld;
  }

  /** A version's hash covers its scope and id, so that it stands in one place. */
  addEntries({ scope, entries }: LiveEntries): void {
    if (this.#scopes.at(-1) !== scope) this.#scopes.push(scope);
    for (const [id, version] of entries) {
      if (this.#versions.add(version)) this.#makeRoom();
      const number = this.#versions.numberOf(version)!;
      this.#scopeOf[number] = this.#scopes.length - 1;
      writeHash(id, this.#ids, number * HASH);
    }
  }

  #makeRoom(): void {
    this.#unread++;
    this.#unheld++;
    if (this.size <= this.#scopeOf.length) return;
    this.#scopeOf = grown(this.#scopeOf);
    this.#ids = grownBuffer(this.#ids);
    this.#marks = grown(this.#marks);
    this.#youngest = grown(this.#youngest);
  }

  /** Where a version stands. */
  placeOf(version: Hash): { readonly scope: Hash; readonly id: Hash } {
    const number = this.#versions.numberOf(version)!;
    return { scope: this.#scopes[this.#scopeOf[number]!]!, id: hashFromBytes(this.#ids, number * HASH) };
  }

  isUnread(version: Hash): boolean {
    return this.#lacks(version, READ);
  }
  isUnheld(version: Hash): boolean {
    return this.#lacks(version, HELD);
  }
  markRead(version: Hash): void {
    if (this.#mark(version, READ)) this.#unread--;
  }
  markHeld(version: Hash): void {
    if (this.#mark(version, HELD)) this.#unheld--;
  }

  #lacks(version: Hash, mark: number): boolean {
    const number = this.#versions.numberOf(version);
    return number !== undefined && (this.#marks[number]! & mark) === 0;
  }
  #mark(version: Hash, mark: number): boolean {
    if (!this.#lacks(version, mark)) return false;
    this.#marks[this.#versions.numberOf(version)!]! |= mark;
    return true;
  }

  /** Rows of what is not live are passed over. The oldest come first. */
  addRow(row: Touch): void {
    const number = row.record && this.#versions.numberOf(row.record);
    if (number === undefined) return;
    const at = this.#rows++;
    if (at === this.#older.length) this.#makeRoomForRows();
    this.#older[at] = this.#youngest[number]!;
    this.#youngest[number] = at + 1;
    this.#numbers[at] = row.version;
    this.#generations[at] = row.generation;
    this.#times[at] = millisecondsOf(row.time);
    this.#createds[at] = row.created === row.time ? this.#times[at]! : millisecondsOf(row.created);
    this.#commitOf[at] = this.#commits.numberOf(row.commit);
    this.#authorOf[at] = this.#authors.numberOf(row.author);
  }

  #makeRoomForRows(): void {
    this.#older = grown(this.#older);
    this.#numbers = grown(this.#numbers);
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
        version: this.#numbers[at]!,
        generation: this.#generations[at]!,
        time: timestamp(this.#times[at]!),
        created: timestamp(this.#createds[at]!),
        commit: this.#commits.at(this.#commitOf[at]!),
        author: this.#authors.at(this.#authorOf[at]!),
      });
    return rows.reverse();
  }
}

const READ = 1;
const HELD = 2;

/** Commits by number. Of what was written together they are the same. */
class Commits {
  readonly #numbers = new HashSet();
  #bytes = Buffer.alloc(64 * HASH);
  #last: { readonly number: number; readonly hash: Hash } | undefined;

  numberOf(hash: Hash): number {
    if (this.#last?.hash === hash) return this.#last.number;
    if (this.#numbers.add(hash)) {
      const at = (this.#numbers.size - 1) * HASH;
      if (at === this.#bytes.length) this.#bytes = grownBuffer(this.#bytes);
      writeHash(hash, this.#bytes, at);
    }
    const number = this.#numbers.numberOf(hash)!;
    this.#last = { number, hash };
    return number;
  }

  at(number: number): Hash {
    if (this.#last?.number !== number)
      this.#last = { number, hash: hashFromBytes(this.#bytes, number * HASH) };
    return this.#last!.hash;
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
