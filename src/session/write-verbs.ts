/** The verbs that write memories, loaded together with the first write. */
export { forget } from "./verbs/forget.js";
export { move } from "./verbs/move.js";
export { observe } from "./verbs/observe.js";
export { remember } from "./verbs/remember.js";
export { update } from "./verbs/update.js";
