import { createInterface } from "node:readline";
import type { ErasedMemory, EraseOptions, EraseReport } from "../../../session/index.js";
import { VERBS } from "../../../session/opening.js";
import type { Call, Command } from "../command.js";
import { CliError, usage } from "../fail.js";
import { flagsOf, valuesOf } from "../flags.js";
import { type Line, line, oneLine, type Paint } from "../line.js";
import { withSession } from "../open.js";
import { plural, shortId, sizeText } from "../show.js";

const SHOWN = 20;

const { options: OPTIONS } = VERBS.erase;

export const command: Command = {
  name: "erase",
  summary:
    "erase a memory for good: every version, on every branch, from the bytes of the store (agents only ask for it)",
  args: [
    {
      name: "[id]",
      description:
        "its whole id or its topic; else a text, as for --containing. What a part of an id may mean is shown, and asked about at a terminal",
    },
  ],
  options: [
    ...flagsOf(OPTIONS, "containing", "derived", "scope"),
    { flags: "--yes", description: "do it, even if it is more than one memory, or not named by its id" },
    ...flagsOf(OPTIONS, "dryRun"),
  ],
  examples: [
    "pal erase my-note",
    'pal erase "sk-live-4242" --yes',
    "pal erase --containing sk-live-4242 --derived --dry-run",
  ],
  async run(call) {
    const [id] = call.args;
    const { options, out } = call;
    const containing = options.text("containing");
    if ((id === undefined) === (containing === undefined))
      throw usage("erase needs an id or a text.", "Say pal erase <id>, or pal erase --containing <text>.");
    const how = valuesOf(options, OPTIONS, "scope", "derived");
    const isDry = options.flag("dryRun");
    const { report, isPlan } = await withSession(call, "existing", async (session) => {
      const look = async (target: EraseOptions, isNamed: (memory: ErasedMemory) => boolean) => {
        const plan = await session.erase({ ...target, dryRun: true });
        if (!isDry && plan.memories.some(({ by }) => by === "part"))
          return {
            report: await session.erase({ ...how, memories: await agreed(call, plan) }),
            isPlan: false,
          };
        const isOne = countOf(plan) === 1 && plan.cleared.length === 0;
        const isSure = options.flag("yes") || (isOne && plan.memories.some(isNamed));
        // Where nothing goes, a whole search tells whether the bytes still say it.
        const isDone = !isDry && isSure && (plan.records > 0 || target.containing !== undefined);
        return isDone
          ? { report: await session.erase(target), isPlan: false }
          : { report: plan, isPlan: true };
      };
      if (id === undefined) return look({ ...how, containing: containing as string }, () => true);
      const target = { ...how, ids: [id] };
      try {
        // An id that we made is no topic, and without what came from it only one memory: no need to look first.
        if (!isDry && !how.derived && /^(?:mem|topic|obs)-/.test(id) && shortId(id) !== id)
          return { report: await session.erase(target), isPlan: false };
        // A topic is a word, and may have been meant as a text.
        return await look(target, ({ by }) => by === "id");
      } catch (error) {
        if (!isUnknown(error)) throw error;
        // Whoever mistypes an id must not lose what happens to say it.
        const found = await look({ ...how, containing: id }, () => false);
        if (!takesAny(found.report) && (found.report.standing ?? []).length === 0) throw error;
        return found;
      }
    });
    const isAsked = isPlan && !isDry && takesAny(report) && report.staged === undefined;
    if (!(isAsked && out.json)) await out.answer(report, (paint) => reportLines(report, isPlan, paint));
    if (isAsked) throw askedFor(report);
    if (!takesAny(report) || report.staged !== undefined) return 1;
    return isPlan || report.receipt?.clean ? 0 : 1;
  },
};

/** Does anything go, be it only what was said of a commit? */
const takesAny = ({ records, notes, cleared }: EraseReport): boolean => records + notes + cleared.length > 0;

/** Of what a part of an id may mean, what the person at the terminal says yes to; nobody else can say it. */
async function agreed(call: Call, plan: EraseReport): Promise<NonNullable<EraseOptions["memories"]>> {
  const { out, args } = call;
  const found = plan.memories.filter(({ by }) => by === "part").map(({ scope, id }) => ({ scope, id }));
  const ids = [...new Set(found.map(({ id }) => id))];
  if (call.io.stdin.isTTY && !out.json) await out.lines(reportLines(plan, true, out.paint));
  if (await askPerson(call, `Erase ${ids.join(", ")} for good?`)) return found;
  throw new CliError(
    "USAGE",
    `${JSON.stringify(args[0])} is a part of an id; nothing was erased.`,
    `Say the whole id if that is what you want.`,
    2,
    { ...plan, candidates: ids },
  );
}

/** With --json the error is the one value, so it holds what would go. */
const askedFor = (report: EraseReport) =>
  new CliError(
    "USAGE",
    `${report.records > 0 ? plural(countOf(report), "memory", "memories") : besidesOf(report)} would go.`,
    "Say --yes if that is what you want.",
    2,
    report,
  );

/** One that moved is one memory, in each of its places. */
const countOf = ({ memories }: EraseReport): number => memories.filter(({ moved }) => !moved).length;

