// The judge: a pair of 40 tokens, eight in one batch, and loading it in a process of its own beside one without.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { loadJudge } from "../dist/judge/index.js";
import { heading, median, ms, report, temporary, timed } from "./_measure.mjs";

const DIST = new URL("../dist/", import.meta.url).href;
/** With the question 40 tokens. */
const QUESTION = "When is the weekly planning meeting of the team?";
const MEMORY =
  "The team moved the weekly planning meeting from Monday at ten to Thursday at two because Priya works from Lisbon and joins later";
const ROUNDS = 30;

export async function run() {
  heading("The judge");
  const place = temporary("judge");
  const cacheDir = join(place.directory, "cache");
  const judge = await loadJudge("small", { cacheDir });
  await judge.answers(QUESTION, Array(16).fill(MEMORY));
  for (const [count, limit] of [
    [1, 6],
    [8, 35],
  ]) {
    const walls = [];
    for (let round = 0; round < ROUNDS; round++)
      walls.push((await timed(() => judge.answers(QUESTION, Array(count).fill(MEMORY)))).wall);
    const p50 = median(walls);
    report(
      `${count} of 40 tokens, p50 / best`,
      `${ms(p50)} / ${ms(Math.min(...walls))}`,
      `≤ ${limit} ms`,
      p50 <= limit,
    );
  }
  await judge.close();
  const asked = cold(cacheDir, "await judge.asks('who?');");
  const embedded = cold(cacheDir, "await embedder.embed(['who?'], 'query');");
  const wall = asked.wall - embedded.wall;
  const cpu = asked.cpu - embedded.cpu;
  report("loading, above the embedder", `${ms(wall)} (CPU ${ms(cpu)})`, "≤ 80 ms", wall <= 80);
  place.remove();
}

/** A process of its own that asks once; medians of seven. */
function cold(cacheDir, code) {
  const script = `import { loadJudge } from ${JSON.stringify(`${DIST}judge/index.js`)};
    import { miniLmEmbedder } from ${JSON.stringify(`${DIST}search/embed/minilm.js`)};
    const start = performance.now();
    const embedder = miniLmEmbedder({ cacheDir: ${JSON.stringify(cacheDir)} });
    const judge = await loadJudge("small", { threads: embedder.threads });
    ${code}
    const { user, system } = process.cpuUsage();
    process.stdout.write(JSON.stringify({ wall: performance.now() - start, cpu: (user + system) / 1000 }));
    process.exit(0);`;
  const runs = Array.from({ length: 7 }, () =>
    JSON.parse(
      spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" }).stdout,
    ),
  );
  return { wall: median(runs.map(({ wall }) => wall)), cpu: median(runs.map(({ cpu }) => cpu)) };
}
