/** mind: what needs judgement. It only ever proposes; nothing here writes. */
export { extractFacts } from "./extract/extract.js";
export type { Fact } from "./fact.js";
export { guarded } from "./guard.js";
export { type Message, parseMessages } from "./message.js";
