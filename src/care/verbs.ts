import { parseId } from "../core/base/index.js";
import { importVerb } from "../documents/index.js";
import { type Access, ask, checkOptions, Late, readOnce, verb } from "../repo/index.js";
import { ERASE as ERASURE, reviewVerbs } from "../review/index.js";
import { ERASE, type EraseOptions, HEALTH } from "./options.js";
import type { EraseReport } from "./verbs/erase.js";
import type { Accepted } from "./verbs/erase-request.js";

const erasing = new Late(() => import("./verbs/erase.js"));
const requests = new Late(() => import("./verbs/erase-request.js"));

/** How a session takes bytes away, and how its store is. */
export const careVerbs = {
  /**
   * Erases memories: every version, on every branch, what was said of the commits that touched them, vectors, images and
   * notes. The report ends with a search of all bytes of the store. A session of less trust than a user's only asks for
   * it: the request waits in review, and who accepts it erases.
   */
  erase: verb("erases", ERASE, (access, name) => {
    return async (
      target: string | EraseOptions,
      options: Omit<EraseOptions, "ids"> = {},
    ): Promise<EraseReport> => {
      if (typeof target !== "string" && (typeof target !== "object" || target === null)) parseId(target);
      const named = typeof target === "string" ? { ids: [target] } : readOnce(target);
      const wanted: EraseOptions = { ...readOnce(options), ...named };
      checkOptions(name, wanted, ERASE);
      return access.open(async (context) => {
        const [{ erase }, { eraseRequest, mayErase }] = await Promise.all([erasing.load(), requests.load()]);
        if (mayErase(context)) return erase(context, wanted);
        const byPart = wanted.dryRun === true;
        const plan = await erase(context, { ...wanted, dryRun: true }, { isRequest: true, byPart });
        if (wanted.dryRun || plan.records === 0) return plan;
        const { proposeByRules } = await import("../review/verbs/propose.js");
        const { id } = await proposeByRules(context, ERASURE, undefined, eraseRequest(plan, wanted));
        return { ...plan, ...(id !== undefined && { staged: id }) };
      });
    };
  }),

  /** Takes what waits into the branch, in the name and with the trust of this session; all of it, or `only` some. */
  acceptReview: verb("erases", reviewVerbs.acceptReview.options, (access: Access, name) => {
    const accept = reviewVerbs.acceptReview.bind(access, name);
    return async (...given: Parameters<typeof accept>): Promise<Accepted> => {
      const erased = await access.open(async (context) => {
        const [{ erase }, { acceptErasure }] = await Promise.all([erasing.load(), requests.load()]);
        return acceptErasure(context, given[0], (wanted) => erase(context, wanted));
      });
      return erased ?? accept(...given);
    };
  }),

  /** Reads an export, or the memories of another system, through the gate. Read twice, a file changes nothing. */
  import: importVerb(() => import("./verbs/fill-store.js")),

  /** How the store is: can it be read and written, and what stands in the way? */
  health: ask(
    HEALTH,
    () => import("./health.js"),
    ({ checkHealth }, { engine }, options) => checkHealth(engine.storage, engine, options),
  ),
};
