import { expect, it } from "vitest";
import { MAIN } from "../../core/base/names.js";
import { headRef } from "../../core/ledger/refs.js";
import { openStore } from "../../session/open-store.js";
import { memoryStorage } from "../../storage/index.js";
import { liveHashes } from "./live-hashes.js";
import { Reader } from "./reader.js";

it("a walk over a whole state finds every record and keeps no node below the scopes", async () => {
  const storage = memoryStorage();
  const store = await openStore(storage, { embedder: "none" });
  const notes = Array.from({ length: 3_000 }, (_, at) => ({ text: `Note ${at}`, type: "note" }));
  await store.session({ agent: "ann" }).rememberMany(notes);

  // Stores the nodes of the state, which else would be folded.
  await store.rebuild();

  const reader = new Reader(storage);
  let asked = 0;
  const { getMany } = storage;
  storage.getMany = (hashes) => {
    asked += hashes.length;
    return getMany.call(storage, hashes);
  };
  const head = (await storage.refs("")).get(headRef(MAIN));
  const tip = await reader.tip(head!.target);
  const walk = async () => {
    asked = 0;
    const found = new Set<string>();
    for await (const hashes of liveHashes(reader, tip)) for (const hash of hashes) found.add(hash);
    return { found: found.size, asked };
  };
  const first = await walk();
  expect(first.found).toBe(3_000);
  expect(first.asked).toBeGreaterThan(256);
  expect((await walk()).asked).toBeGreaterThanOrEqual(first.asked - 2);
  await store.close();
});