/** No memory ever had that name, or none can have it. What was erased already is no text that others say. */
const isUnknown = (error: unknown): boolean => {
  const { code, data } = error as { readonly code?: unknown; readonly data?: { readonly fate?: unknown } };
  return code === "INVALID_ID" || (code === "NOT_FOUND" && data?.fate === undefined);
};

const whatOf = (report: EraseReport): string =>
  `${plural(countOf(report), "memory", "memories")}, ${plural(report.records, "version")}, ${besidesOf(report)}`;

/** What goes beside memories. */
const besidesOf = ({ notes, cleared }: EraseReport): string =>
  plural(notes, "message") + (cleared.length > 0 ? `, ${plural(cleared.length, "other place")}` : "");

export function reportLines(report: EraseReport, isPlan: boolean, paint: Paint): Line[] {
  const { memories, guessable, receipt, staged, cleared } = report;
  const names = [
    ...memories.slice(0, SHOWN).map(({ scope, id, versions, begins }) => {
      const said = begins === undefined ? line`` : line`  ${oneLine(begins)}`;
      return line`  ${shortId(id)} ${paint.dim(scope)} ${plural(versions, "version")}${said}`;
    }),
    ...cleared.slice(0, SHOWN).map((place) => line`  ${place} ${paint.dim("what it said of it")}`),
  ];
  const standing = standingLines(receipt ?? report, isPlan, paint);
  if (staged !== undefined)
    return [
      line`${paint.yellow("?")} waits for a person: ${whatOf(report)}`,
      ...names,
      line`${paint.dim("·")} nothing is erased before a user says \`pal review accept ${staged}\` at a terminal, or anywhere \`pal --operator review accept ${staged}\``,
    ];
  if (!takesAny(report) && !receipt)
    return standing.length === 0
      ? [line`${paint.yellow("!")} nothing says that`]
      : [line`${paint.yellow("!")} nothing says that but what stays`, ...standing];
  if (isPlan || !receipt) return [line`would erase ${whatOf(report)}`, ...names, ...standing];
  const { clean, bytes, files, pieces, left, old, elsewhere, beyond, outside, isWhole } = receipt;
  const current = left.filter((name) => !old.includes(name));
  return [
    takesAny(report)
      ? line`${paint.green("✓")} erased ${whatOf(report)}`
      : line`${paint.yellow("!")} nothing was there to erase`,
    ...names,
    ...(clean
      ? [
          line`${paint.green("✓")} searched ${sizeText(bytes)} in ${plural(files.length, "file")} for ${plural(pieces, "piece")} of it: nothing is left`,
        ]
      : []),
    ...standing,
    ...(current.length > 0
      ? [
          line`${paint.red("✗")} something of it is still in ${current.join(", ")}; close other programs and run \`pal compact\``,
        ]
      : []),
    ...(old.length > 0
      ? [
          line`${paint.red("✗")} something of it is still in ${old.join(", ")}, kept from before an upgrade; \`pal compact --drop-old\` removes that`,
        ]
      : []),
    ...beyond.map(({ place, how }) => line`${paint.red("✗")} it may still be in ${place}: ${how}`),
    ...(elsewhere.length > 0
      ? [
          line`${paint.yellow("!")} ${elsewhere.length >= 1_000 ? "at least " : ""}${plural(elsewhere.length, "other object says", "other objects say")} the same in part`,
        ]
      : []),
    ...(guessable > 0
      ? [
          line`${paint.dim("·")} ${plural(guessable, "hash stays", "hashes stay")} in the history without a salt: whoever knows the text can tell that it was there`,
        ]
      : []),
    ...(isWhole
      ? []
      : [
          line`${paint.dim("·")} not looked into: what you do not see; --scopes '*' --clearance confidential looks everywhere`,
        ]),
    ...outside.map(({ place, how }) => line`${paint.dim("·")} not looked into: ${place}; ${how}`),
  ];
}

function standingLines(
  { standing = [] }: Pick<EraseReport, "standing">,
  isPlan: boolean,
  paint: Paint,
): Line[] {
  const more = standing.length - SHOWN;
  return [
    ...standing
      .slice(0, SHOWN)
      .map(
        ({ place, name, how }) =>
          line`${paint.red("✗")} it ${isPlan ? "would still stand" : "still stands"} in the ${place}: ${oneLine(name)}; how it goes: ${oneLine(how)}`,
      ),
    ...(more > 0 ? [line`${paint.red("✗")} and in ${plural(more, "other place")}; see --json`] : []),
  ];
}

/** Asks the person at the terminal; undefined where nobody can be asked. Only a plain yes is one. */
async function askPerson({ io, out }: Call, question: string): Promise<boolean | undefined> {
  if (!io.stdin.isTTY || out.json || out.quiet) return undefined;
  await out.complain([line`${out.talkPaint.yellow("?")} ${question} Type yes to do it:`]);
  const input = io.stdin.open();
  const lines = createInterface({ input });
  try {
    for await (const said of lines) return /^\s*y(?:es)?\s*$/i.test(said);
    return false;
  } finally {
    lines.close();
    // A terminal that goes on being read would keep the process.
    input.pause();
  }
}
