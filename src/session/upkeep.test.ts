import { expect, it } from "vitest";
import { acquireLease, type Lease, memoryStorage } from "../storage/index.js";
import { openStore } from "./open-store.js";
import { Upkeep } from "./upkeep.js";

it("H9 one process at a time drops nodes: while another does, upkeep leaves it to that one", async () => {
  const storage = memoryStorage();
  await (await openStore(storage)).session().remember("One");
  const upkeep = new Upkeep(storage, Date.now);
  const lease = (await acquireLease(storage, "thin")) as Lease;
  upkeep.after(1_000_000);
  await upkeep.settle();
  expect(await storage.side("thinned")).toBeUndefined();
  await lease.release();
  upkeep.after(1_000_000);
  await upkeep.settle();
  expect(await storage.side("thinned")).toBe("1");
  expect(JSON.parse((await storage.side("lease/thin")) as string)).toEqual({ fence: 2, owner: null });
});
