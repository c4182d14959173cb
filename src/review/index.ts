/** review: what waits for a person. */

export { ERASE, requestIn, type Waiting, waitingFor } from "./erase-waiting.js";
export {
  ACCEPT,
  type AcceptOptions,
  PROMOTE,
  PROPOSE,
  type ProposeOptions,
  REJECT,
  REVIEW,
  type ReviewOptions,
  TAINT,
} from "./options.js";
export { type AcceptedItem, acceptReview } from "./verbs/accept-review.js";
export { type Proposed, propose, proposeByRules } from "./verbs/propose.js";
export type { Rejected } from "./verbs/reject-review.js";
export type { ReviewChange, ReviewItem } from "./verbs/review.js";
export { type Tainted, taint } from "./verbs/taint.js";
export { reviewVerbs } from "./verbs.js";
