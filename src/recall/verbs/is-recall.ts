/** Does a prompt ask for something that only memory can tell? */
export { detectRecall as isRecall } from "../detect/detect-recall.js";
