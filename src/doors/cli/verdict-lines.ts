import type { Verdict, VerdictKind } from "../../session/index.js";
import type { Call } from "./command.js";
import { type Line, line, oneLine, type Paint } from "./line.js";
import { shortHash, shortId, withShortIds } from "./show.js";

/** Past participles of the verbs, for `✓ remembered`. */
export type Done =
  | "remembered"
  | "updated"
  | "forgotten"
  | "moved"
  | "observed"
  | "confirmed"
  | "resolved"
  | "recorded"
  | "made"
  | "promoted";

export const VERDICTS: readonly VerdictKind[] = [
  "accepted",
  "updated",
  "duplicate",
  "rejected",
  "quarantined",
];

export const isRefusal = ({ verdict }: Verdict): boolean =>
  verdict === "rejected" || verdict === "quarantined";

/** Answers a write: its verdict as data, a refusal for eyes on stderr. Returns the exit code. */
export async function answerVerdict({ out, options }: Call, verdict: Verdict, done: Done): Promise<number> {
  const refused = isRefusal(verdict);
  if (out.json) await out.value(verdict);
  else if (refused) await out.complain(refusalLines(verdict, out.talkPaint));
  else if (out.quiet) await out.lines([line`${verdict.id ?? ""}`]);
  else await out.lines(successLines(verdict, done, options.flag("dryRun"), out.paint));
  return refused ? 1 : 0;
}

/** Answers several writes of one call, in their order: as data with the counts of a bulk, for eyes each as if it were alone. */
export async function answerVerdicts(call: Call, verdicts: readonly Verdict[], done: Done): Promise<number> {
  if (!call.out.json) {
    let code = 0;
    for (const verdict of verdicts) code = Math.max(code, await answerVerdict(call, verdict, done));
    return code;
  }
  const counts = VERDICTS.map((kind) => [kind, verdicts.filter(({ verdict }) => verdict === kind).length]);
  await call.out.value({ verdicts, ...Object.fromEntries(counts) });
  return verdicts.some(isRefusal) ? 1 : 0;
}

export function refusalLines({ verdict, check, reason = "", hint, staged }: Verdict, paint: Paint): Line[] {
  const by = check === undefined ? line`${verdict}` : line`${verdict} by ${check}`;
  return [
    line`${paint.red("✗")} ${paint.bold(by)}: ${oneLine(withShortIds(reason))}`,
    ...(hint === undefined ? [] : [line`  ${oneLine(withShortIds(hint))}`]),
    ...(staged === undefined ? [] : [line`  it waits: ${paint.bold(`pal review show ${staged}`)}`]),
  ];
}

function successLines(verdict: Verdict, done: Done, dryRun: boolean, paint: Paint): Line[] {
  const { id = "", scope, version, commit, contested, replacedText, against, reason, hint } = verdict;
  const same = verdict.verdict === "duplicate";
  // The verb says what was asked; that remembering renewed an older memory is worth saying.
  const past = verdict.verdict === "updated" && done === "remembered" ? "updated" : done;
  const known = done === "moved" ? "already there" : "already known";
  const word = same ? known : dryRun ? `would be ${past}` : past;
  const facts = [
    scope,
    version === undefined ? undefined : `version ${version}`,
    commit === undefined ? (dryRun ? "nothing written" : undefined) : `commit ${shortHash(commit)}`,
  ].filter((fact) => fact !== undefined);
  const old =
    replacedText === undefined ? line`` : line`  ${dryRun ? "it says" : "it said"}: ${oneLine(replacedText)}`;
  return [
    line`${same ? paint.yellow("=") : paint.green("✓")} ${word}  ${paint.bold(shortId(id))}  ${paint.dim(`(${facts.join(", ")})`)}${old}`,
    ...(against === undefined || same
      ? []
      : [
          line`${paint.yellow("!")} ${oneLine(withShortIds(reason ?? ""))}`,
          line`  ${oneLine(withShortIds(hint ?? ""))}`,
        ]),
    ...(contested?.length
      ? [
          line`${paint.yellow("!")} contested: ${contested.join(", ")}; another version came in between, both are kept`,
        ]
      : []),
  ];
}
