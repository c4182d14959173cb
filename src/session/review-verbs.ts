import type { Verdict } from "../gate/index.js";
import type { Transaction } from "../memories/index.js";
import type { WriteOptions } from "../repo/index.js";
import {
  type Allowed,
  action,
  checkGiven,
  checkOptions,
  count,
  flag,
  json,
  optional,
  PLACED,
  TOLD,
  text,
  texts,
  WRITING,
  withCommit,
} from "../repo/index.js";
import type {
  AcceptedItem,
  AcceptOptions,
  Proposed,
  ProposeOptions,
  Rejected,
  ReviewItem,
  ReviewOptions,
  Tainted,
} from "../review/index.js";
import { VaultVerbs } from "./vault-verbs.js";

const PROMOTE: Allowed<WriteOptions & { scope?: string; reason?: string }> = {
  ...WRITING,
  scope: text,
  reason: text,
};

/** The one place where things wait for a person: quarantined writes, proposals, promotions, imports, requests. */
export class ReviewVerbs extends VaultVerbs {
  /**
   * Writes for a person to decide. `write` uses the verbs of a transaction; what it wrote waits under the id answered.
   * A request without a change (`write` undefined) says what it wants in `data`.
   */
  async propose<T>(
    kind: string,
    write: ((tx: Transaction) => Promise<T> | T) | undefined,
    options: ProposeOptions = {},
  ): Promise<Proposed<T>> {
    checkGiven("propose", { write }, { write: optional(action) });
    checkOptions("propose", options, { reason: text, cost: json, data: json, about: texts });
    return this.open(async () => {
      const { context, engine } = this;
      const { propose } = await import("../review/verbs/propose.js");
      const proposed = await propose(context, engine, kind, write, options);
      const { id, verdicts } = proposed;
      if (id === undefined || context.rules.autoAccept.length === 0) return proposed;
      const [{ needsNobody }, { findStaged }] = await Promise.all([
        import("../review/auto-accept.js"),
        import("../memories/staging.js"),
      ]);
      const item = await findStaged(context, engine.reader, id);
      if (!needsNobody(context.rules.autoAccept, item, verdicts)) return proposed;
      return { ...proposed, accepted: await this.acceptReview(id) };
    });
  }

  /**
   * Makes a belief canon, in its own words or in better ones. That needs a user or operator, or two different principals:
   * what one agent promotes waits for another or for a person to accept it.
   */
  async promoteToCanon(
    id: string,
    text?: string,
    options: WriteOptions & { readonly scope?: string; readonly reason?: string } = {},
  ): Promise<Verdict> {
    checkOptions("promoteToCanon", options, PROMOTE);
    const { scope, reason, dryRun } = options;
    const { promoteToCanon, promotion } = await import("../memories/verbs/promote.js");
    const verdict = await this.write("promote", options, (draft) =>
      promoteToCanon(this.context, draft, id, text, scope),
    );
    if (verdict.verdict !== "rejected" || verdict.code !== "TIER_NOT_ALLOWED") return verdict;
    const waits = "It waits for a user, an operator or a second agent to accept it: see `review`.";
    const held: Verdict = { ...verdict, verdict: "quarantined", hint: waits };
    if (dryRun) return held;
    const { id: staged } = await this.propose(
      "promotion",
      (tx) => tx.update(id, promotion(text), scope === undefined ? {} : { scope }),
      reason === undefined ? {} : { reason },
    );
    return staged === undefined ? verdict : { ...held, staged };
  }

  /** Everything that waits on this branch and that the session sees, as differences, oldest first. */
  async review(options: ReviewOptions = {}): Promise<readonly ReviewItem[]> {
    checkOptions("review", options, { kind: text, limit: count });
    return this.read(undefined, async (tip, now) => {
      const { review } = await import("../review/verbs/review.js");
      return review(this.context, this.engine.reader, tip, now, options);
    });
  }

  /** One item that waits, by its id or the first 7 or more characters of it. */
  reviewItem(id: string): Promise<ReviewItem> {
    return this.read(undefined, async (tip, now) => {
      const [{ reviewItem }, { findStaged }] = await Promise.all([
        import("../review/verbs/review.js"),
        import("../memories/staging.js"),
      ]);
      const { reader } = this.engine;
      return reviewItem(this.context, reader, tip, now, await findStaged(this.context, reader, id));
    });
  }

  /** Takes what waits into the branch, in the name and with the trust of this session; all of it, or `only` some. */
  async acceptReview(
    id: string,
    options: AcceptOptions & Omit<WriteOptions, "dryRun"> = {},
  ): Promise<AcceptedItem> {
    checkOptions("acceptReview", options, { ...TOLD, only: texts, edit: json, keepBoth: flag });
    return this.open(async () => {
      const { acceptReview } = await import("../review/verbs/accept-review.js");
      const { branch } = this.context;
      const done = await this.engine.writer.submit({
        branch,
        info: await this.info("accept", options),
        run: (draft) => acceptReview(this.context, draft, id, options),
      });
      this.note(branch, done);
      const { value, tip } = done;
      return {
        ...value,
        verdicts: value.verdicts.map((verdict) => withCommit(verdict, tip)),
        ...(tip && { commit: tip.hash }),
      };
    });
  }

  /** Takes something off the list without doing it. */
  async rejectReview(id: string, options: { readonly reason?: string } = {}): Promise<Rejected> {
    checkOptions("rejectReview", options, { reason: text });
    return this.open(async () => {
      const [{ rejectReview }, { changeRefs }] = await Promise.all([
        import("../review/verbs/reject-review.js"),
        import("../repo/write/change-refs.js"),
      ]);
      const info = await this.info("reject", { message: options.reason });
      return changeRefs(this.engine, this.context, info, () => rejectReview(this.context, this.engine, id));
    });
  }

  /** Every memory that was made from this one, directly or through others, in any version; nearest first. */
  async taint(
    id: string,
    options: { readonly scope?: string; readonly at?: string } = {},
  ): Promise<readonly Tainted[]> {
    checkOptions("taint", options, PLACED);
    return this.read(options.at, async (tip) => {
      const { reader } = this.engine;
      const [{ taint }, { placeOfAny }] = await Promise.all([
        import("../review/verbs/taint.js"),
        import("../history/verbs/history.js"),
      ]);
      const place = await placeOfAny(this.context, reader, tip, id, options.scope);
      return taint(this.context, reader, tip, place);
    });
  }
}
