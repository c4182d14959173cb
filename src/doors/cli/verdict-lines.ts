import type { Verdict, VerdictKind } from "../../session/index.js";
import type { Call } from "./command.js";
import type { Failure } from "./fail.js";
import { type Line, line, oneLine, type Paint } from "./line.js";
import type { Out } from "./out.js";
import { safeJson } from "./safe.js";
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

export type LineVerdict = Verdict & { readonly line: number };

const SHOWN = 10;

/**
 * The answer to many writes. As JSON it is written while it grows, because a million verdicts are not held in
 * memory; nothing is printed before the first batch, so that an early failure is an ordinary error.
 */
export class BulkReport {
  readonly #out: Out;
  readonly #counts = new Map<VerdictKind, number>(VERDICTS.map((kind) => [kind, 0]));
  readonly #refusals: LineVerdict[] = [];
  readonly #replaced: LineVerdict[] = [];
  #replacedCount = 0;
  #total = 0;

  constructor(out: Out) {
    this.#out = out;
  }

  get total(): number {
    return this.#total;
  }
  get refused(): number {
    return this.#count("rejected") + this.#count("quarantined");
  }

  async add(verdicts: readonly LineVerdict[]): Promise<void> {
    let json = "";
    for (const verdict of verdicts) {
      this.#counts.set(verdict.verdict, this.#count(verdict.verdict) + 1);
      if (isRefusal(verdict) && this.#refusals.length < SHOWN) this.#refusals.push(verdict);
      if (verdict.replacedText !== undefined && ++this.#replacedCount <= SHOWN) this.#replaced.push(verdict);
      if (this.#out.json) json += `${this.#total === 0 ? '{"verdicts":[' : ","}\n${safeJson(verdict)}`;
      this.#total++;
    }
    if (json !== "") await this.#out.raw(json);
  }

  async end(extra: { readonly error?: Failure["error"]; readonly interrupted?: true }): Promise<void> {
    if (this.#out.json) {
      const rest = safeJson({ ...Object.fromEntries(this.#counts), ...extra }).slice(1);
      await this.#out.raw(`${this.#total === 0 ? '{"verdicts":[' : "\n"}],${rest}\n`);
      return;
    }
    await this.#out.lines([this.#summary(this.#out.paint)]);
    const { error, interrupted } = extra;
    const more = this.refused - this.#refusals.length;
    const red = this.#out.talkPaint.red;
    await this.#out.complain([
      ...this.#refusals.map(
        ({ line: number, verdict, check, reason = "" }) =>
          line`${red("✗")} line ${number} ${verdict} by ${check ?? "the gate"}: ${oneLine(reason)}`,
      ),
      ...(more > 0 ? [line`  and ${more.toLocaleString("en-US")} more; --json has them all`] : []),
      ...this.#replacements(),
      ...(interrupted ? [line`${red("✗")} interrupted; what is counted above is stored`] : []),
      ...(error ? [line`${red("pal:")} ${oneLine(error.message)}`, line`     ${oneLine(error.hint)}`] : []),
    ]);
  }

  /** What is no longer to be seen, so that nobody loses a belief by a number. */
  #replacements(): Line[] {
    const more = this.#replacedCount - this.#replaced.length;
    return [
      ...this.#replaced.map(
        ({ line: number, id = "", replacedText = "" }) =>
          line`  line ${number} updated ${shortId(id)}, which said: ${oneLine(replacedText)}`,
      ),
      ...(more > 0 ? [line`  and ${more.toLocaleString("en-US")} more; --json has them all`] : []),
    ];
  }

  #summary(paint: Paint): Line {
    const mark = this.refused > 0 ? paint.yellow("!") : paint.green("✓");
    const [accepted, ...rest] = VERDICTS.map(
      (kind) => `${this.#count(kind).toLocaleString("en-US")} ${WORDS[kind]}`,
    );
    const others = rest.filter((_, index) => this.#count(VERDICTS[index + 1] as VerdictKind) > 0);
    return line`${mark} ${[accepted, ...others].join(", ")}`;
  }

  #count(kind: VerdictKind): number {
    return this.#counts.get(kind) ?? 0;
  }
}

const WORDS: Readonly<Record<VerdictKind, string>> = {
  accepted: "remembered",
  updated: "updated",
  duplicate: "already known",
  rejected: "rejected",
  quarantined: "quarantined",
};
