import type { HistoryItem } from "../../../session/index.js";
import { VERBS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { flagsOf, valuesOf } from "../flags.js";
import { clean, type Line, line, type Paint } from "../line.js";
import { withSession } from "../open.js";
import { saidLine, shortHash, shownTime, who } from "../show.js";

const { options: OPTIONS } = VERBS.history;

export const command: Command = {
  name: "history",
  summary: "every version of one memory, newest last",
  args: [
    {
      name: "<id>",
      description: "its id or topic, or 6 or more of the id's first or last characters; forgotten ones too",
    },
  ],
  options: flagsOf(OPTIONS, "scope"),
  at: true,
  examples: ["pal history 8f3a9c2e"],
  async run(call) {
    const [id = ""] = call.args;
    const { options, globals, out } = call;
    const versions = await withSession(call, "existing", (session) =>
      session.history(id, {
        ...valuesOf(options, OPTIONS, "scope"),
        ...(globals.at !== undefined && { at: globals.at }),
      }),
    );
    await out.answer(versions, (paint) =>
      versions.flatMap((version) => versionLines(version, paint, out.columns)),
    );
    return 0;
  },
};

const WORDS = { add: "added", modify: "changed", forget: "forgotten", observe: "observed" } as const;

function versionLines(
  { version, op, time, author, commit, text, erased, movedFrom }: HistoryItem,
  paint: Paint,
  columns: number,
): Line[] {
  const name = clean(`v${version}`).padEnd(4);
  const head = line`${paint.bold(name)} ${WORDS[op].padEnd(9)}  ${shownTime(time, { columns })}  ${who(author)}  ${paint.dim(`commit ${shortHash(commit)}`)}`;
  if (erased) return [head, line`     ${paint.red("erased")}${paint.dim(": what it said is gone for good")}`];
  const from = movedFrom === undefined ? [] : [line`     ${paint.dim(`moved here from ${movedFrom}`)}`];
  return text === undefined ? [head] : [head, ...from, line`     ${saidLine(text, columns - 5, paint)}`];
}
