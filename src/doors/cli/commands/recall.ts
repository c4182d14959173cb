import type { Recall, SearchMode } from "../../../session/index.js";
import { artifactsFrom } from "../artifacts.js";
import type { Command } from "../command.js";
import { type Line, line } from "../line.js";
import { withSession } from "../open.js";
import type { Out } from "../out.js";
import { withShortIds } from "../show.js";

export const command: Command = {
  name: "recall",
  summary: "ask memory layer by layer: quotations with their sources, or honestly nothing",
  args: [{ name: "<question>", description: "what is to be known" }],
  options: [
    { flags: "--limit <count>", description: "at most so many quotations; 5 unless given" },
    { flags: "--mode <mode>", description: "as for search", choices: ["hybrid", "lexical", "vector"] },
    { flags: "--repo <dir>", description: "L3: also ask this git repository; default $PAL_REPO" },
    { flags: "--forge <url>", description: "L3: also ask this Gitea or Forgejo; default $PAL_FORGE_URL" },
    {
      flags: "--forge-repo <owner/name>",
      description: "its repository; default $PAL_FORGE_REPO (the token is $PAL_FORGE_TOKEN)",
    },
    { flags: "--only-recall", description: "leave alone what is no recall question" },
    { flags: "--proofs", description: "with --json: a proof for each memory cited" },
  ],
  at: true,
  examples: ['pal recall "what did we decide about the cache?"', 'pal recall --repo . "is #12 fixed yet?"'],
  async run(call) {
    const [question = ""] = call.args;
    const { options, globals, out, io } = call;
    const limit = options.count("limit");
    const mode = options.text("mode") as SearchMode | undefined;
    const layers = await artifactsFrom(io, {
      repo: options.text("repo"),
      forge: options.text("forge"),
      forgeRepo: options.text("forgeRepo"),
    });
    const found = await withSession(call, "creatable", (session) =>
      session.recall(question, {
        ...(limit !== undefined && { limit }),
        ...(mode !== undefined && { mode }),
        ...(layers.length > 0 && { layers }),
        ...(options.flag("onlyRecall") && { onlyRecall: true }),
        ...(options.flag("proofs") && { proofs: true }),
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
