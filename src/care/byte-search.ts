/** No needle is shorter than what is said, so that every occurrence covers a whole sample, wherever it begins. */
const LEAST = 8;
const SAMPLE = 4;
/** A filter for few needles stays in the processor's nearest cache; one for many must not be full. */
const FEWEST_BITS = 14;
const MOST_BITS = 20;
const SLOTS_PER_SAMPLE = 64;

interface Start {
  readonly needle: number;
  /** Where in the needle the sample lies. */
  readonly offset: number;
}

/**
 * Finds any of many byte strings in a stream, in one pass and without knowing what the bytes mean: four bytes out of
 * five positions are looked up in a filter, then compared. As fast for ten thousand as for one.
 */
export class ByteSearch {
  readonly #needles: readonly Uint8Array[];
  readonly #filter: Uint8Array;
  /** How far a product is shifted to become a slot of the filter. */
  readonly #shift: number;
  readonly #stride: number;
  readonly #starts = new Map<number, Start[]>();
  readonly #overlap: number;
  #rest: Buffer = Buffer.alloc(0);
  readonly found = new Set<number>();

  /** Shorter needles than `least` bytes are never found; the shorter the least, the more there is to look up. */
  constructor(needles: readonly Uint8Array[], least = LEAST) {
    this.#needles = needles;
    this.#stride = least - SAMPLE + 1;
    const wanted = Math.ceil(Math.log2(needles.length * this.#stride * SLOTS_PER_SAMPLE + 1));
    const bits = Math.min(Math.max(wanted, FEWEST_BITS), MOST_BITS);
    this.#shift = 32 - bits;
    this.#filter = new Uint8Array(1 << bits);
    let longest = 1;
    for (const [needle, bytes] of needles.entries()) {
      if (bytes.length < least) continue;
      longest = Math.max(longest, bytes.length);
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      for (let offset = 0; offset < this.#stride; offset++)
        this.#expect(view.getInt32(offset, true), { needle, offset });
    }
    this.#overlap = longest - 1;
  }

  #expect(sample: number, start: Start): void {
    this.#filter[slotOf(sample, this.#shift)] = 1;
    const same = this.#starts.get(sample);
    if (same) same.push(start);
    else this.#starts.set(sample, [start]);
  }

  /** The next part of the stream; what lies across a seam is looked for there, so that no part is copied. */
  feed(part: Uint8Array): void {
    const overlap = this.#overlap;
    if (this.#rest.length > 0) this.#search(Buffer.concat([this.#rest, part.subarray(0, overlap)]));
    this.#search(Buffer.from(part.buffer, part.byteOffset, part.length));
    const last = Buffer.concat([this.#rest, part.subarray(Math.max(0, part.length - overlap))]);
    this.#rest = last.subarray(Math.max(0, last.length - overlap));
  }

  /** What comes next does not follow on what was last. */
  restart(): void {
    this.#rest = Buffer.alloc(0);
  }

  #search(bytes: Buffer): void {
    const filter = this.#filter;
    const shift = this.#shift;
    const stride = this.#stride;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = 0; at + SAMPLE <= bytes.length; at += stride) {
      const sample = view.getInt32(at, true);
      if (filter[slotOf(sample, shift)] === 0) continue;
      for (const { needle, offset } of this.#starts.get(sample) ?? [])
        this.#compare(bytes, at - offset, needle);
    }
  }

  #compare(bytes: Buffer, start: number, at: number): void {
    const needle = this.#needles[at]!;
    if (this.found.has(at) || start < 0 || start + needle.length > bytes.length) return;
    // By hand, and from the end, which differs first: most of the few that get here differ, and a call would cost more.
    for (let last = needle.length - 1; last >= 0; last--) if (bytes[start + last] !== needle[last]) return;
    this.found.add(at);
  }
}

const slotOf = (sample: number, shift: number): number => Math.imul(sample, 0x9e3779b1) >>> shift;
