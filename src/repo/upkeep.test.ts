import { expect, it } from "vitest";
import { choresOf, openStore } from "../session/open-store.js";
import { acquireLease, type Lease, memoryStorage } from "../storage/index.js";
import { Upkeep } from "./engine.js";

it("H9 one process at a time drops nodes: while another does, upkeep leaves it to that one", async () => {
  const storage = memoryStorage();
  await (await openStore(storage)).session().remember("One");
  const upkeep = new Upkeep(storage, Date.now, choresOf(storage));
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

it("it looks once in 256 transactions, also when writes go on while it looks; and once more at the end", async () => {
  const storage = memoryStorage();
  await (await openStore(storage)).session().remember("One");
  const tend = storage.tend.bind(storage);
  let looks = 0;
  storage.tend = async () => {
    looks++;
    for (let turn = 0; turn < 3; turn++) await new Promise((resume) => setImmediate(resume));
    return tend();
  };
  const upkeep = new Upkeep(storage, Date.now, choresOf(storage));
  for (let n = 0; n < 1280; n++) {
    upkeep.after(0);
    await new Promise((resume) => setImmediate(resume));
  }
  expect(looks).toBeGreaterThan(2);
  expect(looks).toBeLessThan(6);
  upkeep.after(0);
  const before = looks;
  await upkeep.settle();
  expect(looks).toBeGreaterThan(before);
  await upkeep.settle();
  expect(looks).toBeLessThan(8);
});
