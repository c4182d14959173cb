/** Work that goes along with an open store and that the engine itself knows nothing of, such as its vectors. */
export interface Companion {
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
