// Measuring: CPU and wall time of a piece of work, medians over interleaved rounds, and a table people can read.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/** CPU and wall milliseconds of one call. */
export async function timed(work) {
  const cpu = process.cpuUsage();
  const wall = performance.now();
  const value = await work();
  const took = process.cpuUsage(cpu);
  return { value, wall: performance.now() - wall, cpu: (took.user + took.system) / 1000 };
}

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
};

/** Runs the contenders in turn, several rounds, so that a busy moment of the machine hits all of them alike. */
export async function interleaved(contenders, { rounds = 9, count = 1 } = {}) {
  const results = Object.fromEntries(Object.keys(contenders).map((name) => [name, { wall: [], cpu: [] }]));
  for (let round = 0; round < rounds; round++)
    for (const [name, work] of Object.entries(contenders)) {
      const { wall, cpu } = await timed(() => work(round));
      results[name].wall.push(wall / count);
      results[name].cpu.push(cpu / count);
    }
  return Object.fromEntries(
    Object.entries(results).map(([name, { wall, cpu }]) => [name, { wall: median(wall), cpu: median(cpu) }]),
  );
}

const rows = [];

/** One line of the report. `target` is the promise; `met` says whether it was kept in this run. */
export function report(what, value, target = "", met = undefined) {
  rows.push({ what, value, target, met });
  const mark = met === undefined ? " " : met ? "✓" : "✗";
  console.log(`${mark} ${what.padEnd(58)} ${String(value).padStart(22)}   ${target}`);
}

export const missed = () => rows.filter(({ met }) => met === false);
export const heading = (text) => console.log(`\n${text}`);

export function temporary(name) {
  const base = process.env.PAL_BENCH_DIR ?? join(import.meta.dirname, "..", ".bench");
  mkdirSync(base, { recursive: true });
  const directory = mkdtempSync(join(base, `${name}-`));
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

export const sizeOf = (directory) =>
  readdirSync(directory).reduce((sum, file) => sum + statSync(join(directory, file)).size, 0);

export const ms = (value) => `${value.toFixed(value < 1 ? 3 : value < 100 ? 1 : 0)} ms`;
export const us = (value) => `${(value * 1000).toFixed(2)} µs`;
export const times = (value) => `${value.toFixed(2)}×`;

/** A gate of shape, length and scope alone: what the ledger costs without what the checks cost. */
export const PLAIN = {
  off: "journal tier source secrets recall-loop trust duplicate contradiction capacity pace outside".split(
    " ",
  ),
};

/** The SQLite that the store uses too. */
export async function openDatabase(file) {
  const builtin = process.getBuiltinModule?.("node:sqlite");
  const { DatabaseSync } = builtin ?? (await import("@photostructure/sqlite"));
  return new DatabaseSync(file);
}
