import type { Verdict, VerdictKind } from "../../session/index.js";
import type { Failure } from "./fail.js";
import { type Line, line, oneLine, type Paint } from "./line.js";
import type { Out } from "./out.js";
import { safeJson } from "./safe.js";
import { shortId } from "./show.js";
import { isRefusal, VERDICTS } from "./verdict-lines.js";

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
