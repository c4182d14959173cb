// The whole gate: single beliefs, bulk, and `pal remember` in a process of its own, beside stores of several sizes.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { openStore } from "../dist/index.js";
import { fact, facts } from "./_facts.mjs";
import { heading, median, ms, PLAIN, report, temporary, timed } from "./_measure.mjs";

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
  const plain = store.session({ agent: "bench", gate: PLAIN });
  const { whole, bare } = await judged(pal, plain, size);
  const [p50, p95] = [at(whole, 0.5) - at(bare, 0.5), at(whole, 0.95) - at(bare, 0.5)];
  report(
    "judging one (a dry run less one without checks), p50 / p95",
    `${p50.toFixed(2)} / ${p95.toFixed(2)} ms`,
    ...kept("≤ 0.4 / 3 ms", p50 <= 0.4 && p95 <= 3),
  );
  report("  the whole dry run, p50", ms(at(whole, 0.5)));
  const each = await timed(async () => {
    for (let at = 0; at < JUDGED; at++) await pal.remember(fact(size + at));
  });
  report("remember, durable, one at a time", `${ms(each.wall / JUDGED)} (CPU ${ms(each.cpu / JUDGED)})`);
  await store.close();
  const cpu = oneShot(place.directory, size);
  report("pal remember, one process, CPU", ms(cpu), ...kept("≤ 450 ms", cpu <= 450));
  place.remove();
}

/** How long dry runs take with the whole gate, and without checks: both make the record and tell the verdict. */
async function judged(pal, plain, size) {
  const taken = { whole: [], bare: [] };
  for (let n = 0; n < JUDGED; n++)
    for (const [name, session] of [
      ["whole", pal],
      ["bare", plain],
    ]) {
      const item = fact(size + n);
      const start = performance.now();
      await session.remember(item, { dryRun: true });
      taken[name].push(performance.now() - start);
    }
  return taken;
}

const at = (taken, share) => taken.toSorted((a, b) => a - b)[Math.floor(taken.length * share)];

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
