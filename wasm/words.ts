// AssemblyScript (not plain TypeScript): a vocabulary as a hash table over its own bytes. As a Map of 30,000 strings it
// would take every start ten milliseconds.

/** Twice as many as there are words, so that a search ends soon. */
const SLOTS: u32 = 65536;
const LINE_END: u32 = 10;
const INSIDE: u16 = 0x2323; // ##

// FNV-1a
const SEED: u32 = 2166136261;
@inline function joined(hash: u32, byte: u32): u32 {
  return (hash ^ byte) * 16777619;
}
@inline function slotOf(hash: u32): u32 {
  return (hash ^ (hash >> 16)) & (SLOTS - 1);
}

/**
 * Reads words that are lines of text, in the order of their ids. `starts` gets the place of each and one more, `table`
 * (SLOTS times 16 bits, all 0) gets id + 1 at the slot of its hash or the next that is free.
 */
export function learn(words: usize, end: usize, starts: usize, table: usize): void {
  let id: u32 = 0, hash = SEED;
  store<usize>(starts, words);
  for (let at = words; at <= end; at++) {
    const byte: u32 = at < end ? load<u8>(at) : LINE_END;
    if (byte != LINE_END) {
      hash = joined(hash, byte);
      continue;
    }
    let slot = slotOf(hash);
    while (load<u16>(table + (slot << 1))) slot = (slot + 1) & (SLOTS - 1);
    store<u16>(table + (slot << 1), ++id);
    store<usize>(starts + (id << 2), at + 1);
    hash = SEED;
  }
}

@inline function isWord(id: u32, from: usize, end: usize, starts: usize): bool {
  const word = load<usize>(starts + (id << 2)), length = load<usize>(starts + (id << 2), 4) - word - 1;
  return length == end - from && memory.compare(word, from, length) == 0;
}

/** id + 1 of what lies from `from` to `end`, 0 when it is no word. */
@inline function find(hash: u32, from: usize, end: usize, starts: usize, table: usize): u32 {
  let slot = slotOf(hash), found: u32 = load<u16>(table + (slot << 1));
  while (found && !isWord(found - 1, from, end, starts)) {
    slot = (slot + 1) & (SLOTS - 1);
    found = load<u16>(table + (slot << 1));
  }
  return found;
}

/**
 * The ids of the longest words that a word is made of, from the left; all but the first are known with ## before them.
 * Answers how many, 0 when there is a rest that no word begins. Two bytes before the word and the word itself are written to.
 */
export function pieces(word: usize, end: usize, starts: usize, table: usize, ids: usize): i32 {
  let count = 0;
  for (let start = word; start < end; ) {
    let from = start;
    if (start > word) {
      from -= 2;
      store<u16>(from, INSIDE); // what stands there is done with
    }
    let hash = SEED, id: u32 = 0, next = start;
    for (let at = from; at < end; at++) {
      hash = joined(hash, load<u8>(at));
      if (at < start) continue;
      const found = find(hash, from, at + 1, starts, table);
      if (found) {
        id = found;
        next = at + 1;
      }
    }
    if (!id) return 0;
    store<u32>(ids + (<usize>count << 2), id - 1);
    count++;
    start = next;
  }
  return count;
}
