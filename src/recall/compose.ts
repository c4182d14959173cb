import { shortHash } from "../core/base/index.js";
import { cut } from "../language/index.js";
import type { LayerName } from "./detect/cue.js";
import type { Citation, Disagreement, TraceItem } from "./layers.js";
import { quote } from "./quote.js";
import type { Walk } from "./walk.js";

/** Said when it is true: every layer was asked, and none knows. */
export const HONEST = "I don't have this in my memory palace.";

const LAYERS: Readonly<Record<LayerName, string>> = {
  L0: "identity",
  L1: "memory",
  L2: "the scratchpad",
  L3: "artifacts",
  L4: "playbooks",
  L5: "free generation",
};
const LONGEST = 600;

/** Said before quotations of which nobody knows that they answer. */
export const POSSIBLE = "Nearest in memory; whether it answers is for you to judge:";

/** An answer made of quotations and nothing else, each with where it comes from. */
export function compose({ hit, nearest, trace, disagreements }: Walk): string {
  if (hit)
    return [
      ...(hit.isCertain ? [] : [POSSIBLE]),
      ...hit.citations.map((citation, at) => `[${at + 1}] ${cited(citation)}${inPlace(citation)}`),
      ...disagreements.map((one) => disagreement(one, hit.citations)),
      ...unchecked(trace),
    ].join("\n");
  const missed = nearest === undefined ? [] : [`Nearest, but not near enough: ${cited(nearest)}`];
  const failed = unchecked(trace);
  return [...(failed.length === 0 ? [HONEST] : failed), ...missed].join("\n");
}

function cited({ text, ...of }: Citation): string {
  const said = quote(cut(text, LONGEST));
  const when = (of.saidAt ?? of.updatedAt)?.slice(0, 10);
  const where = [
    ...(of.session === undefined ? [] : [`session ${of.session}`]),
    ...(of.turn === undefined ? [] : [`turn ${of.turn}`]),
    ...(when === undefined ? [] : [when]),
    `id ${of.id}`,
    ...(of.commit === undefined ? [] : [`commit ${shortHash(of.commit)}`]),
    ...(of.author === undefined || of.speaker !== undefined ? [] : [`by ${of.author.id}`]),
    ...(of.uri === undefined || of.uri === of.id ? [] : [of.uri]),
  ];
  const who = of.speaker === undefined ? "" : `${quote(of.speaker).slice(1, -1)} said: `;
  return `${who}${said} (${where.map((part) => quote(part).slice(1, -1)).join(", ")})`;
}

/** What an answer renewed, named so that nobody takes it for what holds now. */
const inPlace = ({ inPlaceOf = [] }: Citation): string =>
  inPlaceOf
    .map(
      ({ id, text, updatedAt }) =>
        ` in place of ${quote(cut(text, LONGEST))} (${updatedAt.slice(0, 10)}, id ${quote(id).slice(1, -1)})`,
    )
    .join("");

function disagreement({ about, says, source, updatedAt }: Disagreement, of: readonly Citation[]): string {
  const number = of.findIndex(({ id }) => id === about) + 1;
  const since = updatedAt === undefined ? "" : `, ${updatedAt.slice(0, 10)}`;
  return `! Against [${number}]: ${quote(cut(says, LONGEST))} (${quote(source).slice(1, -1)}${since})`;
}

/** Which layers could not be asked. To say that nothing is there would be a lie. */
const unchecked = (trace: readonly TraceItem[]): string[] =>
  trace
    .filter(({ status }) => status === "unavailable")
    .map(
      ({ layer, reason }) =>
        `I could not check ${LAYERS[layer]} (${layer})${reason === undefined ? "" : `: ${quote(cut(reason, 200)).slice(1, -1)}`}`,
    );
