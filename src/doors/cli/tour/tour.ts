import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Call } from "../command.js";
import { line } from "../line.js";
import { play } from "./scenes.js";
import { Stage } from "./stage.js";

/** Shows the product on a store that exists only meanwhile. */
export async function tour(call: Call): Promise<number> {
  const { io, out } = call;
  const started = performance.now();
  const directory = await mkdtemp(join(tmpdir(), "pal-tour-"));
  const stage = new Stage(call, directory);
  let interrupted = false;
  const ignore = io.onInterrupt(() => {
    interrupted = true;
    stage.stop();
  });
  try {
    await play(stage);
  } catch (error) {
    if (!interrupted) throw error;
  } finally {
    ignore();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
  if (interrupted) return 130;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  await out.answer({ steps: stage.steps }, (paint) => [
    line``,
    line`${paint.bold("That was it")}: ${stage.steps.length} commands in ${seconds} s on a store that is gone again.`,
    line`Yours begins with ${paint.cyan('pal remember "…"')}; ${paint.cyan("pal help")} shows the rest.`,
    line`Your agent gets it with ${paint.cyan("pal connect claude")} (or codex, cursor, opencode).`,
  ]);
  return 0;
}
