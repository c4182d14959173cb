import type { Session, Store } from "../../session/index.js";
import type { Following } from "./serving.js";
import { readUri } from "./uris.js";

/** More than a client has open; what asks for more is not served rather than allowed to fill the memory. */
const MOST = 1_024;

/**
 * Tells which resources changed, of those somebody asked to follow. It looks at nothing before the first is followed, and
 * a memory counts as changed only when the session sees another version of it, a branch when it sees another commit.
 */
export class Watching implements Following {
  readonly #store: Store;
  readonly #session: Session;
  readonly #followed = new Map<string, string | undefined>();
  #end: (() => void) | undefined;
  #last: Promise<void> = Promise.resolve();
  /** Where the news goes. */
  updated: (uri: string) => void = () => undefined;
  listed: () => void = () => undefined;

  constructor(store: Store, session: Session) {
    this.#store = store;
    this.#session = session;
  }

  async follow(uri: string): Promise<void> {
    if (!readUri(uri) || this.#followed.size >= MOST) return;
    this.#end ??= this.#store.on("change", ({ branch, before, commit }) => {
      if (branch === undefined) return;
      if (before === undefined || commit === undefined) this.listed();
      this.#last = this.#last.then(() => this.#look(branch)).catch(() => undefined);
    });
    this.#followed.set(uri, await this.#versionOf(uri));
  }

  unfollow(uri: string): void {
    this.#followed.delete(uri);
  }

  end(): void {
    this.#end?.();
    this.#end = undefined;
    this.#followed.clear();
  }

  async #look(branch: string): Promise<void> {
    for (const [uri, known] of this.#followed) {
      const target = readUri(uri);
      if (target?.kind === "branch" && target.name !== branch) continue;
      const version = await this.#versionOf(uri);
      if (version === known || !this.#followed.has(uri)) continue;
      this.#followed.set(uri, version);
      this.updated(uri);
    }
  }

  async #versionOf(uri: string): Promise<string | undefined> {
    const target = readUri(uri);
    if (target?.kind === "memory") return (await this.#session.get(target.name).catch(() => undefined))?.hash;
    const branch = (await this.#session.branches()).find(({ name }) => name === target?.name);
    if (!branch) return undefined;
    const { head: _, ...said } = branch;
    // A head that moved out of sight is no news: what counts is the last change that the session sees.
    const [last] = await this.#session.log({ at: branch.name, limit: 1 });
    return JSON.stringify([said, last?.commit]);
  }
}

/** The resources that a request of the newer protocol subscribes to; the older has a method for it. */
export function listenedTo(message: unknown): string[] {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: unknown };
  if (method !== "subscriptions/listen") return [];
  const { notifications } = (params ?? {}) as { notifications?: { resourceSubscriptions?: unknown } };
  const uris = notifications?.resourceSubscriptions;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string") : [];
}
