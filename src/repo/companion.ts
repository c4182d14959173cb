import type { MemoryInput, Verdict } from "../gate/index.js";

/** What was asked to be remembered. */
export type WrittenItem = string | Pick<MemoryInput, "attributes">;

/** Work that goes along with an open store and that the engine itself knows nothing of, such as its vectors. */
export interface Companion {
  /** Memories were written here, and their writer is not answered yet. */
  written?(items: readonly WrittenItem[], verdicts: readonly Verdict[]): Promise<void> | undefined;
  /** Something was committed here. */
  committed?(): void;
  /** Something was erased, here or elsewhere: what was kept of it has to go. */
  erased?(): void;
  close(): Promise<void>;
}

/** What writes leave to be done, from rooms that the engine does not know. */
export interface Chores {
  /** Removes notes that have expired. */
  sweep(now: number): Promise<void>;
  /** Drops derived nodes that no kept state needs. */
  thin(): Promise<void>;
}
