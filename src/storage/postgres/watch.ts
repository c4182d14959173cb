import type { Client } from "pg";
import type { Server } from "./server.js";
import type { Address } from "./url.js";

/** Looks for commits that the server did not announce: its message may get lost on the way. */
const SLOW_MS = 2_000;
/** As long as no word comes at all, which some poolers and engines never pass on. */
const FAST_MS = 250;
/** Commits that follow each other are announced together. */
const TELL_MS = 5;

const NOTIFY = { name: "notify", text: "SELECT pg_notify($1, '')" };

/**
 * Tells listeners when the version of the store has moved, and other processes when we moved it. That is said after the
 * commit and outside of it: inside, all commits of the database would wait for each other.
 */
export class Watcher {
  readonly #server: Server;
  readonly #channel: string;
  readonly #version: () => Promise<number>;
  readonly #listeners = new Set<() => void>();
  #announced = -1;
  #timer: NodeJS.Timeout | undefined;
  #telling: NodeJS.Timeout | undefined;
  #said: Promise<unknown> = Promise.resolve();
  #client: Promise<Client> | undefined;
  /** Did a look find what no word had come of? */
  #isDeaf = false;

  constructor(server: Server, { channel }: Address, version: () => Promise<number>) {
    this.#server = server;
    this.#channel = channel;
    this.#version = version;
  }

  add(listener: () => void): () => void {
    const own = () => listener();
    this.#listeners.add(own);
    if (this.#listeners.size === 1) this.#start();
    return () => {
      this.#listeners.delete(own);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  /** An own commit: listeners here need no detour, those elsewhere hear of it soon. */
  committed(version: number): void {
    if (this.#listeners.size > 0) this.#tell(version);
    this.#telling ??= setTimeout(() => this.#say(), TELL_MS).unref();
  }

  /** Waits for the announcement under way, so that a process that ends at once has announced its last commit. */
  async end(): Promise<void> {
    this.#listeners.clear();
    this.#stop();
    if (this.#telling) this.#say();
    await this.#said;
  }

  #say(): void {
    clearTimeout(this.#telling);
    this.#telling = undefined;
    // A word that does not get through is made up for by looking.
    this.#said = this.#server.once(NOTIFY, [this.#channel]).catch(() => undefined);
  }

  #start(): void {
    this.#listen();
    void this.#look();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = undefined;
    void client?.then((open) => open.end()).catch(() => undefined);
  }

  #listen(): void {
    const client = this.#open();
    client.catch(() => this.#lost(client));
    this.#client = client;
    void client.then((open) => open.on("end", () => this.#lost(client))).catch(() => undefined);
  }

  async #open(): Promise<Client> {
    const client = await this.#server.connect();
    client.on("notification", () => {
      this.#isDeaf = false;
      void this.#look();
    });
    await client.query(`LISTEN ${this.#channel}`);
    return client;
  }

  #lost(client: Promise<Client>): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#schedule();
  }

  /** Tells of what is new; answers whether anything was. */
  async #look(): Promise<boolean> {
    clearTimeout(this.#timer);
    // A store that cannot be read now may be so at the next look.
    const version = await this.#version().catch(() => this.#announced);
    const isNew = version !== this.#announced && this.#listeners.size > 0;
    if (isNew) this.#tell(version);
    this.#schedule();
    return isNew;
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#listeners.size === 0) return;
    const wait = this.#client && !this.#isDeaf ? SLOW_MS : FAST_MS;
    this.#timer = setTimeout(() => void this.#lookUnasked(), wait).unref();
  }

  async #lookUnasked(): Promise<void> {
    if (!this.#client) this.#listen();
    // A word that comes a moment later takes it back.
    if (await this.#look()) this.#isDeaf = true;
  }

  #tell(version: number): void {
    this.#announced = version;
    for (const listener of this.#listeners) queueMicrotask(listener);
  }
}
