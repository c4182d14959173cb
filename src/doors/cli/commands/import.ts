import { resolve } from "node:path";
import type { ImportFormat, ImportReport } from "../../../session/index.js";
import type { Command } from "../command.js";
import { type Line, line, oneLine, type Paint } from "../line.js";
import { withSession } from "../open.js";
import { given } from "../options.js";
import { progressBar } from "../progress.js";

const FORMATS: readonly ImportFormat[] = [
  "json",
  "jsonl",
  "vault",
  "snap",
  "nanobot",
  "mempalace",
  "scratchpad",
];

export const command: Command = {
  name: "import",
  summary: "read an export, or the memories of another system, through the gate",
  args: [{ name: "<path>", description: "a file, or the folder of the other system" }],
  options: [
    { flags: "--format <format>", description: "what it is, if that cannot be seen", choices: FORMATS },
    { flags: "--scope <scope>", description: "where memories go that name no scope" },
    { flags: "--trusted", description: "you vouch for it; else canon comes in as register" },
    { flags: "--dry-run", description: "say what would happen and write nothing" },
  ],
  examples: [
    "pal import memories.json",
    "pal import data/memory/vault.jsonl --trusted",
    "pal import ~/.mempalace",
  ],
  async run(call) {
    const { args, options, globals, io, out } = call;
    const bar = progressBar(io.stderr, out.quiet, "importing");
    const report = await withSession(call, "creatable", (session) =>
      session.import(resolve(io.cwd, args[0] as string), {
        ...given(options, "scope"),
        format: options.text("format") as ImportFormat | undefined,
        trusted: options.flag("trusted") || globals.operator,
        dryRun: options.flag("dryRun"),
        onProgress: (done, total) => bar.show(done, done / total),
      }),
    ).finally(() => bar.clear());
    await out.answer(report, (paint) => [summary(report, paint)]);
    const { problems, lowered } = report;
    await out.complain(
      problems
        .slice(0, SHOWN)
        .map(({ where, reason }) => line`${out.talkPaint.red("✗")} ${where}: ${oneLine(reason)}`),
    );
    if (problems.length > SHOWN)
      await out.talk(line`  and ${problems.length - SHOWN} more; --json has them all`);
    if (lowered > 0)
      await out.talk(line`  ${lowered} canon came in as register; with --trusted they stay canon`);
    return report.rejected + report.quarantined > 0 ? 1 : 0;
  },
};

const SHOWN = 10;

function summary(report: ImportReport, paint: Paint): Line {
  const counts = [
    `${report.accepted} imported`,
    ...(["updated", "duplicate", "forgotten", "rejected", "quarantined"] as const)
      .filter((name) => report[name] > 0)
      .map((name) => `${report[name]} ${name}`),
  ];
  return line`${report.problems.length > 0 ? paint.yellow("!") : paint.green("✓")} ${counts.join(", ")} (${report.format})`;
}
