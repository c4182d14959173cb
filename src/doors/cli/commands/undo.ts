import type { UndoResult } from "../../../session/index.js";
import type { Command } from "../command.js";
import { type Line, line } from "../line.js";
import { conflictLines } from "../merge-lines.js";
import { withSession } from "../open.js";
import type { Out } from "../out.js";
import { plural, shortHash, withShortIds } from "../show.js";

export const command: Command = {
  name: "undo",
  summary: "take back your last operation on this branch, or any by its id, as a new operation",
  args: [
    { name: "[op]", description: "an operation of `pal ops`; your own last one on this branch if left out" },
  ],
  examples: ["pal undo"],
  async run(call) {
    const [op] = call.args;
    const done = await withSession(call, "existing", (session) => session.undo(op));
    await call.out.answer(done, () => lines(done, call.out));
    return done.conflicts.length > 0 ? 1 : 0;
  },
};

/** A ref in a person's words. */
const called = (name: string): string => withShortIds(name.replace(/^(?:heads|tags|snapshots)\//, ""));

function lines({ undone, refs, conflicts, passedOver = [], ...done }: UndoResult, out: Out): Line[] {
  const { added, modified, removed, commit } = done;
  const { paint } = out;
  const changes = [
    ...(added > 0 ? [`${added} brought back`] : []),
    ...(modified > 0 ? [`${modified} changed back`] : []),
    ...(removed > 0 ? [`${removed} forgotten`] : []),
  ].join(", ");
  const what =
    commit === undefined ? `${refs.join(", ")} as before` : `${changes} (commit ${shortHash(commit)})`;
  return [
    line`${paint.green("✓")} undone ${paint.yellow(shortHash(undone))}: ${what}`,
    ...(conflicts.length > 0
      ? [
          line`${paint.yellow("!")} ${plural(conflicts.length, "field")} contested: every value is kept until you settle it`,
        ]
      : []),
    ...conflictLines(conflicts, out),
    ...passedOver.map(
      ({ op, verb, refs: names }) =>
        line`${paint.dim("·")} passed over: ${verb} ${names.map(called).join(", ")}; ${`\`pal undo ${shortHash(op)}\``} takes that back`,
    ),
  ];
}
