import type { Tool } from "./tool.js";
import { add } from "./tools/add.js";
import { branch } from "./tools/branch.js";
import { consolidate } from "./tools/consolidate.js";
import { forget } from "./tools/forget.js";
import { history } from "./tools/history.js";
import { recall } from "./tools/recall.js";
import { search } from "./tools/search.js";
import { update } from "./tools/update.js";
import { wakeUp } from "./tools/wake-up.js";

/** Few, because every one is read by a model in every conversation. */
const DEFAULT: readonly Tool[] = [search, recall, wakeUp, add, update, forget, branch, history, consolidate];

/** Tools that few ask for are loaded by those alone: to make their schemas takes time at every start. */
export const toolsOf = async (choice: "default" | "full"): Promise<readonly Tool[]> =>
  choice === "full" ? [...DEFAULT, ...(await import("./more-tools.js")).MORE] : DEFAULT;
