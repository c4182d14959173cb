import type { Hash } from "../src/core/base/hash.js";
import { decodeObject } from "../src/core/ledger/objects.js";
import { stateNodes } from "../src/core/ledger/state.js";
import { isNeed } from "../src/core/merkle/walk.js";
import type { Storage } from "../src/storage/index.js";

/** The states whose root node is stored, and those of them that lack a node further down. */
export async function storedStates(storage: Storage): Promise<{ stored: Hash[]; half: Hash[] }> {
  const nodes = new Map<Hash, Uint8Array>();
  const roots = new Set<Hash>();
  for await (const { kind, hash, bytes } of storage.scan())
    if (kind === "node") nodes.set(hash, bytes);
    else if (kind === "commit") roots.add(decodeObject("commit", bytes).root);
  const stored = [...roots].filter((root) => nodes.has(root));
  const all = () => true;
  const half = stored.filter((root) => isNeed(stateNodes([root], (hash) => nodes.get(hash), all)));
  return { stored, half };
}
