import type { LaneCell } from "../../session/index.js";
import { type Line, line, type Paint, type Piece } from "./line.js";

/** Red is left out: it means something. */
const COLORS = ["cyan", "green", "magenta", "yellow", "blue"] as const;

export const laneColor = (color: number, paint: Paint): ((piece: Piece) => Line) =>
  paint[COLORS[color % COLORS.length] as (typeof COLORS)[number]];

/** Neighbours of one colour are painted together. */
export function laneLine(cells: readonly LaneCell[], paint: Paint): Line {
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
