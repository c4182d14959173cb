import type { Hash, MemoryId } from "../core/base/index.js";
import { type NameColumn, Uses } from "./docs.js";
import type { Doc } from "./document.js";
import { dictionaryOf, docAt, type Frozen, hashAt, idAt, partitionAt, sizeOf } from "./frozen.js";
import { type Layer, Open } from "./open.js";
import { whoSays } from "./saying.js";
import { findString, stringsFrom } from "./strings.js";

/** A stretch of the list of a term: memories `docs[from..to]`, ascending, with how much it counts in each. */
export interface Run {
  readonly docs: Uint32Array;
  readonly weights: Uint8Array;
  readonly from: number;
  readonly to: number;
  /** All of this partition; of an open part, of any. */
  readonly partition: number | undefined;
}

export interface Named {
  readonly numbers: Int32Array;
  readonly names: readonly string[];
}

/** Memories by their numbers: a frozen part, and open parts on top of it. Says nothing of who is alive. */
export class Parts {
  protected base: Frozen;
  protected readonly layers: (Layer & { size: number })[] = [];

  constructor(base: Frozen) {
    this.base = base;
    this.addLayer(sizeOf(base));
  }

  protected addLayer(start: number): void {
    this.layers.push({ open: new Open(), start, size: 0 });
  }

  /** Numbers given so far. */
  get size(): number {
    const { start, size } = this.layers.at(-1)!;
    return start + size;
  }

  doc(number: number): Doc {
    const layer = this.layerOf(number);
    return layer ? layer.open.docs.at(number - layer.start) : docAt(this.base, number);
  }
  idOf(number: number): MemoryId {
    const layer = this.layerOf(number);
    return layer ? layer.open.docs.idOf(number - layer.start) : idAt(this.base, number);
  }
  /** False when an id surely neither begins nor ends with a part; spares making strings of the others. */
  mayFit(number: number, part: string): boolean {
    if (this.layerOf(number)) return true;
    const { idBytes, idStarts } = this.base;
    const [first, last] = [part.charCodeAt(0), part.charCodeAt(part.length - 1)];
    if (first > 127 || last > 127) return true;
    return idBytes[idStarts[number]!] === first || idBytes[idStarts[number + 1]! - 1] === last;
  }
  hashOf(number: number): Hash {
    const layer = this.layerOf(number);
    return layer ? layer.open.docs.hashOf(number - layer.start) : hashAt(this.base, number);
  }
  languageOf(number: number): string {
    const { numbers, names } = this.named("language");
    return names[numbers[number]!]!;
  }
  createdOf(number: number): number {
    return this.number("created", number);
  }
  lengthOf(number: number): number {
    return this.number("length", number);
  }
  traitsOf(number: number): number {
    return this.number("traits", number);
  }
  confidenceOf(number: number): number {
    return this.number("confidence", number);
  }
  /** Its place in its conversation; what has none comes last. */
  turnOf(number: number): number {
    const turn = this.number("turn", number);
    return Number.isNaN(turn) ? Number.MAX_VALUE : turn;
  }
  /** When it was said or began to be true; NaN when nobody says. */
  saidOf(number: number): number {
    return this.number("said", number);
  }
  /** When it was said or began to be true, else when it was written. */
  dateOf(number: number): number {
    const said = this.number("said", number);
    return Number.isNaN(said) ? this.createdOf(number) : said;
  }
  partitionOf(number: number): number {
    const layer = this.layerOf(number);
    return layer ? layer.open.partitions[number - layer.start]! : partitionAt(this.base, number);
  }

  /** Do the numbers of two memories tell which is older? */
  isInOrder(a: number, b: number): boolean {
    const size = sizeOf(this.base);
    return a < size && b < size && partitionAt(this.base, a) === partitionAt(this.base, b);
  }

