import type { UndoResult } from "../../../session/index.js";
import type { Command } from "../command.js";
import { type Line, line, type Paint } from "../line.js";
import { withSession } from "../open.js";
import { plural, shortHash, shortId } from "../show.js";

export const command: Command = {
  name: "undo",
  summary: "take back your last operation, or any by its id, as a new operation",
  args: [{ name: "[op]", description: "an operation of `pal ops`; your own last one if left out" }],
  async run(call) {
    const [op] = call.args;
    const done = await withSession(call, "existing", (session) => session.undo(op));
    await call.out.answer(done, (paint) => lines(done, paint));
    return done.conflicts.length > 0 ? 1 : 0;
  },
};

function lines({ undone, added, modified, removed, conflicts, commit }: UndoResult, paint: Paint): Line[] {
  const changes = [
    ...(added > 0 ? [`${added} brought back`] : []),
    ...(modified > 0 ? [`${modified} changed back`] : []),
    ...(removed > 0 ? [`${removed} forgotten`] : []),
  ].join(", ");
  const what =
    commit === undefined ? "there was nothing left to undo" : `${changes} (commit ${shortHash(commit)})`;
  return [
    line`${paint.green("✓")} undone ${paint.yellow(shortHash(undone))}: ${what}`,
    ...conflicts.map(({ id, field }) => line`${paint.yellow("!")} contested: ${field} of ${shortId(id)}`),
    ...(conflicts.length > 0
      ? [line`  ${plural(conflicts.length, "field")} changed since; both values are kept`]
      : []),
  ];
}
