import type { Recall } from "../../../session/index.js";
import { VERBS } from "../../../session/opening.js";
import { artifactsFrom } from "../artifacts.js";
import type { Command } from "../command.js";
import { flagsOf, flagsWhen, valuesOf } from "../flags.js";
import { type Line, line } from "../line.js";
import { withSession } from "../open.js";
import type { Out } from "../out.js";
import { withShortIds } from "../show.js";

const { options: OPTIONS } = VERBS.recall;

export const command: Command = {
  name: "recall",
  summary: "ask memory layer by layer: quotations with their sources, or honestly nothing",
  args: [{ name: "<question>", description: "what is to be known" }],
  options: [
    ...flagsOf(OPTIONS, "limit", "mode"),
    { flags: "--repo <dir>", description: "L3: also ask this git repository; default $PAL_REPO" },
    { flags: "--forge <url>", description: "L3: also ask this Gitea or Forgejo; default $PAL_FORGE_URL" },
    {
      flags: "--forge-repo <owner/name>",
      description: "its repository; default $PAL_FORGE_REPO (the token is $PAL_FORGE_TOKEN)",
    },
    ...flagsOf(OPTIONS, "onlyRecall"),
    ...flagsWhen("with --json", flagsOf(OPTIONS, "proofs")),
  ],
  at: true,
  examples: ['pal recall "what did we decide about the cache?"', 'pal recall --repo . "is #12 fixed yet?"'],
  async run(call) {
    const [question = ""] = call.args;
    const { options, globals, out, io } = call;
    const layers = await artifactsFrom(io, {
      repo: options.text("repo"),
      forge: options.text("forge"),
      forgeRepo: options.text("forgeRepo"),
    });
    const found = await withSession(call, "creatable", (session) =>
      session.recall(question, {
        ...valuesOf(options, OPTIONS, "limit", "mode", "onlyRecall", "proofs"),
        ...(layers.length > 0 && { layers }),
        ...(globals.at !== undefined && { at: globals.at }),
      }),
    );
    await out.answer(found, () => answerLines(found));
    if (!out.json) for (const row of traceLines(found, out)) await out.talk(row);
    return found.answered ? 0 : 1;
  },
};

const answerLines = ({ text }: Recall): Line[] =>
  text === "" ? [] : text.split("\n").map((row) => line`${row.replace(SOURCE, withShortIds)}`);

/** What is quoted stays as it is; only the id behind it is shortened. */
const SOURCE = /\bid (?:mem-[0-9a-f-]{36}|(?:topic|obs)-[0-9a-f]{32})(?=, commit )/;

function* traceLines({ trace }: Recall, { talkPaint }: Out): Generator<Line> {
  const rows = trace.map(
    ({ layer, status, ms, best }) =>
      `${layer} ${status} ${best.toFixed(2)} (${ms.toFixed(ms < 10 ? 1 : 0)} ms)`,
  );
  if (rows.length > 0) yield talkPaint.dim(rows.join(" · "));
}
