import type { HealthProblem, HealthReport } from "../../../session/index.js";
import type { Command } from "../command.js";
import { type Line, line, oneLine, type Paint } from "../line.js";
import { withStore } from "../open.js";
import { plural, when } from "../show.js";

/** A damaged file can have a problem per row; a person reads the first of them, --json has them all. */
const SHOWN = 20;

export const command: Command = {
  name: "doctor",
  summary: "how is the store? what stands in the way of reading and writing",
  examples: ["pal doctor"],
  async run(call) {
    // A store that is not there is an answer too: could it be created?
    const health = await withStore(call, "creatable", (store) =>
      store.health({ budgetMs: Number.POSITIVE_INFINITY }),
    );
    await call.out.answer(health, (paint) => healthLines(health, paint));
    if (!health.canRead || !health.canWrite) return 3;
    return health.ok && health.exists ? 0 : 1;
  },
};

function healthLines(health: HealthReport, paint: Paint): Line[] {
  const { exists, canRead, canWrite, location, engine, lastCommit, waiting = 0, problems } = health;
  const mark = (isWell: boolean) => (isWell ? paint.green("✓") : paint.red("✗"));
  const more = problems.length - SHOWN;
  return [
    line`${mark(true)} ${location}${engine === undefined ? "" : paint.dim(`  ${engine}`)}`,
    ...(exists
      ? [
          line`${mark(canRead)} ${canRead ? "can be read" : "cannot be read"}${lastCommit === undefined ? "" : paint.dim(`  last commit ${when(lastCommit)}`)}`,
          line`${mark(canWrite)} ${canWrite ? "can be written (tried)" : "cannot be written"}`,
        ]
      : [
          line`${paint.yellow("!")} there is no store yet; ${canWrite ? "the first write creates it" : "it cannot be created"}`,
        ]),
    ...(waiting > 0
      ? [line`${paint.yellow("!")} ${plural(waiting, "change waits", "changes wait")} for review: pal review`]
      : []),
    ...problems.slice(0, SHOWN).flatMap((problem) => problemLines(problem, paint)),
    ...(more > 0 ? [line`  and ${plural(more, "more", "more")}; --json has them all`] : []),
    ...(problems.length === 0 && exists ? [line`${paint.bold("All is well.")}`] : []),
  ];
}

function problemLines({ problem, severity, object, meaning, next }: HealthProblem, paint: Paint): Line[] {
  const mark = severity === "error" ? paint.red("✗") : paint.yellow("!");
  return [line`${mark} ${problem}  ${paint.dim(oneLine(object))}`, line`  ${meaning}`, line`  → ${next}`];
}
