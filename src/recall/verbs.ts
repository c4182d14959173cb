import { answer, ask, checkGiven, read, THEN, text, verb } from "../repo/index.js";
import type { Detection } from "./detect/detect-recall.js";
import { CONTEXT, PLAYBOOKS, RECALL, WAKE_UP } from "./options.js";

/** What reads memory for an agent: what it may say, what that rests on, and what it should know beforehand. */
export const recallVerbs = {
  /** Does a prompt ask for something that only memory can tell? Without waiting: `detectRecall`. */
  isRecall: verb("reads", {}, (_access, name) => {
    return async (prompt: string): Promise<Detection> => {
      checkGiven(name, { prompt }, { prompt: text });
      const { detectRecall } = await import("./detect/detect-recall.js");
      return answer(detectRecall(prompt));
    };
  }),

  /** Asks the layers of memory in order and answers in quotations, or honestly that there are none. */
  recall: read(
    RECALL,
    () => import("./verbs/recall.js"),
    ({ recall }, at, options, question: string) => {
      checkGiven("recall", { question }, { question: text });
      return recall(at, question, options);
    },
  ),

  /** What a sentence that was said, or a memory, rests on; what came of it; and the commands that set it right. */
  why: read(
    THEN,
    () => import("./verbs/why.js"),
    ({ why }, at, _options, said: string) => why(at, said),
  ),

  /** A block for a prompt: what is always shown, or what bears on a query; framed as data, within a budget of tokens. */
  promptContext: read(
    CONTEXT,
    () => import("./verbs/context.js"),
    ({ context }, at, options) => context(at, options),
  ),

  /** What a new session should know: who it is, where the work stands, what was learnt last, what is open. */
  wakeUp: read(
    WAKE_UP,
    () => import("./verbs/wake-up.js"),
    ({ wakeUp }, at, options) => wakeUp(at, options),
  ),

  /** L4: documented ways to do a task, best first, from the folders of `$PAL_PLAYBOOKS` or those given. */
  playbooks: ask(
    PLAYBOOKS,
    () => import("./verbs/playbooks.js"),
    ({ playbooks }, _context, options, task: string) => {
      checkGiven("playbooks", { task }, { task: text });
      return playbooks(task, options);
    },
  ),
};
