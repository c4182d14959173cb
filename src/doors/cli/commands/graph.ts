import type { Timeline } from "../../../session/index.js";
import { VERBS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { flagOf, valuesOf } from "../flags.js";
import { at } from "../globals.js";
import { laneColor } from "../graph-lines.js";
import { type Line, line, oneLine } from "../line.js";
import { withSession } from "../open.js";
import type { Out } from "../out.js";
import { aligned, plural, when } from "../show.js";

const { options: OPTIONS } = VERBS.graph;

export const command: Command = {
  name: "graph",
  summary: "a picture of all branches: Mermaid text, or a timeline",
  options: [
    {
      flags: "--format <name>",
      description: "mermaid (default) for documents, timeline for eyes; `pal log --graph` draws lanes",
      choices: ["mermaid", "timeline"],
    },
    flagOf(OPTIONS, "limit", "-n, --limit <count>"),
  ],
  at: true,
  examples: ["pal graph > history.mmd", "pal graph --format timeline"],
  async run(call) {
    const { options, out } = call;
    const { mermaidGraph, timeline } = await import("../../../session/index.js");
    const commits = await withSession(call, "existing", (session) =>
      session.graph({ ...valuesOf(options, OPTIONS, "limit"), ...at(call) }),
    );
    const format = options.text("format") ?? "mermaid";
    const lines =
      format === "mermaid"
        ? mermaidGraph(commits)
            .trimEnd()
            .split("\n")
            .map((text) => line`${text}`)
        : timelineLines(timeline(commits, plotWidth(out)), out);
    await out.answer({ format, text: lines.map(({ text }) => `${text}\n`).join(""), commits }, () => lines);
    return 0;
  },
};

/** Beside the plot there is room for names of this width, and for counts. */
const NAME = 22;
const plotWidth = ({ columns }: Out): number => Math.max(20, Math.min(columns, 100) - NAME - 16);

function timelineLines(drawn: Timeline | undefined, out: Out): Line[] {
  const { paint } = out;
  if (!drawn) return [];
  const { rows, ticks, from, to } = drawn;
  const axis = ticks.reduce((text, { column, time }) => {
    const label = tickLabel(time, from, to);
    if (column + label.length < plotWidth(out)) return `${text.padEnd(column)}╵${label}`;
    // The last one ends where the plot does, if the one before leaves room.
    const start = column - label.length;
    return text.length < start ? `${text.padEnd(start)}${label}╵` : text;
  }, "");
  return [
    paint.dim(`${when(from)} to ${when(to)}`),
    ...aligned(
      [
        ...rows.map(({ name, cells, commits }, index) => ({
          cells: [
            paint.bold(oneLine(name, NAME)),
            laneColor(index, paint)(cells),
            paint.dim(plural(commits, "commit")),
          ],
        })),
        { cells: ["", paint.dim(axis), ""] },
      ],
      Number.POSITIVE_INFINITY,
    ),
  ];
}

const DAY = 86_400_000;

/** As much of a time as tells the columns apart. */
function tickLabel(time: string, from: string, to: string): string {
  const span = Date.parse(to) - Date.parse(from);
  return span > 2 * DAY
    ? time.slice(0, 10)
    : span > DAY / 12
      ? time.slice(5, 16).replace("T", " ")
      : time.slice(11, 19);
}
