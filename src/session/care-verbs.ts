import { VaultVerbs } from "./vault-verbs.js";
import type { EraseOptions, EraseReport } from "./verbs/erase.js";

/** The verb that takes bytes away. */
export class CareVerbs extends VaultVerbs {
  /**
   * Erases memories: every version, on every branch, what was said of the commits that touched them, vectors, images and
   * notes. Needs a session of a user or an operator. The report ends with a search of all bytes of the store.
   */
  erase(target: string | EraseOptions, options: Omit<EraseOptions, "ids"> = {}): Promise<EraseReport> {
    const wanted = typeof target === "string" ? { ...options, ids: [target] } : { ...options, ...target };
    return this.open(async () => {
      const { erase } = await import("./verbs/erase.js");
      return erase(this.engine, this.context, this.info("erase", {}), wanted);
    });
  }
}
