import type { Cost } from "../../session/index.js";
import { type Line, line, type Paint } from "./line.js";

/** What models cost, or would cost at most; nothing is said where none was asked. */
export function costWords(
  { cost, estimate }: { readonly cost: Cost; readonly estimate?: Cost },
  paint: Paint,
): Line[] {
  const said = ({ calls, tokensIn, tokensOut }: Cost) =>
    `${calls} calls, ${tokensIn} tokens in, ${tokensOut} out`;
  if (estimate) return [line`${paint.dim(`A model would cost at most ${said(estimate)}.`)}`];
  return cost.calls > 0 ? [line`${paint.dim(`The model took ${said(cost)}.`)}`] : [];
}
