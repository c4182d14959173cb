import type { Tool } from "./tool.js";
import { blame } from "./tools/blame.js";
import { diff } from "./tools/diff.js";
import { merge } from "./tools/merge.js";
import { processConversation } from "./tools/process-conversation.js";
import { promote } from "./tools/promote.js";
import { prove } from "./tools/prove.js";
import { resolve } from "./tools/resolve.js";
import { review } from "./tools/review.js";
import { rollback } from "./tools/rollback.js";
import { scratchpad } from "./tools/scratchpad.js";
import { semanticSearch } from "./tools/semantic-search.js";
import { verify } from "./tools/verify.js";
import { why } from "./tools/why.js";

/** What `--tools full` adds. */
export const MORE: readonly Tool[] = [
  why,
  semanticSearch,
  scratchpad,
  promote,
  merge,
  resolve,
  diff,
  rollback,
  review,
  blame,
  verify,
  prove,
  processConversation,
];
