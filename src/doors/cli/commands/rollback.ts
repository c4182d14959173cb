import type { RollbackResult } from "../../../session/index.js";
import { VERBS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { flagsOf, valuesOf } from "../flags.js";
import { type Line, line, oneLine } from "../line.js";
import { changesOf, withCommit } from "../merge-lines.js";
import { withSession } from "../open.js";
import type { Out } from "../out.js";
import { aligned, plural, shortHash, who } from "../show.js";

const { options: OPTIONS } = VERBS.rollback;

export const command: Command = {
  name: "rollback",
  summary: "go back to a snapshot or any earlier state, as one new commit",
  args: [
    {
      name: "[point]",
      description:
        "a number, id or label of `pal snapshots`, a commit, tag or time; default 0, the newest snapshot",
    },
  ],
  options: flagsOf(OPTIONS, "allAuthors", "message"),
  examples: ["pal rollback", "pal rollback before-the-cleanup --all-authors"],
  async run(call) {
    const [point = "0"] = call.args;
    const { options, out } = call;
    const done = await withSession(call, "existing", (session) =>
      session.rollback(point, valuesOf(options, OPTIONS, "allAuthors", "message")),
    );
    if (out.json) await out.value(withCommit(done));
    else if (done.refused) await out.complain(refusedLines(done, out));
    else await out.lines([doneLine(done, point, out)]);
    if (!out.json && done.commit !== undefined) await out.talk(line`  \`pal undo\` is the way back.`);
    return done.refused ? 1 : 0;
  },
};

function doneLine(done: RollbackResult, point: string, { paint }: Out): Line {
  if (done.commit === undefined)
    return line`${paint.yellow("=")} nothing differs from ${said(point)}; nothing was changed`;
  return line`${paint.green("✓")} rolled back to ${paint.bold(said(point))}: ${changesOf(done)} ${paint.dim(`(commit ${shortHash(done.commit)})`)}`;
}

/** A bare number is one of `pal snapshots`. */
const said = (point: string): string => (/^\d{1,3}$/.test(point) ? `snapshot ${point}` : point);

function refusedLines(
  { reason = "", hint = "", authors }: RollbackResult,
  { talkPaint, columns }: Out,
): Line[] {
  const rows = authors.map(({ author, commits }) => ({
    cells: [`  ${who(author)}`, plural(commits.length, "commit")],
    text: commits.map(shortHash).join(" "),
  }));
  return [
    line`${talkPaint.red("✗")} ${oneLine(reason)}`,
    ...aligned(rows, columns),
    line`  ${oneLine(hint)}`,
  ];
}
