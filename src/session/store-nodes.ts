import type { Tip } from "../ledger/index.js";
import { nodeAge, type StoredObject } from "../storage/index.js";
import type { Reader } from "./reader.js";

/** Stores the nodes of a head, so that the next process need not fold them. They are derived; if it is stale, it is. */
export async function storeNodes(reader: Reader, { commit, hash }: Tip): Promise<void> {
  const { storage } = reader;
  const guard = await nodeAge(storage);
  if (await reader.isStored(commit.root)) return;
  const put: StoredObject[] = [];
  for (const [node, bytes] of await reader.fold({ commit, hash }))
    put.push({ kind: "node", hash: node, bytes });
  const { epoch } = await storage.version();
  await storage.transact({ put, refs: [], touch: [], ops: [], epoch, guard });
}
