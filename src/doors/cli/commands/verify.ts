import type { VerifyProblem, VerifyReport } from "../../../session/index.js";
import { STORE_OPTIONS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { flagsOf, valuesOf } from "../flags.js";
import { type Line, line, oneLine, type Paint } from "../line.js";
import { withStore } from "../open.js";
import { withProgress } from "../progress.js";
import { findingsOf, plural } from "../show.js";

/** A damaged store can have a problem per object; a person reads the first of them, --json has them all. */
const SHOWN = 20;

const OPTIONS = STORE_OPTIONS.verify;

export const command: Command = {
  name: "verify",
  summary: "is everything whole? reads and re-hashes the store",
  options: [
    { flags: "--deep", description: "accepted for scripts: verify always reads everything" },
    ...flagsOf(OPTIONS, "since"),
  ],
  noPast: [
    "verify reads the whole store, every past state included.",
    "Leave --at out; --since <commit> checks that the commit you kept is still in the history.",
  ],
  examples: [
    "pal verify",
    "pal verify --since 9f3a1c2b4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8",
  ],
  async run(call) {
    const { options, out } = call;
    const kept = (done: number) => `${plural(done, "object")} read, nothing was changed`;
    const report = await withStore(call, "existing", (store) =>
      withProgress(call, "verifying", kept, ({ of }) =>
        store.verify({ ...valuesOf(options, OPTIONS, "since"), onProgress: of }),
      ),
    );
    const { isDerived } = await import("../../../session/index.js");
    await out.answer(report, (paint) => reportLines(report, isDerived, paint));
    return report.ok ? 0 : 1;
  },
};

const LOST = "`pal repair <directory>` saves what is whole into a new store; a backup may hold more.";
const DERIVED = "Nothing that was said is lost: `pal rebuild` makes these tables again from the rest.";
const OTHER = "The store itself is whole. If what you gave is right, ask who wrote to it, or take a backup.";

const MARKS: Readonly<Record<VerifyProblem["severity"], (paint: Paint) => Line>> = {
  error: (paint) => paint.red("✗"),
  warning: (paint) => paint.yellow("!"),
  note: (paint) => paint.dim("·"),
};

function reportLines(
  report: VerifyReport,
  isDerived: (problem: VerifyProblem) => boolean,
  paint: Paint,
): Line[] {
  const { ok, head, since, objects, commits, memories, erased, problems } = report;
  const tick = ok ? paint.green("✓") : paint.yellow("·");
  const more = problems.length - SHOWN;
  const findings = problems.filter(({ severity }) => severity !== "note");
  const isOther = findings.every(({ problem }) => problem === "HISTORY_CHANGED");
  return [
    line`${tick} ${plural(objects, "object")} read and hashed`,
    line`${tick} ${plural(commits, "commit")} followed`,
    line`${tick} ${plural(memories, "memory", "memories")} of main in place`,
    ...(erased > 0 ? [line`${tick} ${plural(erased, "erased version")} accounted for`] : []),
    ...(since && since.is !== "unknown"
      ? [line`${since.provesHistory ? tick : paint.yellow("!")} ${since.kept}`, line`  ${since.says}`]
      : []),
    ...problems.slice(0, SHOWN).flatMap(({ problem, severity, object, meaning }) => {
      const mark = MARKS[severity](paint);
      const head = line`${mark} ${problem}  ${paint.dim(oneLine(object))}`;
      return meaning === undefined ? [head] : [head, line`  ${meaning}`];
    }),
    ...(more > 0 ? [line`  and ${plural(more, "more", "more")}; --json has them all`] : []),
    ok
      ? line`${since?.provesHistory === false ? "What is stored is whole; whether the past is the same, a root does not show." : paint.bold("Everything is whole.")} Keep this commit to prove it later: ${head}`
      : line`${paint.red(`${isOther ? "Not the same" : "Damage found"}: ${findingsOf(findings)}.`)} ${isOther ? OTHER : findings.every(isDerived) ? DERIVED : LOST}`,
  ];
}
