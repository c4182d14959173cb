import type { ChangedItem, Diff, DiffItem } from "../../../session/index.js";
import type { Command } from "../command.js";
import { usage } from "../fail.js";
import { indent, type Line, line } from "../line.js";
import { withSession } from "../open.js";
import type { Out } from "../out.js";
import { fieldLine } from "../rows.js";
import { aligned, plural, type Row, shortId } from "../show.js";

const POINT = "a commit, branch, tag, snapshot or time, HEAD, HEAD~1";

export const command: Command = {
  name: "diff",
  summary: "what came, went and changed between two points, word by word",
  args: [
    { name: "<from>", description: POINT },
    { name: "[to]", description: `${POINT}; default the present` },
  ],
  at: true,
  examples: [
    "pal diff 2026-03-01",
    "pal diff HEAD~1 HEAD",
    "pal diff main work",
    "pal diff 2026-03-01 --at 2026-04-01",
  ],
  async run(call) {
    const [from = "", given] = call.args;
    const { out, globals } = call;
    if (given !== undefined && globals.at !== undefined)
      throw usage("--at says up to when, and so does the second point.", "Leave one of them out.");
    const to = given ?? globals.at;
    const found = await withSession(call, "existing", (session) => session.diff(from, to));
    const { added, removed, changed, erased = 0 } = found;
    await out.answer(found, () => diffLines(found, out));
    if (!out.json)
      await out.talk(
        out.talkPaint.dim(
          `${plural(added.length, "came", "came")}, ${removed.length} went, ${changed.length} changed${erased > 0 ? `, ${erased} erased` : ""}`,
        ),
      );
    return 0;
  },
};

/** What went, what came, then what changed with each change below it; ids and scopes in columns. */
function diffLines({ removed, added, changed }: Diff, { paint, columns }: Out): Line[] {
  const rows: Row[] = [
    ...removed.map((item) => rowOf(item, "-", paint.red)),
    ...added.map((item) => rowOf(item, "+", paint.green)),
    ...changed.map((item) => {
      const row = rowOf(item, "~", paint.yellow);
      // What it says is told by the change itself if that is what changed.
      return item.fields.some(({ field }) => field === "text") ? { cells: row.cells } : row;
    }),
  ];
  const below: readonly Line[][] = [
    ...[...removed, ...added].map(() => []),
    ...changed.map(({ fields }) => fields.map((change) => indent(fieldLine(change, paint), "    "))),
  ];
  return aligned(rows, columns).flatMap((head, at) => [head, ...(below[at] as Line[])]);
}

const rowOf = (
  { id, scope, text }: DiffItem | ChangedItem,
  sign: string,
  paint: (piece: Line) => Line,
): Row => ({
  cells: [paint(line`${sign} ${shortId(id)}`), scope === "shared" ? "" : `[${scope}]`],
  text,
});
