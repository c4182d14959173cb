/** The verbs that write memories, loaded together with the first write. */
export { forget, move, observe, remember, update } from "../memories/index.js";
