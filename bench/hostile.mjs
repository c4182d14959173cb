// node bench/hostile.mjs [--only remember,search] [--motif '"[["'] [--long | --quick] [--limit 250] : texts that somebody who wants to
// stop the program would send, at every door that takes text. What takes longer than the limit at 64 KB, or does not
// end, is named with how it grows from 16 to 64 KB (1 is linear, 2 the square), and the run fails.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { attackTexts } from "./_attack-texts.mjs";
import { bundled } from "./_bundle.mjs";
import { hostileTexts, manyWords } from "./_hostile-texts.mjs";
import { heading, ms, report } from "./_measure.mjs";

const LIMIT = 250;
/** A call that takes this long is ended with its thread, and told as one that does not end. */
const PATIENCE = 20_000;
const SMALL = 16 * 1024;
const LARGE = 64 * 1024;

/** Every text of both sizes. Names are those of the large ones. */
function* cases(long, quick) {
  const how = { short: !long, quick };
  const small = hostileTexts(SMALL, how);
  for (const { name, text } of hostileTexts(LARGE, how)) yield { name, text, small: small.next().value.text };
  const weak = attackTexts(SMALL);
  for (const { name, text } of attackTexts(LARGE)) yield { name, text, small: weak.next().value.text };
  yield { name: "many words", text: manyWords(LARGE), small: manyWords(SMALL) };
}

/** One thread that answers call by call, and is replaced when it does not. */
class Thread {
  #worker;
  #answer;

  async call(door, text) {
    this.#worker ??= await this.#start();
    const answer = new Promise((resolve) => {
      this.#answer = resolve;
    });
    this.#worker.postMessage({ door, text });
    let timer;
    const late = new Promise((resolve) => {
      timer = setTimeout(() => resolve({ took: PATIENCE, end: "does not end" }), PATIENCE);
    });
    const { took, end } = await Promise.race([answer, late]);
    clearTimeout(timer);
    if (end === "does not end") await this.stop();
    return { took, end };
  }

  async #start() {
    const worker = new Worker(join(import.meta.dirname, "_hostile-doors.mjs"));
    worker.on("message", (said) => this.#answer(said));
    worker.on("error", (error) => {
      this.#worker = undefined;
      this.#answer({ took: 0, end: `ends the thread: ${error.message}` });
    });
    const { doors } = await new Promise((resolve) => {
      this.#answer = resolve;
    });
    this.doors = doors;
    return worker;
  }

  async names() {
    this.#worker ??= await this.#start();
    return this.doors;
  }

  async stop() {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }
}

export async function run({ only, motif, long = false, quick = false, limit = LIMIT } = {}) {
  await bundled("hostile", [
    "index",
    "doors/cli/run",
    "doors/anthropic/index",
    "doors/hooks/index",
    "doors/mcp/index",
    "documents/import/detect",
  ]);
  const thread = new Thread();
  const doors = (await thread.names()).filter(
    (name) => !only || only.includes(name) || only.includes(name.split(" ")[0]),
  );
  heading(`Hostile texts of 64 KB at ${doors.length} doors`);
  for (const door of doors) {
    let [count, asked, worst, slow] = [0, 0, { took: 0 }, 0];
    const ends = {};
    for (const { name, text, small } of cases(long, quick)) {
      if (motif !== undefined && !name.includes(motif)) continue;
      // What is deep is so by itself: a few texts beside it are enough.
      if (door.endsWith("deep") && asked++ % 20 > 0) continue;
      count++;
      let { took, end } = await thread.call(door, text);
      let before = { took: 0 };
      // A busy machine is no reason: what is late is asked again, and how it grows is asked only then.
      if (took > limit) {
        before = await thread.call(door, small);
        const again = took < 3000 ? await thread.call(door, text) : { took };
        if (again.took < took) ({ took, end } = again);
      }
      ends[end.split("\n")[0]] = (ends[end.split("\n")[0]] ?? 0) + 1;
      if (took > worst.took) worst = { took, name };
      const isUntyped = end.startsWith("ends the thread") || end.startsWith("throws");
      if (took <= limit && !isUntyped) continue;
      slow++;
      const growth = Math.log(took / before.took) / Math.log(LARGE / SMALL);
      console.log(
        `    ${door} ${name}: ${ms(took)} (16 KB: ${ms(before.took)}, grows with ${growth.toFixed(1)}) ${end}`,
      );
    }
    const ended = Object.entries(ends).map(([end, many]) => `${many} ${end}`);
    report(
      `${door}, ${count} texts`,
      ms(worst.took),
      `≤ ${limit} ms, worst ${worst.name}; ${ended.join(", ")}`,
      slow === 0,
    );
  }
  await thread.stop();
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      only: { type: "string" },
      motif: { type: "string" },
      long: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      limit: { type: "string", default: String(LIMIT) },
    },
  });
  await run({ ...values, only: values.only?.split(","), limit: Number(values.limit) });
  const { missed } = await import("./_measure.mjs");
  process.exit(missed().length === 0 ? 0 : 1);
}
