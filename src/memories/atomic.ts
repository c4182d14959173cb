import type { Tip } from "../core/ledger/index.js";
import type { Context, Draft, Reader } from "../repo/index.js";

/** What is asked of a session by something that reads a whole structure and changes a part of it. */
export interface Atomic {
  /** Who asks; another one after a checkout. */
  readonly context: Context;
  read<T>(run: (reader: Reader, tip: Tip) => Promise<T>): Promise<T>;
  /** One commit, alone on the head that `run` sees; when that head moved meanwhile, `run` runs again on the new one. */
  write<T>(verb: string, message: string, run: (draft: Draft) => Promise<T>): Promise<T>;
}
