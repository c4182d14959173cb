import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Call } from "../command.js";
import { indent, line } from "../line.js";
import { table } from "../show.js";
import { play } from "./scenes.js";
import { Stage } from "./stage.js";

/** What is left on the screen when all the rest has scrolled away. */
const RECAP = [
  ["remember", "one belief per topic; a new one renews it and the past stays"],
  ["the gate", "secrets, noise and repetitions stay out, with the reason"],
  ["recall", "quotations with their sources, or honestly nothing"],
  ["branches", "personas that may differ; a merge never loses a side"],
  ["ways back", "snapshots, rollback, undo: each a new commit, none a loss"],
  ["proof", "one root hash for everything; each changed byte is found"],
] as const;

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
    paint.bold("What you saw"),
    ...table(RECAP, paint).map((row) => indent(row)),
    line`${paint.bold("That was it")}: ${stage.steps.length} commands in ${seconds} s on a store that is gone again.`,
    line`Yours begins with ${paint.cyan('pal remember "…"')}; ${paint.cyan("pal help")} shows the rest.`,
    line`Your agent gets it with ${paint.cyan("pal connect claude")} (or codex, cursor, opencode, gemini).`,
  ]);
  return 0;
}
