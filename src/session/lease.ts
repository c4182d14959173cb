import type { Storage } from "../storage/index.js";

/** A note that says who does something for all processes, and until when if nothing more is heard. */
export class Lease {
  readonly #storage: Storage;
  readonly #key: string;
  readonly #owner: string;
  readonly #lengthMs: number;
  #until = 0;

  constructor(storage: Storage, key: string, owner: string, lengthMs: number) {
    this.#storage = storage;
    this.#key = key;
    this.#owner = owner;
    this.#lengthMs = lengthMs;
  }

  /** Takes or renews it, which is written only now and then; false when another has it. */
  async take(now = Date.now()): Promise<boolean> {
    if (this.#until - now > this.#lengthMs / 2) return true;
    const said = await this.#storage.side(this.#key);
    const [owner, until] = said?.split(" ") ?? [];
    if (owner !== this.#owner && Number(until) > now && Number(until) <= now + 2 * this.#lengthMs)
      return false;
    this.#until = now + this.#lengthMs;
    const isSet = await this.#storage.setSide(this.#key, `${this.#owner} ${this.#until}`, said ?? null);
    if (!isSet) this.#until = 0;
    return isSet;
  }

  /** Gives it back, so that others need not wait for its end. */
  async release(): Promise<void> {
    if (this.#until === 0) return;
    const said = `${this.#owner} ${this.#until}`;
    this.#until = 0;
    await this.#storage.setSide(this.#key, null, said);
  }
}
