import { type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";

/** Finds out where the system's word does not come: network file systems, too many watches, no directory yet. */
const SLOW_MS = 2_000;
/** One commit is several events. */
const SETTLE_MS = 2;

/**
 * Tells listeners when the version of the store has moved. The directory is watched and never the file: some systems
 * watch a file by opening it, and closing that would drop SQLite's locks.
 */
export class Watcher {
  readonly #file: string;
  readonly #version: () => Promise<number>;
  readonly #listeners = new Set<() => void>();
  #told = -1;
  #slow: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;
  #system: FSWatcher | undefined;

  constructor(file: string, version: () => Promise<number>) {
    this.#file = file;
    this.#version = version;
  }

  add(listener: () => void): () => void {
    const own = () => listener();
    this.#listeners.add(own);
    if (!this.#slow) this.#start();
    return () => {
      this.#listeners.delete(own);
      if (this.#listeners.size === 0) this.end();
    };
  }

  /** An own commit needs no detour through the file system. */
  committed(version: number): void {
    if (this.#listeners.size > 0) this.#tell(version);
  }

  end(): void {
    this.#listeners.clear();
    clearInterval(this.#slow);
    clearTimeout(this.#soon);
    this.#system?.close();
    this.#slow = this.#soon = this.#system = undefined;
  }

  #start(): void {
    this.#slow = setInterval(() => {
      this.#followSystem();
      void this.#look();
    }, SLOW_MS).unref();
    this.#followSystem();
    void this.#look();
  }

  #followSystem(): void {
    if (this.#system) return;
    try {
      const system = watch(dirname(this.#file), { persistent: false }, (_, name) => {
        if (name === null || name.startsWith(basename(this.#file)))
          this.#soon ??= setTimeout(() => void this.#look(), SETTLE_MS).unref();
      });
      system.on("error", () => {
        system.close();
        if (this.#system === system) this.#system = undefined;
      });
      this.#system = system;
    } catch {
      // The slow look goes on, and tries this again.
    }
  }

  async #look(): Promise<void> {
    this.#soon = undefined;
    // A store that cannot be read now may be so at the next look.
    const version = await this.#version().catch(() => this.#told);
    if (version !== this.#told) this.#tell(version);
  }

  #tell(version: number): void {
    this.#told = version;
    for (const listener of this.#listeners) queueMicrotask(listener);
  }
}
