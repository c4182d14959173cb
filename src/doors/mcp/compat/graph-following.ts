import type { Store } from "../../../session/index.js";
import type { Following } from "../serving.js";

/** Tells a client that follows the graph when its branch moved, by whichever process. */
export class GraphFollowing implements Following {
  readonly #store: Store;
  readonly #uri: string;
  readonly #branch: () => string;
  #end: (() => void) | undefined;
  updated: (uri: string) => void = () => undefined;
  listed: () => void = () => undefined;

  constructor(store: Store, uri: string, branch: () => string) {
    this.#store = store;
    this.#uri = uri;
    this.#branch = branch;
  }

  async follow(uri: string): Promise<void> {
    if (uri !== this.#uri) return;
    this.#end ??= this.#store.on("change", ({ branch }) => {
      if (branch === this.#branch()) this.updated(this.#uri);
    });
  }

  unfollow(uri: string): void {
    if (uri === this.#uri) this.end();
  }

  end(): void {
    this.#end?.();
    this.#end = undefined;
  }
}
