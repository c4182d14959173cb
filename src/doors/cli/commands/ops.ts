import type { OperationItem } from "../../../session/index.js";
import { VERBS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { flagOf, valuesOf } from "../flags.js";
import { at } from "../globals.js";
import { withSession } from "../open.js";
import type { Out } from "../out.js";
import { aligned, type Row, shortHash, shownTime, who, withShortIds } from "../show.js";

const { options: OPTIONS } = VERBS.ops;

export const command: Command = {
  name: "ops",
  summary: "the operation log: what moved which branch, newest first",
  options: [flagOf(OPTIONS, "limit", "-n, --limit <count>")],
  at: true,
  examples: ["pal ops -n 5", "pal ops --at 2026-03-01"],
  async run(call) {
    const operations = await withSession(call, "existing", (session) =>
      session.ops({ ...valuesOf(call.options, OPTIONS, "limit"), ...at(call) }),
    );
    const { out } = call;
    await out.answer(operations, () =>
      aligned(
        operations.map((item) => operationRow(item, out)),
        out.columns,
      ),
    );
    return 0;
  },
};

/** What a person calls the ref of a branch. */
const HEADS = "heads/";

function operationRow({ op, verb, time, author, refs, why }: OperationItem, out: Out): Row {
  const { paint } = out;
  // Refs that stayed were only held; what else moved along is in --json.
  const moved = refs.filter(({ before, after }) => before !== after);
  const branches = moved.filter(({ name }) => name.startsWith(HEADS));
  const moves = (branches.length > 0 ? branches : moved).map(({ name, before, after }) => {
    const called = withShortIds(name.startsWith(HEADS) ? name.slice(HEADS.length) : name);
    if (before === undefined) return `${called} at ${shortHash(after as string)}`;
    const from = Number.isFinite(out.columns) ? "" : ` ${shortHash(before)}`;
    return `${called}${from} → ${after === undefined ? "gone" : shortHash(after)}`;
  });
  const said = why === undefined ? "" : `  ${why}`;
  // Which branch is held while somebody goes there; main cannot go, so nothing holds it.
  const held = refs.find(({ name }) => name.startsWith(HEADS))?.name.slice(HEADS.length);
  if (verb === "checkout") moves.splice(0, moves.length, `to ${held ?? "main"}`);
  return {
    cells: [paint.yellow(shortHash(op)), verb, paint.dim(shownTime(time, out)), who(author)],
    text: moves.join(", ") + said,
  };
}
