/** review: what waits for a person. */

export {
  ACCEPT,
  type AcceptOptions,
  ERASE,
  PROMOTE,
  PROPOSE,
  type ProposeOptions,
  REJECT,
  REVIEW,
  type ReviewOptions,
  TAINT,
} from "./options.js";
export { type AcceptedItem, acceptReview, type Rejected } from "./verbs/accept-review.js";
export { type Proposed, propose, proposeByRules } from "./verbs/propose.js";
export {
  type ReviewChange,
  type ReviewItem,
  requestIn,
  type Waiting,
  waitingFor,
} from "./verbs/review.js";
export { type Tainted, taint } from "./verbs/taint.js";
export { reviewVerbs } from "./verbs.js";
