import type { Hash, Timestamp } from "../base/index.js";
import type { Tip } from "../ledger/index.js";
import type { Context } from "./context.js";
import type { Draft } from "./draft.js";
import type { Reader } from "./reader.js";
import type { WriteOptions } from "./session.js";

/** What a use case of its own file asks of the session it belongs to. */
export interface Desk {
  readonly context: Context;
  readonly reader: Reader;
  /** A long write as one commit: it runs beside the queue, and again in it only if the head moved meanwhile. */
  write<T>(
    verb: string,
    options: WriteOptions,
    run: (draft: Draft) => Promise<T>,
  ): Promise<{ readonly value: T; readonly commit: Hash | undefined }>;
  read<T>(run: (tip: Tip, now: Timestamp) => Promise<T>): Promise<T>;
}
