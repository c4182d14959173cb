// What recall, a wake-up and the hooks cost in a large store. Vectors of the memories are made up, so that nothing waits for
// a model; questions are embedded by the real one.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { miniLmEmbedder } from "../dist/search/embed/minilm.js";
import { embeddedStore } from "./_hybrid.mjs";
import { heading, median, ms, report, temporary, timed } from "./_measure.mjs";
import { dice, naturalQuestion } from "./_sentences.mjs";

const QUESTIONS = 60;
const ROUNDS = 7;
const CLI = join(import.meta.dirname, "../dist/doors/cli/main.js");
/** Whatever a process has used by its end, on its last line of stderr. */
const COUNTED = `data:text/javascript,${encodeURIComponent(
  "process.on('exit',()=>{const c=process.cpuUsage();process.stderr.write('\\n'+(c.user+c.system)/1000)})",
)}`;

export async function large(size) {
  heading(`Recall in ${size.toLocaleString("en")} memories`);
  const place = temporary("recall");
  const model = miniLmEmbedder({ cacheDir: join(place.directory, "model") });
  const store = await embeddedStore(join(place.directory, "store"), size, model);
  const pal = store.session({ agent: "bench" });
  const goal = (text, met) => (size >= 100_000 ? [text, met] : []);
  for (const [mode, most] of [
    ["lexical", 15],
    ["hybrid", 40],
  ]) {
    const roll = dice(3);
    const took = [];
    for (let n = 0; n < QUESTIONS + 20; n++) {
      const { wall } = await timed(() =>
        pal.recall(`What did we say about ${naturalQuestion(roll)}?`, { mode }),
      );
      if (n >= 20) took.push(wall);
    }
    report(`recall, ${mode}, p50`, ms(median(took)), ...goal(`≤ ${most} ms`, median(took) <= most));
  }
  const woken = [];
  for (let n = 0; n < ROUNDS; n++) woken.push((await timed(() => pal.wakeUp())).wall);
  report("wake-up, p50", ms(median(woken)), ...goal("≤ 500 ms", median(woken) <= 500));
  await store.close();
  await model.close();
  for (const [event, prompt] of [
    ["SessionStart"],
    ["UserPromptSubmit", "What did we decide about the mother of the world?"],
    ["UserPromptSubmit", "Write a function that adds two numbers"],
    ["Stop"],
  ]) {
    const cpu = median(
      Array.from({ length: ROUNDS }, () => hookCpu(join(place.directory, "store"), event, prompt)),
    );
    report(`hook ${event}${prompt ? `: ${prompt}` : ""}, CPU`, ms(cpu), ...goal("≤ 450 ms", cpu <= 450));
  }
  place.remove();
}

function hookCpu(directory, event, prompt) {
  const { stderr } = spawnSync(process.execPath, ["--import", COUNTED, CLI, "hook", event], {
    input: JSON.stringify({ session_id: "bench", cwd: directory, prompt }),
    env: { ...process.env, PAL_HOME: directory },
    encoding: "utf8",
  });
  return Number(stderr.split("\n").at(-1));
}
