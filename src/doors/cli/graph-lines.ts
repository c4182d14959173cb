import type { GraphCommit, LaneCell, LaneRow } from "../../session/index.js";
import { type Line, line, oneLine, type Paint, type Piece } from "./line.js";
import type { Out } from "./out.js";
import { eventLine, gistOf } from "./rows.js";
import { ago, plural, shortHash, who } from "./show.js";

/** Texts stand below each other as long as the picture leaves room for them. */
const WIDEST = 20;
/** So much of a gist is always shown. */
const GIST = 16;

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
    const hash = line`${paint.yellow(shortHash(item.commit))} `;
    // A row that is broken breaks the picture: names leave room for the gist, and so do the facts beside it.
    const head = line`${hash}${namesOf(item, branch, paint, (columns - hash.columns) / 2)}`;
    const facts = [ago(item.time), who(item.author)];
    const tail = oneline ? "" : ` · ${plural(item.changes, "change")}`;
    const told = line`${head}${paint.dim(`${facts.join(", ")}  `)}`;
    const said = oneline && told.columns + GIST <= columns ? told : head;
    return [
      line`${beside}${said}${oneLine(gistOf({ ...item, ...(!oneline && { changes: 1 }) }), Math.max(GIST, columns - said.columns))}`,
      ...(oneline ? [] : [line`${under}${paint.dim(facts.join(" · ") + tail)}`]),
      ...(item.events ?? []).map((event) => line`${under}${eventLine(event, { paint, columns })}`),
    ];
  });
}

/** `(→ main, work, tag v1)`: where the branches and tags stand, the arrow at one's own; those without room are counted. */
function namesOf({ branches, tags }: GraphCommit, current: string, paint: Paint, room: number): Line {
  const isOwn = (name: string) => name === current;
  const names: [name: string, style: (piece: Piece) => Line][] = [
    ...branches
      .filter(isOwn)
      .map((name): [string, typeof paint.green] => [`→ ${name}`, (piece) => paint.bold(paint.green(piece))]),
    ...branches
      .filter((name) => !isOwn(name))
      .map((name): [string, typeof paint.green] => [name, paint.green]),
    ...tags.map((name): [string, typeof paint.green] => [`tag ${name}`, paint.cyan]),
  ];
  let shown: Line | undefined;
  for (const [at, [name, style]] of names.entries()) {
    const more = line`${shown ?? ""}${shown ? ", " : ""}${style(oneLine(name, Math.max(GIST, room - 3)))}`;
    if (shown && more.columns > room - 3) return line`(${shown}, +${names.length - at}) `;
    shown = more;
  }
  return shown ? line`(${shown}) ` : line``;
}

/** Red is left out: it means something. */
const COLORS = ["cyan", "green", "magenta", "yellow", "blue"] as const;

export const laneColor = (color: number, paint: Paint): ((piece: Piece) => Line) =>
  paint[COLORS[color % COLORS.length] as (typeof COLORS)[number]];

/** Neighbours of one colour are painted together. */
function laneLine(cells: readonly LaneCell[], paint: Paint): Line {
  let drawn = line``;
  for (let at = 0; at < cells.length; ) {
    const { color } = cells[at] as LaneCell;
    let text = "";
    while (at < cells.length && (cells[at]?.color === color || cells[at]?.char === " "))
      text += cells[at++]?.char;
    drawn = line`${drawn}${laneColor(color, paint)(text)}`;
  }
  return drawn;
}
