import type { Conflict, Cost, MergeResult } from "../../session/index.js";
import type { Call } from "./command.js";
import { configPath, trustedConfig } from "./config-file.js";
import { type Line, line, oneLine, type Paint } from "./line.js";
import { locationOf } from "./open.js";
import type { Out } from "./out.js";
import { aligned, asValue, plural, shortHash, shortId, who } from "./show.js";

/** `3 added, 1 changed`; empty when nothing changed. */
export const changesOf = ({ added, modified, removed, erased = 0 }: Omit<MergeResult, "conflicts">): string =>
  [
    ...(added > 0 ? [`${added.toLocaleString("en-US")} added`] : []),
    ...(modified > 0 ? [`${modified.toLocaleString("en-US")} changed`] : []),
    ...(removed > 0 ? [`${removed.toLocaleString("en-US")} removed`] : []),
    ...(erased > 0 ? [`${erased.toLocaleString("en-US")} erased and left out`] : []),
  ].join(", ");

/** Scripts rely on the key: where nothing had to be committed it is null. */
export const withCommit = <T extends { readonly commit?: string }>(
  done: T,
): Omit<T, "commit"> & { readonly commit: string | null } => ({ ...done, commit: done.commit ?? null });

/** Answers a merge, pick or revert: what it brought, and what is left to decide. Returns the exit code. */
export async function answerMerge(
  { out, options }: Call,
  done: MergeResult,
  headline: string,
): Promise<number> {
  const { commit, conflicts } = done;
  const isRehearsal = options.flag("dryRun");
  await out.answer(isRehearsal ? done : withCommit(done), (paint) => [
    line`${paint.green("✓")} ${headline}: ${changesOf(done) || "nothing changed"}${commit === undefined ? "" : paint.dim(` (commit ${shortHash(commit)})`)}`,
    ...conflictLines(conflicts, out, isRehearsal),
  ]);
  if (conflicts.length > 0 && !out.json)
    await out.talk(
      isRehearsal
        ? line`${plural(conflicts.length, "conflict")} would be left; nothing was changed.`
        : line`${plural(conflicts.length, "conflict")} left; both sides are kept until you settle ${conflicts.length === 1 ? "it" : "them"}.`,
    );
  return conflicts.length > 0 ? 1 : 0;
}

/** Each contested field with its numbered terms, and the command that settles the first. */
export function conflictLines(
  conflicts: readonly Conflict[],
  { paint, columns }: Out,
  isRehearsal = false,
): Line[] {
  const [first] = conflicts;
  return [
    ...conflicts.flatMap(({ id, scope, field, terms }) => {
      const where = scope === "shared" ? "" : ` [${scope}]`;
      const what = field === "*" ? "forgotten on one side, changed on the other" : field;
      const rows = terms.map(({ value, deleted, commit, author }, index) => ({
        cells: [
          paint.bold(`    ${index + 1}`),
          who(author),
          paint.dim(commit === undefined ? "" : shortHash(commit)),
        ],
        text: deleted ? "(forgotten)" : asValue(value),
      }));
      return [
        line`${paint.yellow("!")} ${paint.bold(shortId(id))}${paint.cyan(where)}  ${oneLine(what)}`,
        ...aligned(rows, columns),
      ];
    }),
    ...(first && !isRehearsal
      ? [paint.dim(`  pal resolve ${typed(shortId(first.id))} ${typed(first.field)} --take 1`)]
      : []),
  ];
}

/** As it can be typed in a shell. */
const typed = (text: string): string =>
  /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

type Tokens = Pick<Cost, "tokensIn" | "tokensOut">;

/** What tokens cost in money; undefined where no price is set. */
type Money = (tokens: Tokens) => number | undefined;

export async function moneyOf({ globals, io }: Pick<Call, "globals" | "io">): Promise<Money> {
  const { values } = await trustedConfig(configPath(io, await locationOf({ globals, io })));
  const [read, written] = ["mind.price.in", "mind.price.out"].map(
    (key) => values.get(key) as number | undefined,
  );
  return ({ tokensIn, tokensOut }) =>
    read === undefined && written === undefined
      ? undefined
      : (tokensIn * (read ?? 0) + tokensOut * (written ?? 0)) / 1_000_000;
}

/** `, 0.0123 in money`: four digits after the point, as single calls cost little. */
export function moneyWords(money: number | undefined): string {
  return money === undefined ? "" : `, ${money.toFixed(4)} in money`;
}

interface Costly {
  readonly cost: Cost;
  readonly estimate?: Cost;
}

/** A report with what it cost, or would cost at most, in money. */
export function withMoney<T extends Costly>(report: T, money: Money): T & { readonly money?: number } {
  const sum = money(report.estimate ?? report.cost);
  return sum === undefined ? report : { ...report, money: sum };
}

/** What models cost, or would cost at most; nothing is said where none was asked. */
export function costWords({ cost, estimate }: Costly, paint: Paint, money: Money): Line[] {
  const said = (one: Cost) =>
    `${one.calls} calls, ${one.tokensIn} tokens in, ${one.tokensOut} out${moneyWords(money(one))}`;
  if (estimate) return [line`${paint.dim(`A model would cost at most ${said(estimate)}.`)}`];
  return cost.calls > 0 ? [line`${paint.dim(`The model took ${said(cost)}.`)}`] : [];
}
