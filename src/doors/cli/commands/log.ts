import type { LogEvent, LogItem } from "../../../session/index.js";
import type { Command } from "../command.js";
import { indent, type Line, line, oneLine } from "../line.js";
import { withSession } from "../open.js";
import type { Out } from "../out.js";
import { plural, shortHash, shortId, when, who } from "../show.js";

export const command: Command = {
  name: "log",
  summary: "commits that changed what you see, newest first",
  options: [
    { flags: "--oneline", description: "one line per commit" },
    { flags: "--events", description: "with what each commit changed" },
    { flags: "-n, --limit <count>", description: "at most so many; default 20" },
  ],
  at: true,
  async run(call) {
    const { options, globals, out } = call;
    const limit = options.count("limit") ?? 20;
    const events = options.flag("events");
    const commits = await withSession(call, "existing", (session) =>
      session.log({ limit, events, ...(globals.at !== undefined && { at: globals.at }) }),
    );
    const lines = options.flag("oneline") ? shortLines : longLines;
    await out.answer(commits, () =>
      commits.flatMap((commit, index) => [
        ...(index > 0 && lines === longLines ? [line``] : []),
        ...lines(commit, out),
        ...(commit.events ?? []).map((event) => eventLine(event, out)),
      ]),
    );
    return 0;
  },
};

function longLines(item: LogItem, { paint }: Out): Line[] {
  return [
    line`${paint.yellow(`commit ${item.commit}`)} ${paint.dim(`(${item.branch})`)}`,
    line`Author: ${who(item.author)}`,
    line`Date:   ${when(item.time)}`,
    ...(item.message === undefined ? [] : [line``, indent(item.message, "    ")]),
    ...(item.reasons ?? []).map((reason) => indent(line`because ${oneLine(reason)}`, "    ")),
    ...(item.events ? [line``] : [line``, paint.dim(`    ${plural(item.changes, "change")}`)]),
  ];
}

function shortLines(item: LogItem, { paint, columns }: Out): Line[] {
  const head = line`${paint.yellow(shortHash(item.commit))} ${paint.dim(when(item.time))} ${who(item.author)}  `;
  const { op, id, text } = item.first;
  const said = item.message ?? item.reasons?.join("; ") ?? `${SIGNS[op]} ${text ?? shortId(id)}`;
  const more = item.changes > 1 ? ` (${plural(item.changes, "change")})` : "";
  return [line`${head}${oneLine(said + more, Math.max(16, columns - head.columns))}`];
}

const SIGNS = { add: "+", modify: "~", forget: "-", observe: "?" } as const;
const COLOURS = { add: "green", modify: "yellow", forget: "red", observe: "cyan" } as const;

function eventLine({ op, id, scope, text = "" }: LogEvent, { paint, columns }: Out): Line {
  const where = scope === "shared" ? "" : `[${scope}] `;
  const head = line`  ${paint[COLOURS[op]](SIGNS[op])} ${paint.bold(shortId(id))}  ${paint.cyan(where)}`;
  return line`${head}${oneLine(text, Math.max(16, columns - head.columns))}`;
}
