import { expect, it } from "vitest";
import { Pace } from "./pace.js";
import { Findings } from "./problems.js";
import { attempt } from "./reads.js";

/** Longer than work goes on without a pause. */
const busy = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25);

it("CA62 long work is told as a part of the whole, also work within work, and never goes back", async () => {
  const told: [number, number | undefined][] = [];
  const pace = new Pace((done, total) => told.push([done, total]));
  const after = async (step: () => Promise<void> | undefined) => {
    busy();
    await step();
  };
  await after(() => pace.step());
  pace.stretch(0, 0.5);
  await after(() => pace.step(0.5));
  const within = new Pace(pace.within(0.5, 1));
  within.stretch(0, 1);
  await after(() => within.step(0.5));
  within.end();
  expect(told).toEqual([
    [1, undefined],
    [2, 8],
    [3, 4],
    [3, 3],
  ]);
});

it("CA63 the callback may end it, also where a failing read would be noted as damage and passed over", async () => {
  const stop = new Error("enough");
  const pace = new Pace(() => {
    throw stop;
  });
  const findings = new Findings();
  const reading = attempt(findings, "objects-unreadable", async () => {
    busy();
    await pace.step();
  });
  await expect(reading).rejects.toBe(stop);
  expect(findings.list()).toEqual([]);
});

it("CA63 also by throwing what is no error", async () => {
  const pace = new Pace(() => AbortSignal.abort("enough").throwIfAborted());
  const findings = new Findings();
  const reading = attempt(findings, "objects-unreadable", async () => {
    busy();
    await pace.step();
  });
  await expect(reading).rejects.toMatchObject({ message: "enough", cause: "enough" });
  expect(findings.list()).toEqual([]);
});