  /** The list of a term over the partitions that are wanted, as stretches. */
  runs(term: string, wanted: (partition: number) => boolean): Run[] {
    const runs: Run[] = [...this.#frozenRuns(term, wanted)];
    for (const { open, start, size } of this.layers) {
      const list = open.list(term, size, start);
      const to = list.docs.length;
      if (to > 0) runs.push({ ...list, from: 0, to, partition: undefined });
    }
    return runs;
  }

  /** Names the memories of the list of a term one by one, which makes no list; those of a partition surely lie in it. */
  eachHolder(
    term: string,
    wanted: (partition: number) => boolean,
    take: (doc: number, weight: number, partition: number | undefined) => void,
  ): void {
    for (const { docs, weights, from, to, partition } of this.#frozenRuns(term, wanted))
      for (let at = from; at < to; at++) take(docs[at]!, weights[at]!, partition);
    for (const { open, start, size } of this.layers)
      open.eachHolder(term, size, (doc, weight) => take(start + doc, weight, undefined));
  }

  /** How long the list of a term is, of an open part over all partitions. Makes no list. */
  amount(term: string, wanted: (partition: number) => boolean): number {
    let amount = 0;
    const place = this.#placeOf(term);
    if (place)
      for (const { from, to, partition } of this.#stretches(place))
        if (wanted(partition)) amount += to - from;
    for (const { open, size } of this.layers) amount += open.amount(term, size);
    return amount;
  }

  /** Does a memory hold a term? */
  holds(number: number, term: string): boolean {
    const layer = this.layerOf(number);
    if (layer) return layer.open.holds(number - layer.start, term);
    const place = this.#placeOf(term);
    if (!place) return false;
    const docs = this.base.part("docs", ...place);
    return docs[firstFrom(docs, 0, docs.length, number)] === number;
  }

  *#frozenRuns(term: string, wanted: (partition: number) => boolean): Generator<Run> {
    const place = this.#placeOf(term);
    if (!place) return;
    const weights = this.base.part("weights", ...place);
    for (const { docs, from, to, partition } of this.#stretches(place))
      if (wanted(partition)) yield { docs, weights, from, to, partition };
  }

  /** Where the frozen list of a term lies. */
  #placeOf(term: string): [from: number, to: number] | undefined {
    const at = findString(dictionaryOf(this.base), term);
    return at < 0 ? undefined : [this.base.starts[at]!, this.base.starts[at + 1]!];
  }

  /** A frozen list by partitions. */
  *#stretches(place: readonly [from: number, to: number]) {
    const { bounds, partitions } = this.base;
    const docs = this.base.part("docs", ...place);
    for (let partition = 0, from = 0; partition < partitions.length && from < docs.length; partition++) {
      const to = firstFrom(docs, from, docs.length, bounds[partition + 1]!);
      if (to > from) yield { docs, from, to, partition };
      from = to;
    }
  }

  /** Beliefs, seen or not, dead or not, that say the same word for word; see `sayingOf`. */
  *whoSays(saying: number): Generator<number> {
    yield* whoSays(this.base, saying);
    for (const { open, start, size } of this.layers)
      for (const at of open.whoSays(saying)) if (at < size) yield start + at;
  }

  /** Does any memory, seen or not, dead or not, hold a term? A quick no. */
  mayHold(term: string): boolean {
    return (
      findString(dictionaryOf(this.base), term) >= 0 || this.layers.some(({ open }) => open.terms.has(term))
    );
  }

  /** Terms that begin like this, of whatever memory. */
  termsFrom(start: string): Set<string> {
    const found = new Set(stringsFrom(dictionaryOf(this.base), start));
    for (const { open } of this.layers)
      for (const term of open.terms.keys()) if (term.startsWith(start)) found.add(term);
    return found;
  }

  /** Changes when memories get new numbers. */
  get numbering(): Frozen {
    return this.base;
  }

  /** All memories of the partitions that are wanted, as stretches; their lists are the numbers themselves. */
  *everything(
    wanted: (partition: number) => boolean,
  ): Generator<[from: number, to: number, sorted: boolean]> {
    const { bounds, partitions } = this.base;
    for (let partition = 0; partition < partitions.length; partition++)
      if (wanted(partition)) yield [bounds[partition]!, bounds[partition + 1]!, true];
    for (const { start, size } of this.layers) if (size > 0) yield [start, start + size, false];
  }

  /** One of the columns of names for all memories: a number for each, -1 for none, and what the numbers mean. */
  named(column: NameColumn): Named {
    const known = this.#named.get(column);
    if (known?.base === this.base && known.numbers.length === this.size) return known;
    const { buffer, byteOffset, length } = this.base[column];
    const frozen = new Int32Array(buffer, byteOffset, length);
    const { numbers, names } =
      this.size === length ? { numbers: frozen, names: this.base.names } : this.#allNamed(column, frozen);
    const made = { base: this.base, numbers, names };
    this.#named.set(column, made);
    return made;
  }
  #allNamed(column: NameColumn, frozen: Int32Array): Named {
    const names = [...this.base.names];
    const numberOf = new Map(names.map((name, at) => [name, at]));
    const numbers = new Int32Array(this.size);
    numbers.set(frozen);
    for (const { open, start, size } of this.layers)
      for (let at = 0; at < size; at++) {
        const name = open.docs.name(column, at);
        if (name !== undefined && !numberOf.has(name)) numberOf.set(name, names.push(name) - 1);
        numbers[start + at] = name === undefined ? -1 : numberOf.get(name)!;
      }
    return { numbers, names };
  }
  readonly #named = new Map<NameColumn, Named & { readonly base: Frozen }>();

  /** How often the names of a column are used in the frozen part, dead memories included. */
  frozenUses(column: NameColumn, wanted: (partition: number) => boolean): Uses {
    const uses = new Uses(this.named(column).names.length);
    uses.addFrozen(this.base.uses, column, wanted);
    return uses;
  }
  /** The frozen memories of a conversation, dead ones included, in the order in which they were said. */
  frozenTurns(session: number): Uint32Array {
    const { turns, turnStarts } = this.base;
    // A conversation that began since has a number that is not in the image.
    return session + 1 < turnStarts.length
      ? turns.subarray(turnStarts[session], turnStarts[session + 1])
      : turns.subarray(0, 0);
  }
  get frozenSize(): number {
    return sizeOf(this.base);
  }

  /** The lengths of all memories, dead ones included. */
  lengths(): Uint32Array {
    if (this.size === this.base.length.length) return this.base.length;
    const lengths = new Uint32Array(this.size);
    lengths.set(this.base.length);
    for (const { open, start, size } of this.layers)
      for (let at = 0; at < size; at++) lengths[start + at] = open.docs.number("length", at);
    return lengths;
  }

  protected layerOf(number: number): Layer | undefined {
    if (number < sizeOf(this.base)) return undefined;
    return this.layers.findLast(({ start }) => number >= start);
  }

  protected number(
    column: "created" | "length" | "said" | "traits" | "confidence" | "turn",
    number: number,
  ): number {
    const layer = this.layerOf(number);
    return layer ? layer.open.docs.number(column, number - layer.start) : this.base[column][number]!;
  }
}

/** First place at or after `from` that holds a number of `least` or more. */
function firstFrom(docs: Uint32Array, from: number, to: number, least: number): number {
  if (to === from || docs[to - 1]! < least) return to;
  let low = from;
  let high = to - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (docs[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
