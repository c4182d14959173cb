import type { Hash } from "../core/base/index.js";
import type { Ref, Storage } from "../storage/index.js";

/** One ref that moved, by whichever process. */
export interface Change {
  /** Its whole name, such as `heads/main` or `tags/v1`. */
  readonly ref: string;
  /** The branch, when the ref is one's head. */
  readonly branch?: string;
  /** Where it points now; absent when it was deleted. */
  readonly commit?: Hash;
  /** Where it pointed when we last looked: several commits may lie between. */
  readonly before?: Hash;
}

const HEADS = "heads/";

/** Tells listeners which refs moved. Looks only when the storage says that something happened. */
export class Watch {
  readonly #storage: Storage;
  readonly #listeners = new Set<(change: Change) => void>();
  #known: ReadonlyMap<string, Ref> | undefined;
  #looking: Promise<void> | undefined;
  #again = false;
  #end: (() => void) | undefined;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  on(listener: (change: Change) => void): () => void {
    const own = (change: Change) => listener(change);
    if (this.#listeners.size === 0) {
      // The first look is where changes are counted from.
      this.#look();
      this.#end = this.#storage.watch(() => this.#look());
    }
    this.#listeners.add(own);
    return () => {
      if (this.#listeners.delete(own) && this.#listeners.size === 0) this.end();
    };
  }

  end(): void {
    this.#end?.();
    this.#listeners.clear();
    this.#known = undefined;
  }

  #look(): void {
    if (this.#looking) this.#again = true;
    else
      this.#looking = this.#readRefs().finally(() => {
        this.#looking = undefined;
        if (!this.#again) return;
        this.#again = false;
        this.#look();
      });
  }

  async #readRefs(): Promise<void> {
    // What could not be read now is found at the next look.
    const refs = await this.#storage.refs("").catch(() => this.#known);
    const before = this.#known ?? refs;
    if (!refs || !before || this.#listeners.size === 0) return;
    this.#known = refs;
    for (const name of new Set([...before.keys(), ...refs.keys()])) {
      const [was, is] = [before.get(name)?.target, refs.get(name)?.target];
      if (was !== is) this.#tell(change(name, was, is));
    }
  }

  #tell(change: Change): void {
    for (const listener of this.#listeners) queueMicrotask(() => listener(change));
  }
}

const change = (ref: string, before: Hash | undefined, commit: Hash | undefined): Change => ({
  ref,
  ...(ref.startsWith(HEADS) && { branch: ref.slice(HEADS.length) }),
  ...(commit && { commit }),
  ...(before && { before }),
});
