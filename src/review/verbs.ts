import type { Verdict } from "../gate/index.js";
import type { Transaction } from "../memories/index.js";
import {
  act,
  action,
  COMMIT_NOTE,
  checkGiven,
  checkOptions,
  Late,
  moveRefs,
  optional,
  read,
  verb,
  WRITING,
  type WriteOptions,
} from "../repo/index.js";
import {
  ACCEPT,
  PROMOTE,
  PROPOSE,
  type PromoteOptions,
  type ProposeOptions,
  REJECT,
  REVIEW,
  TAINT,
} from "./options.js";
import type { Proposed } from "./verbs/propose.js";

const reviewing = () => import("./verbs/review.js");

/** The one place where things wait for a person: quarantined writes, proposals, promotions, imports, requests. */
export const reviewVerbs = {
  /**
   * Writes for a person to decide. `write` uses the verbs of a transaction; what it wrote waits under the id answered.
   * A request without a change (`write` undefined) says what it wants in `data`.
   */
  propose: verb("writes", PROPOSE, (access, name) => {
    return async <T>(
      kind: string,
      write: ((tx: Transaction) => Promise<T> | T) | undefined,
      options: ProposeOptions = {},
    ): Promise<Proposed<T>> => {
      checkGiven(name, { write }, { write: optional(action) });
      checkOptions(name, options, PROPOSE);
      return access.open(async (context) => {
        const { proposeByRules } = await import("./verbs/propose.js");
        return proposeByRules(context, kind, write, options);
      });
    };
  }),

  /**
   * Makes a belief canon, in its own words or in better ones. That needs a user or operator, or two different principals:
   * what one agent promotes waits for another or for a person to accept it.
   */
  promoteToCanon: verb("writes", { ...WRITING, ...PROMOTE }, (access, name) => {
    const code = new Late(() => import("./verbs/promote.js"));
    return async (
      id: string,
      text?: string,
      options: PromoteOptions & WriteOptions = {},
    ): Promise<Verdict> => {
      checkOptions(name, options, { ...WRITING, ...PROMOTE });
      return access.write(code, ({ promoteToCanon }, context) => promoteToCanon(context, id, text, options));
    };
  }),

  /** Everything that waits on this branch and that the session sees, as differences, oldest first. */
  review: read(REVIEW, reviewing, ({ review }, at, options) => review(at, options)),

  /** One item that waits, by its id or the first 7 or more characters of it. */
  reviewItem: read({}, reviewing, async ({ reviewItem }, at, _options, id: string) => {
    const { findStaged } = await import("../memories/staging.js");
    return reviewItem(at, await findStaged(at.context, id));
  }),

  /** Takes what waits into the branch, in the name and with the trust of this session; all of it, or `only` some. */
  acceptReview: act(
    "writes",
    { ...COMMIT_NOTE, ...ACCEPT },
    () => import("./verbs/accept-review.js"),
    ({ acceptReview }, { context }, options, id: string) => acceptReview(context, id, options),
  ),

  /** Takes something off the list without doing it. */
  rejectReview: act(
    "moves refs",
    REJECT,
    () => import("./verbs/accept-review.js"),
    ({ rejectReview }, { context }, { reason }, id: string) =>
      moveRefs(context, "reject", () => rejectReview(context, id), { message: reason }),
  ),

  /** Every memory that was made from this one, directly or through others, in any version; nearest first. */
  taint: read(
    TAINT,
    () => import("./verbs/taint.js"),
    async ({ taint }, at, { scope }, id: string) => {
      const { placeOfAny } = await import("../history/verbs/history.js");
      return taint(at, await placeOfAny(at, id, scope));
    },
  ),
};
