/** review: what waits for a person. */

export { ERASE, requestIn, type Waiting, waitingFor } from "./erase-waiting.js";
export type { AcceptedItem, AcceptOptions } from "./verbs/accept-review.js";
export { type Proposed, type ProposeOptions, type Proposing, propose } from "./verbs/propose.js";
export type { Rejected } from "./verbs/reject-review.js";
export type { ReviewChange, ReviewItem, ReviewOptions } from "./verbs/review.js";
export { type Tainted, taint } from "./verbs/taint.js";
