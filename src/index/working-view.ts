import type { Hash } from "../core/base/index.js";
import type { Held } from "./document.js";
import type { View } from "./view.js";

/** A fork of a view with uncommitted writes laid over it, able to take back those since the last settled point. */
export class WorkingView {
  readonly view: View;
  #undo: (() => void)[] = [];
  #added: number[] = [];

  constructor(view: View) {
    this.view = view.fork();
  }

  /** Puts a memory in the place of an earlier version; null forgets. */
  put(before: Held | undefined, after: Held | null): void {
    this.#undo.push(() => this.#replace(after ?? undefined, before ?? null));
    this.#replace(before, after);
  }

  /** What was put so far stays, and was made by a commit. */
  settle(commit: Hash): void {
    this.view.setCommit(this.#added, commit);
    this.#undo = [];
    this.#added = [];
  }

  takeBack(): void {
    for (const step of this.#undo.reverse()) step();
    this.#undo = [];
    this.#added = [];
  }

  #replace(before: Held | undefined, after: Held | null): void {
    if (before) this.view.remove(before.hash);
    if (after) this.#added.push(this.view.add(after));
  }
}
