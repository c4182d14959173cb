import type { Tool } from "./tool.js";
import { add } from "./tools/add.js";
import { blame } from "./tools/blame.js";
import { branch } from "./tools/branch.js";
import { consolidate } from "./tools/consolidate.js";
import { diff } from "./tools/diff.js";
import { forget } from "./tools/forget.js";
import { history } from "./tools/history.js";
import { merge } from "./tools/merge.js";
import { processConversation } from "./tools/process-conversation.js";
import { prove } from "./tools/prove.js";
import { review } from "./tools/review.js";
import { rollback } from "./tools/rollback.js";
import { search } from "./tools/search.js";
import { semanticSearch } from "./tools/semantic-search.js";
import { update } from "./tools/update.js";
import { verify } from "./tools/verify.js";

/** Few, because every one is read by a model in every conversation. */
const DEFAULT: readonly Tool[] = [search, add, update, forget, branch, history, consolidate];
const MORE: readonly Tool[] = [
  semanticSearch,
  merge,
  diff,
  rollback,
  review,
  blame,
  verify,
  prove,
  processConversation,
];

export const toolsOf = (choice: "default" | "full"): readonly Tool[] =>
  choice === "full" ? [...DEFAULT, ...MORE] : DEFAULT;
