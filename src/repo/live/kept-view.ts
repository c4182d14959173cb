import type { Tip } from "../../core/ledger/index.js";
import type { View } from "../../index/index.js";

/** A view and the commit it is exact for. */
export interface Kept {
  tip: Tip;
  view: View;
  /** False when damage left something out: such a view is used, but never saved. */
  isWhole: boolean;
  /** Version of the view when it was last saved; undefined when it never was. */
  savedAt: number | undefined;
}
