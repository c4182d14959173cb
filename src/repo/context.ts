import type { Timestamp } from "../core/base/index.js";
import type { Tip } from "../core/ledger/index.js";
import type { Caller } from "./caller.js";
import type { Engine } from "./engine.js";
import type { Reader } from "./read/reader.js";
import type { Draft } from "./write/draft.js";

/** What a verb knows of its session: who calls it, and the open store that it works on. */
export interface Context extends Caller {
  readonly engine: Engine;
}

/** A commit, and who looks at it. */
export interface AtTip {
  readonly context: Context;
  readonly reader: Reader;
  readonly tip: Tip;
}

/** What a read stands on: who asks, a commit, and the time that is "now" there. */
export interface At extends AtTip {
  readonly now: Timestamp;
}

/** What a write stands on: who writes, and the draft that its commit is made of. */
export interface Job {
  readonly context: Context;
  readonly draft: Draft;
}
