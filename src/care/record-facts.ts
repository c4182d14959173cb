import { grownBuffer, type Hash, hashFromBytes, idKey, type Scope, scopeKey } from "../core/base/index.js";
import { linksOf, type MemoryRecord, type Sensitivity, sensitivityOf } from "../core/ledger/index.js";

/** What touch rows tell of a record. */
export interface RecordDetails {
  readonly sensitivity: Sensitivity;
  readonly links: readonly Hash[];
}

const SENSITIVITIES: readonly Sensitivity[] = ["normal", "private", "confidential"];
const HASH = 32;
/** Number of the scope, id, sensitivity, number of links. */
const FACTS = 4 + HASH + 1 + 1;
const NO_LINKS: readonly Hash[] = [];

/** What later checks ask of records, packed: there may be millions. Their texts are not kept. */
export class RecordFacts {
  readonly #scopes = new Map<Scope, number>();
  readonly #scopeKeys: Hash[] = [];
  #bytes = Buffer.alloc(1 << 12);
  #used = 0;

  /** Answers where the facts are. */
  add(record: MemoryRecord): number {
    const at = this.#used;
    const links = linksOf(record);
    this.#used += FACTS + links.length * HASH;
    while (this.#used > this.#bytes.length) this.#bytes = grownBuffer(this.#bytes);
    const bytes = this.#bytes;
    bytes.writeUInt32LE(this.#scopeOf(record.scope), at);
    bytes.write(idKey(record.id), at + 4, "hex");
    bytes[at + 4 + HASH] = SENSITIVITIES.indexOf(sensitivityOf(record));
    bytes[at + 5 + HASH] = links.length;
    for (const [number, link] of links.entries()) bytes.write(link, at + FACTS + number * HASH, "hex");
    return at;
  }

  /** Does the record belong under this key? */
  isOf(at: number, scope: Hash, id: Hash): boolean {
    const own = this.#scopeKeys[this.#bytes.readUInt32LE(at)];
    return own === scope && hashFromBytes(this.#bytes, at + 4) === id;
  }

  details(at: number): RecordDetails {
    const count = this.#bytes[at + 5 + HASH] as number;
    const link = (_: unknown, number: number) => hashFromBytes(this.#bytes, at + FACTS + number * HASH);
    return {
      sensitivity: SENSITIVITIES[this.#bytes[at + 4 + HASH] as number] as Sensitivity,
      links: count === 0 ? NO_LINKS : Array.from({ length: count }, link),
    };
  }

  #scopeOf(scope: Scope): number {
    const known = this.#scopes.get(scope);
    if (known !== undefined) return known;
    this.#scopes.set(scope, this.#scopeKeys.length);
    return this.#scopeKeys.push(scopeKey(scope)) - 1;
  }
}
