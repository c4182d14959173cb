import type { GraphCommit, LaneRow } from "../../session/index.js";
import { laneLine } from "./lanes.js";
import { type Line, line, oneLine, type Paint } from "./line.js";
import { eventLine, gistOf } from "./log-lines.js";
import type { Out } from "./out.js";
import { ago, plural, shortHash, who } from "./show.js";

/** Texts stand below each other as long as the picture leaves room for them. */
const WIDEST = 20;

/** The history as a picture: beside each commit its names and gist, below it who made it and when. */
export function graphLines(
  commits: readonly GraphCommit[],
  rows: readonly LaneRow[],
  { out, branch, oneline }: { readonly out: Out; readonly branch: string; readonly oneline: boolean },
): Line[] {
  const { paint } = out;
  const width = rows.reduce((most, { cells }) => Math.max(most, Math.min(WIDEST, cells.length)), 0);
  return commits.flatMap((item, index) => {
    const { cells, below } = rows[index] as LaneRow;
    const [beside, under] = [cells, below].map((part) => line`${laneLine(part, paint).padEnd(width)} `) as [
      Line,
      Line,
    ];
    const columns = out.columns - beside.columns;
    const head = line`${paint.yellow(shortHash(item.commit))} ${namesOf(item, branch, paint)}`;
    const facts = [ago(item.time), who(item.author)];
    const tail = oneline ? "" : ` · ${plural(item.changes, "change")}`;
    const said = oneline ? line`${head}${paint.dim(`${facts.join(", ")}  `)}` : head;
    return [
      line`${beside}${said}${oneLine(gistOf({ ...item, ...(!oneline && { changes: 1 }) }), Math.max(16, columns - said.columns))}`,
      ...(oneline ? [] : [line`${under}${paint.dim(facts.join(" · ") + tail)}`]),
      ...(item.events ?? []).map((event) => line`${under}${eventLine(event, { paint, columns })}`),
    ];
  });
}

/** `(→ main, work, tag v1)`: where the branches and tags stand, the arrow at one's own. */
function namesOf({ branches, tags }: GraphCommit, current: string, paint: Paint): Line {
  const names = [
    ...branches.filter((name) => name === current).map((name) => paint.bold(paint.green(`→ ${name}`))),
    ...branches.filter((name) => name !== current).map((name) => paint.green(name)),
    ...tags.map((name) => paint.cyan(`tag ${name}`)),
  ];
  if (names.length === 0) return line``;
  return line`(${names.reduce((left, name) => line`${left}, ${name}`)}) `;
}
