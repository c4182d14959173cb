import type { Cost } from "../../session/index.js";
import type { Call } from "./command.js";
import { configPath, trustedConfig } from "./config-file.js";
import { type Line, line, type Paint } from "./line.js";
import { locationOf } from "./open.js";

type Tokens = Pick<Cost, "tokensIn" | "tokensOut">;

/** What tokens cost in money; undefined where no price is set. */
export type Money = (tokens: Tokens) => number | undefined;

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
