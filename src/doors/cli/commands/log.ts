import type { LogItem } from "../../../session/index.js";
import { VERBS } from "../../../session/opening.js";
import type { Call, Command } from "../command.js";
import { usage } from "../fail.js";
import { flagOf } from "../flags.js";
import { indent, type Line, line, oneLine } from "../line.js";
import { withSession } from "../open.js";
import type { Out } from "../out.js";
import { eventLine, firstOf, gistOf } from "../rows.js";
import { ago, plural, shortHash, shownTime, when, who } from "../show.js";
import { OVERVIEW } from "../width.js";

const { options: OPTIONS } = VERBS.log;

export const command: Command = {
  name: "log",
  summary: "commits that changed what you see, newest first",
  args: [
    { name: "[point]", description: "begin at a commit, branch, tag, snapshot or time, HEAD~2; as --at" },
  ],
  options: [
    { flags: "--oneline", description: "one line per commit" },
    { flags: "--graph", description: "draw all branches; with --branch or --at only that line of history" },
    flagOf(OPTIONS, "events"),
    flagOf(OPTIONS, "limit", "-n, --limit <count>"),
  ],
  at: true,
  examples: ["pal log --oneline -n 5", "pal log HEAD~1", "pal log --graph"],
  async run(call) {
    const { options, out } = call;
    const at = pointOf(call);
    const limit = options.count("limit") ?? 20;
    const events = options.flag("events");
    if (options.flag("graph")) return drawn(call, limit, events, at);
    const { commits, branch } = await withSession(call, "existing", async (session) => ({
      commits: await session.log({ limit, events, ...(at !== undefined && { at }) }),
      branch: session.branch,
    }));
    const lines = options.flag("oneline") ? shortLines : longLines;
    await out.answer(commits.map(withMessage), () =>
      commits.flatMap((commit, index) => [
        ...(index > 0 && lines === longLines ? [line``] : []),
        ...lines(commit, out, branch),
        ...(commit.events ?? []).map((event) => eventLine(event, out)),
      ]),
    );
    return 0;
  },
};

/** Scripts find a message in every commit, be it empty. */
const withMessage = <T extends LogItem>(commit: T) => ({ ...commit, message: commit.message ?? "" });

function pointOf({ args: [point], globals }: Call): string | undefined {
  if (point !== undefined && globals.at !== undefined)
    throw usage("--at says where to begin, and so does the point.", "Leave one of them out.");
  return point ?? globals.at;
}

async function drawn(call: Call, limit: number, events: boolean, point: string | undefined): Promise<number> {
  const { options, globals, out } = call;
  const { graphLines } = await import("../graph-lines.js");
  const { laneRows } = await import("../../../session/index.js");
  const at = point ?? globals.branch;
  const { commits, branch } = await withSession(call, "existing", async (session) => ({
    commits: await session.graph({ limit, events, ...(at !== undefined && { at }) }),
    branch: session.branch,
  }));
  const oneline = options.flag("oneline");
  await out.answer(commits.map(withMessage), () =>
    graphLines(commits, laneRows(commits), { out, branch, oneline }),
  );
  if (!out.json && commits.length === limit)
    await out.talk(out.talkPaint.dim(`the last ${plural(limit, "commit")}; -n shows more`));
  return 0;
}

function longLines(item: LogItem, { paint, columns }: Out, branch: string): Line[] {
  return [
    line`${paint.yellow(`commit ${Number.isFinite(columns) ? shortHash(item.commit) : item.commit}`)}${paint.dim(item.branch === branch ? "" : ` (made on ${item.branch})`)}`,
    line`Author: ${who(item.author)}`,
    line`Date:   ${when(item.time)}${paint.dim(Number.isFinite(columns) ? ` (${ago(item.time)})` : "")}`,
    line``,
    ...(item.message === undefined ? [] : [indent(item.message, "    ")]),
    ...(item.reasons ?? []).map((reason) => indent(line`because ${oneLine(reason)}`, "    ")),
    ...metaLines(item),
    ...(item.events ? [] : [indent(changedLine(item, columns), "    ")]),
  ];
}

/** Hashes that verbs note beside a message that says the same; scripts find them in --json. */
const FOR_SCRIPTS = new Set(["accepted", "pickedFrom", "reverts", "rolledBackTo", "undoes"]);

const metaLines = ({ meta = {} }: LogItem): Line[] =>
  Object.entries(meta)
    .filter(([name]) => !FOR_SCRIPTS.has(name))
    .map(([name, value]) =>
      indent(
        line`${oneLine(name)}: ${oneLine(typeof value === "string" ? value : JSON.stringify(value))}`,
        "    ",
      ),
    );

/** What a commit changed: the first of it, and how much more there is. */
function changedLine({ first, changes }: LogItem, columns: number): Line {
  const more = changes > 1 ? ` and ${plural(changes - 1, "more change")}` : "";
  return line`${oneLine(firstOf(first), Math.max(16, Math.min(columns, OVERVIEW) - 4 - more.length))}${more}`;
}

function shortLines(item: LogItem, { paint, columns }: Out): Line[] {
  const head = line`${paint.yellow(shortHash(item.commit))} ${paint.dim(shownTime(item.time, { columns }))} ${who(item.author)}  `;
  return [line`${head}${oneLine(gistOf(item), Math.max(8, columns - head.columns))}`];
}
