import type { DaySpent, Figures, StoreUsage } from "../../../session/index.js";
import { VERBS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { flagsOf } from "../flags.js";
import { at } from "../globals.js";
import { type Line, line, type Paint } from "../line.js";
import { moneyOf, moneyWords } from "../merge-lines.js";
import { withSession } from "../open.js";
import type { Out } from "../out.js";
import { duration, orEnded, type Progress, withProgress } from "../progress.js";
import { sizeText, sparkline, table, when } from "../show.js";

const { options: OPTIONS } = VERBS.figures;

export const command: Command = {
  name: "stats",
  summary: "figures about what you see: counts, growth, room on the disk, index and vectors",
  options: flagsOf(OPTIONS, "full"),
  at: true,
  examples: ["pal stats", "pal stats --full"],
  async run(call) {
    const { out, options } = call;
    const full = options.flag("full");
    const money = await moneyOf(call);
    const [figures, usage] = await withSession(call, "existing", async (session, store) => {
      const models = (await session.mindCosts()).map((day) => withSum(day, money(day)));
      const count = async (show?: Progress["show"]) => {
        // Memories first, then everything that is stored.
        const half = (from: number) =>
          show && ((done: number, total: number) => show(done, from + done / total / 2));
        const counted = await session.figures({ full, onProgress: half(0), ...at(call) });
        return [
          { ...counted, ...(models.length > 0 && { models }) },
          await store.usage({ objects: full, onProgress: half(0.5) }),
        ] as const;
      };
      const unchanged = () => "nothing was changed";
      return full
        ? withProgress(call, "counting", unchanged, ({ step, signal }) => orEnded(signal, count(step)))
        : count();
    });
    await out.answer({ ...figures, usage }, (paint) => [
      ...table(countRows(figures, paint), paint, NAMES),
      ...growthLines(figures, out),
      line``,
      ...table([...usageRows(usage, paint), ["models", costLine(figures.models?.[0])]], paint, NAMES),
    ]);
    return 0;
  },
};

type Rows = Parameters<typeof table>[0];

/** Columns of the names, so that counts, growth and sizes line up. */
const NAMES = "in prompts".length;

const number = (count: number): string => count.toLocaleString("en-US");

function countRows(stats: Figures, paint: Paint): Rows {
  const injected = Object.entries(stats.injected).map(
    ([scope, { count, utilisation }]) => `${scope} ${count} of ${stats.capacity} (${utilisation}%)`,
  );
  return [
    ["memories", paint.bold(number(stats.memories))],
    ["versions", `${number(stats.versions)}${stats.memories > 0 ? ` (${stats.bloat} for each memory)` : ""}`],
    ["commits", number(stats.commits)],
    ["forgotten", number(stats.forgotten)],
    ["contested", stats.contested === 0 ? undefined : paint.yellow(number(stats.contested))],
    ["waiting", stats.waiting === 0 ? undefined : paint.yellow(`${number(stats.waiting)} for review`)],
    ["in prompts", injected.join(", ")],
    ["branches", ifSeveral(stats.byBranch, paint)],
    ["scopes", counted(stats.byScope, paint)],
    ["types", counted(stats.byType, paint)],
    ["tiers", counted(stats.byTier, paint)],
    ["categories", counted(stats.byCategory, paint)],
    ["sources", ifSeveral(stats.bySource ?? {}, paint)],
    ["authors", ifSeveral(stats.byAuthor, paint)],
    ["topics", stats.topics.slice(0, SHOWN).join(", ") + more(stats.topics.length)],
    ["branch", stats.branch],
    ["head", stats.head],
    ["root", stats.root],
  ];
}

/** What language models were paid for lately. */
type DayCost = DaySpent & { readonly money?: number };

const withSum = (day: DaySpent, money: number | undefined): DayCost =>
  money === undefined ? day : { ...day, money };

const costLine = (spent: DayCost | undefined): string | undefined =>
  spent &&
  `${spent.day}: ${number(spent.calls)} calls, ${number(spent.tokensIn + spent.tokensOut)} tokens${moneyWords(spent.money)}`;

const SHOWN = 12;
const more = (count: number): string => (count > SHOWN ? `, and ${number(count - SHOWN)} more` : "");

const ifSeveral = (counts: Readonly<Record<string, number>>, paint: Paint): Line | string =>
  Object.keys(counts).length > 1 ? counted(counts, paint) : "";

function counted(counts: Readonly<Record<string, number>>, paint: Paint): Line | string {
  const entries = Object.entries(counts);
  const shown = apart(
    entries.slice(0, SHOWN).map(([name, count]) => line`${name} ${paint.bold(number(count))}`),
  );
  return entries.length > SHOWN ? line`${shown}${more(entries.length)}` : shown;
}

const apart = (pieces: readonly Line[]): Line | string =>
  pieces.reduce<Line | string>((all, next) => (all === "" ? next : line`${all}  ${next}`), "");

/** What grew in less than that is not worth a picture. */
const SHORTEST_MS = 3_600_000;

function growthLines({ growth }: Figures, { paint, columns }: Out): Line[] {
  const [first, last] = [growth[0], growth.at(-1)];
  if (!first || !last || Date.parse(last.time) - Date.parse(first.time) < SHORTEST_MS) return [];
  const chart = sparkline(
    growth.map(({ memories }) => memories),
    Math.min(columns - NAMES - 12, growth.length),
  );
  return [
    line``,
    line`${paint.dim("growth".padEnd(NAMES))}  ${paint.cyan(chart)} ${number(last.memories)}`,
    line`${" ".repeat(NAMES)}  ${paint.dim(`${when(first.time)} to ${when(last.time)}`)}`,
  ];
}

function usageRows({ files, objects, index, embedding }: StoreUsage, paint: Paint): Rows {
  const kinds = Object.entries(files).filter(([, size]) => size > 0);
  const stored = Object.entries(objects ?? {}).map(
    ([kind, { count, bytes: size }]) => line`${kind} ${paint.bold(number(count))} (${sizeText(size)})`,
  );
  return [
    ["disk", apart(kinds.map(([kind, size]) => line`${kind} ${paint.bold(sizeText(size))}`))],
    ["objects", apart(stored)],
    ["index", INDEX[index]],
    [
      "vectors",
      embedding
        ? `${number(embedding.embedded)} embedded, ${number(embedding.waiting)} waiting (${embedding.model})`
        : "none yet; `pal embed` makes them",
    ],
    ["to embed", embedding?.remainingMs ? `about ${duration(embedding.remainingMs)} of work` : undefined],
  ];
}

const INDEX: Readonly<Record<StoreUsage["index"], string>> = {
  none: "no image yet; reads build the index anew",
  fresh: "its image is up to date",
  behind: "its image is behind the head; reads catch up",
};
