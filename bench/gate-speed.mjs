// The whole gate: single beliefs, bulk, and `pal remember` in a process of its own, beside stores of several sizes.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { openStore } from "../dist/index.js";
import { fact, facts } from "./_facts.mjs";
import { heading, median, ms, report, temporary, timed } from "./_measure.mjs";

const PAL = join(import.meta.dirname, "..", "dist", "doors", "cli", "main.js");
const BULK_MS = 80_000;
const JUDGED = 2_000;
const STARTS = 5;

export async function run({ sizes }) {
  const goal = Math.min(Math.max(...sizes), 100_000);
  for (const size of sizes) await measure(size, size === goal);
}

async function measure(size, isGoal) {
  heading(`The whole gate, ${size.toLocaleString("en")} beliefs`);
  const kept = (target, met) => (isGoal ? [target, met] : []);
  const place = temporary("gate");
  const store = await openStore(place.directory);
  const pal = store.session({ agent: "bench" });
  const items = facts(size);
  const bulk = await timed(() => pal.rememberMany(items));
  const accepted = bulk.value.filter(({ verdict }) => verdict === "accepted").length;
  report(
    `in bulk (${accepted.toLocaleString("en")} accepted)`,
    `${ms(bulk.wall)} (CPU ${ms(bulk.cpu)})`,
    ...kept("≤ 80 s", bulk.cpu <= BULK_MS),
  );
  const { p50, p95 } = await judged(pal, size);
  report(
    "judging one, p50 / p95",
    `${p50.toFixed(2)} / ${p95.toFixed(2)} ms`,
    ...kept("≤ 0.4 / 3 ms", p50 <= 0.4 && p95 <= 3),
  );
  const each = await timed(async () => {
    for (let at = 0; at < JUDGED; at++) await pal.remember(fact(size + at));
  });
  report("remember, durable, one at a time", `${ms(each.wall / JUDGED)} (CPU ${ms(each.cpu / JUDGED)})`);
  await store.close();
  const cpu = oneShot(place.directory, size);
  report("pal remember, one process, CPU", ms(cpu), ...kept("≤ 450 ms", cpu <= 450));
  place.remove();
}

/** Without writing: shape, gate, and the record that would be written. */
async function judged(pal, size) {
  const taken = [];
  for (let at = 0; at < JUDGED; at++) {
    const item = fact(size + at);
    const start = performance.now();
    await pal.remember(item, { dryRun: true });
    taken.push(performance.now() - start);
  }
  taken.sort((a, b) => a - b);
  return { p50: median(taken), p95: taken[Math.floor(taken.length * 0.95)] };
}

/** CPU of `pal remember`, from the start of the process to its end: the median of a few. */
function oneShot(directory, size) {
  const preload = `process.on("exit", () => { const { user, system } = process.cpuUsage(); process.stderr.write("CPU " + (user + system) / 1000); })`;
  const runs = Array.from({ length: STARTS }, (_, at) => {
    const { text } = fact(size + JUDGED + at);
    const args = ["--import", `data:text/javascript,${encodeURIComponent(preload)}`, PAL];
    const { stderr, stdout } = spawnSync(
      process.execPath,
      [...args, "remember", text, "--store", directory, "--json"],
      {
        encoding: "utf8",
      },
    );
    if (!stdout.includes("accepted")) throw new Error(`pal remember: ${stdout}${stderr}`);
    return Number(/CPU ([\d.]+)/.exec(stderr)?.[1]);
  });
  return median(runs);
}
