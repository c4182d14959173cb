import { dictionaryOf, type Frozen, forwardOf } from "./frozen.js";
import type { Live } from "./live.js";
import type { Layer } from "./open.js";
import { inSlices } from "./slices.js";
import { findString, StringsBuilder, withTable } from "./strings.js";

/** The inverted index of the memories in their new order. Walking them in order keeps every list ascending. */
export function* freezeIndex(base: Frozen, layers: readonly Layer[], order: readonly Live[]) {
  const old = dictionaryOf(base);
  const forward = yield* forwardOf(base);
  const fresh = new Map<string, number>();
  const oldCount = base.starts.length - 1;
  yield;
  const numbers = layers.map(({ open }) => {
    const map = new Uint32Array(open.terms.size);
    for (const [term, at] of open.terms) {
      const known = oldCount === 0 ? -1 : findString(old, term);
      const number = known < 0 ? fresh.get(term) : known;
      map[at] = number ?? oldCount + fresh.size;
      if (number === undefined) fresh.set(term, oldCount + fresh.size);
    }
    return map;
  });
  const each = (live: Live, take: (term: number, weight: number) => void): void => {
    const at = layers.findLastIndex(({ start }) => live.doc >= start);
    if (at < 0) {
      const { starts, terms, weights } = forward;
      for (let i = starts[live.doc]!; i < starts[live.doc + 1]!; i++) take(terms[i]!, weights[i]!);
      return;
    }
    const { open, start } = layers[at]!;
    const number = live.doc - start;
    for (let i = open.forwardStarts[number]!; i < open.forwardStarts[number + 1]!; i++) {
      const packed = open.forward[i]!;
      take(numbers[at]![packed >>> 8]!, packed & 255);
    }
  };

  const counts = new Uint32Array(oldCount + fresh.size);
  yield* inSlices(order.length, (from, to) => {
    for (let at = from; at < to; at++)
      each(order[at]!, (term) => {
        counts[term]!++;
      });
  });

  const words = new StringsBuilder();
  const next = new Uint32Array(counts.length);
  const starts = [0];
  let total = 0;
  const keep = (term: number, add: () => void): void => {
    if (counts[term] === 0) return;
    next[term] = total;
    total += counts[term]!;
    starts.push(total);
    add();
  };
  yield* inSlices(oldCount, (from, to) => {
    for (let term = from; term < to; term++) keep(term, () => words.copy(old, term));
  });
  for (const [text, term] of fresh) keep(term, () => words.add(text));

  const docs = new Uint32Array(total);
  const weights = new Uint8Array(total);
  yield* inSlices(order.length, (from, to) => {
    for (let doc = from; doc < to; doc++)
      each(order[doc]!, (term, weight) => {
        const place = next[term]!++;
        docs[place] = doc;
        weights[place] = weight;
      });
  });
  const { bytes: termBytes, starts: termStarts, table: termTable } = withTable(words.done());
  return { termBytes, termStarts, termTable, starts: Uint32Array.from(starts), docs, weights };
}
