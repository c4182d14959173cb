import type { Accepted, EraseOptions, EraseReport } from "../care/index.js";
import { parseId } from "../core/base/index.js";
import type { WriteOptions } from "../repo/index.js";
import { checkOptions, flag, listOf, optional, readOnce, shape, text, texts } from "../repo/index.js";
import type { AcceptOptions } from "../review/index.js";
import { ERASE } from "../review/index.js";
import { FigureVerbs } from "./figure-verbs.js";

/** The verb that takes bytes away. */
export class CareVerbs extends FigureVerbs {
  /**
   * Erases memories: every version, on every branch, what was said of the commits that touched them, vectors, images and
   * notes. The report ends with a search of all bytes of the store. A session of less trust than a user's only asks for
   * it: the request waits in review, and whoever accepts it erases.
   */
  async erase(target: string | EraseOptions, options: Omit<EraseOptions, "ids"> = {}): Promise<EraseReport> {
    if (typeof target !== "string" && (typeof target !== "object" || target === null)) parseId(target);
    const told = typeof target === "string" ? { ids: [target] } : readOnce(target);
    const wanted = { ...readOnce(options), ...told };
    checkOptions<EraseOptions>("erase", wanted, {
      ids: texts,
      memories: listOf(shape({ id: text, scope: optional(text) }), "memories by id and scope"),
      containing: text,
      scope: text,
      derived: flag,
      dryRun: flag,
    });
    return this.open(async () => {
      const { eraseRequest, mayErase } = await import("../care/verbs/erase-request.js");
      if (mayErase(this.context)) return this.#erase(wanted);
      const plan = await this.#erase(
        { ...wanted, dryRun: true },
        {
          isRequest: true,
          byPart: wanted.dryRun === true,
        },
      );
      if (wanted.dryRun || plan.records === 0) return plan;
      const { id } = await this.propose(ERASE, undefined, eraseRequest(plan, wanted));
      return { ...plan, ...(id !== undefined && { staged: id }) };
    });
  }

  async #erase(
    wanted: EraseOptions,
    how?: { readonly isRequest: boolean; readonly byPart: boolean },
  ): Promise<EraseReport> {
    const { erase } = await import("../care/verbs/erase.js");
    return erase(this.engine, this.context, await this.info("erase", {}), wanted, how);
  }

  override acceptReview(
    id: string,
    options: AcceptOptions & Omit<WriteOptions, "dryRun"> = {},
  ): Promise<Accepted> {
    return this.open(async () => {
      const { acceptErasure } = await import("../care/verbs/erase-request.js");
      const erased = await acceptErasure(this.context, this.engine, id, (wanted) => this.#erase(wanted));
      return erased ?? super.acceptReview(id, options);
    });
  }
}
