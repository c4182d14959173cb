import type { Hash } from "../../core/base/index.js";
import type { Tip } from "../../core/ledger/index.js";
import { countEntries, isNeed, listEntries, type NodeSource } from "../../core/merkle/index.js";
import type { Reader } from "./reader.js";

/** A map of more entries than this is listed in parts; in no more of them than this, whatever it says of itself. */
const MOST = 4096;
const DIGITS = Array.from({ length: 16 }, (_, at) => at.toString(16));

type Entries = readonly (readonly [key: Hash, value: Hash])[];

/** What lies in one scope, or a part of it: the keys of ids, and the version each has. */
export interface LiveEntries {
  readonly scope: Hash;
  readonly entries: Entries;
}

/**
 * All entries of a state, some thousands of a million at a time. Of its nodes none is kept in RAM: what is in daily use stays
 * there, and a large state takes no more room than a small one.
 */
export async function* liveEntries(reader: Reader, tip: Tip): AsyncGenerator<LiveEntries> {
  for await (const scopes of inParts(reader, tip, tip.commit.root))
    for (const [scope, root] of scopes)
      for await (const entries of inParts(reader, tip, root)) yield { scope, entries };
}

/** Keys are hashes, so that each digit parts a map into sixteen of about the same size. */
async function* inParts(reader: Reader, tip: Tip, root: Hash): AsyncGenerator<Entries> {
  const first = await reader.readPassing(tip, (source) => listOrCount(root, source));
  if ("entries" in first) {
    if (first.entries.length > 0) yield first.entries;
    return;
  }
  let parts = DIGITS;
  for (let size = first.count / 16; size > MOST && parts.length < MOST; size /= 16)
    parts = parts.flatMap((part) => DIGITS.map((digit) => part + digit));
  for (const part of parts) {
    const { entries } = await reader.readPassing(tip, (source) => listEntries(root, source, part));
    if (entries.length > 0) yield entries;
  }
}

function listOrCount(root: Hash, source: NodeSource) {
  const counted = countEntries(root, source);
  return isNeed(counted) || counted.count > MOST ? counted : listEntries(root, source);
}
