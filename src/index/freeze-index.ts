import { dictionaryOf, type Frozen, NONE, sizeOf } from "./frozen.js";
import type { Layer } from "./open.js";
import { inSlices, type Steps } from "./slices.js";
import { findString, StringsBuilder, withTable } from "./strings.js";

/**
 * The inverted index of the memories in their new order. A list that was frozen stays ascending, so that each term is two
 * lists that are merged, and nothing but the new index is made as large as the old one.
 */
export function* freezeIndex(base: Frozen, layers: readonly Layer[], order: Uint32Array) {
  const newNumber = numbersOf(order, sizeOf(base));
  const fresh = yield* freshLists(base, layers, order);
  const oldCount = base.starts.length - 1;
  const termCount = oldCount + fresh.terms.size;

  const counts = new Uint32Array(termCount);
  for (let term = 0; term < termCount; term++) counts[term] = fresh.starts[term + 1]! - fresh.starts[term]!;
  yield* inStretches(base.starts, (term, from, to) => {
    for (let at = from; at < to; at++) if (newNumber[base.docs[at]!] !== NONE) counts[term]!++;
  });

  const old = dictionaryOf(base);
  const words = new StringsBuilder();
  const starts: number[] = [0];
  let total = 0;
  const keep = (term: number, add: () => void): void => {
    if (counts[term] === 0) return;
    total += counts[term]!;
    starts.push(total);
    add();
  };
  yield* inSlices(oldCount, (from, to) => {
    for (let term = from; term < to; term++) keep(term, () => words.copy(old, term));
  });
  for (const [text, term] of fresh.terms) keep(term, () => words.add(text));

  const docs = new Uint32Array(total);
  const weights = new Uint8Array(total);
  let next = 0;
  const put = (doc: number, weight: number): void => {
    docs[next] = doc;
    weights[next++] = weight;
  };
  const putFresh = (from: number, to: number): void => {
    for (let at = from; at < to; at++) put(fresh.docs[at]!, fresh.weights[at]!);
  };
  yield* inStretches(base.starts, (term, from, to) => {
    let taken = fresh.starts[term]!;
    const end = fresh.starts[term + 1]!;
    for (let at = from; at < to; at++) {
      const doc = newNumber[base.docs[at]!]!;
      if (doc === NONE) continue;
      while (taken < end && fresh.docs[taken]! < doc) put(fresh.docs[taken]!, fresh.weights[taken++]!);
      put(doc, base.weights[at]!);
    }
    putFresh(taken, end);
  });
  putFresh(fresh.starts[oldCount]!, fresh.docs.length);
  const { bytes: termBytes, starts: termStarts, table: termTable } = withTable(words.done());
  return { termBytes, termStarts, termTable, starts: Uint32Array.from(starts), docs, weights };
}

/** What was frozen before, by its old number: its new one, or NONE. */
function numbersOf(order: Uint32Array, size: number): Uint32Array {
  const numbers = new Uint32Array(size).fill(NONE);
  for (let at = 0; at < order.length; at++) if (order[at]! < size) numbers[order[at]!] = at;
  return numbers;
}

/** The index of what was not frozen yet: terms that are known by their old numbers, new ones behind them. */
function* freshLists(base: Frozen, layers: readonly Layer[], order: Uint32Array) {
  const old = dictionaryOf(base);
  const oldCount = base.starts.length - 1;
  const terms = new Map<string, number>();
  yield;
  const numbers = layers.map(({ open }) => {
    const map = new Uint32Array(open.terms.size);
    for (const [term, at] of open.terms) {
      const known = oldCount === 0 ? -1 : findString(old, term);
      const number = known < 0 ? terms.get(term) : known;
      map[at] = number ?? oldCount + terms.size;
      if (number === undefined) terms.set(term, oldCount + terms.size);
    }
    return map;
  });
  const each = (doc: number, take: (term: number, weight: number) => void): void => {
    const layer = layers.findLastIndex(({ start }) => doc >= start);
    if (layer < 0) return;
    const { open, start } = layers[layer]!;
    const [from, to] = [open.forwardStarts[doc - start]!, open.forwardStarts[doc - start + 1]!];
    for (let at = from; at < to; at++)
      take(numbers[layer]![open.forward[at]! >>> 8]!, open.forward[at]! & 255);
  };
  const starts = new Uint32Array(oldCount + terms.size + 1);
  yield* inSlices(order.length, (from, to) => {
    for (let at = from; at < to; at++)
      each(order[at]!, (term) => {
        starts[term + 1]!++;
      });
  });
  for (let term = 1; term < starts.length; term++) starts[term]! += starts[term - 1]!;
  const next = starts.slice(0, -1);
  const docs = new Uint32Array(starts.at(-1)!);
  const weights = new Uint8Array(docs.length);
  yield* inSlices(order.length, (from, to) => {
    for (let at = from; at < to; at++)
      each(order[at]!, (term, weight) => {
        const place = next[term]!++;
        docs[place] = at;
        weights[place] = weight;
      });
  });
  return { terms, starts, docs, weights };
}

/** So many entries of lists at a time take a few milliseconds. */
const STRETCH = 131_072;

/** Does something with every list, as many at a time as make a stretch. */
function* inStretches(
  starts: Uint32Array,
  work: (term: number, from: number, to: number) => void,
): Steps<void> {
  let begun = 0;
  for (let term = 0; term + 1 < starts.length; term++) {
    work(term, starts[term]!, starts[term + 1]!);
    if (starts[term + 1]! - begun < STRETCH) continue;
    begun = starts[term + 1]!;
    yield;
  }
}
