import type { ChangedItem, DiffItem } from "../../../session/index.js";
import type { Command } from "../command.js";
import { fieldLine } from "../diff-lines.js";
import { indent, type Line, line, oneLine } from "../line.js";
import { withSession } from "../open.js";
import type { Out } from "../out.js";
import { plural, shortId } from "../show.js";

const POINT = "a commit, branch, tag, snapshot or time";

export const command: Command = {
  name: "diff",
  summary: "what came, went and changed between two points, word by word",
  args: [
    { name: "<from>", description: POINT },
    { name: "[to]", description: `${POINT}; default the present` },
  ],
  examples: ["pal diff 2026-03-01", "pal diff main work"],
  async run(call) {
    const [from = "", to] = call.args;
    const { out } = call;
    const found = await withSession(call, "existing", (session) => session.diff(from, to));
    const { added, removed, changed, erased = 0 } = found;
    await out.answer(found, (paint) => [
      ...itemLines(removed, paint.red("-"), paint.red, out),
      ...itemLines(added, paint.green("+"), paint.green, out),
      ...changed.flatMap((item) => changedLines(item, out)),
    ]);
    if (!out.json)
      await out.talk(
        out.talkPaint.dim(
          `${plural(added.length, "came", "came")}, ${removed.length} went, ${changed.length} changed${erased > 0 ? `, ${erased} erased` : ""}`,
        ),
      );
    return 0;
  },
};

function itemLines(
  items: readonly DiffItem[],
  sign: Line,
  paint: (piece: Line) => Line,
  { columns }: Out,
): Line[] {
  return items.map(({ id, scope, text }) => {
    const head = line`${sign} ${paint(line`${shortId(id)}`)}${place(scope)}  `;
    return line`${head}${oneLine(text, Math.max(16, columns - head.columns))}`;
  });
}

const place = (scope: string): string => (scope === "shared" ? "" : ` [${scope}]`);

function changedLines({ id, scope, text, fields }: ChangedItem, { paint, columns }: Out): Line[] {
  const head = line`${paint.yellow("~")} ${paint.yellow(shortId(id))}${place(scope)}`;
  // What it says is told by the change itself if that is what changed.
  const isToldBelow = fields.some(({ field }) => field === "text");
  return [
    isToldBelow ? head : line`${head}  ${oneLine(text, Math.max(16, columns - head.columns))}`,
    ...fields.map((change) => indent(fieldLine(change, paint), "    ")),
  ];
}
