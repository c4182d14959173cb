import type { Layer, Session, Store } from "../../session/index.js";
import type { Seen } from "../cli/scope-words.js";
import type { Watching } from "./watching.js";

/** What a server of one client stands on. Scopes and clearance live in the session: no call can widen them. */
export interface Door {
  readonly store: Store;
  readonly session: Session;
  readonly sight: Seen;
  readonly watching: Watching;
  readonly version: string;
  /** L3, where a repository or a forge was named. */
  readonly layers: readonly Layer[];
  /** Whether something was written that ends with the session: only then is there anything to clear away. */
  readonly wrote: { forSession: boolean };
  /** For people; never on stdout. */
  log(line: string): void;
}
