import type { Readable } from "node:stream";

/** Where text goes. Nothing is written after the reader has gone away. */
export interface Output {
  readonly isTTY: boolean;
  /** Width of the terminal; undefined when it is none. */
  readonly columns: number | undefined;
  write(text: string): Promise<void>;
}

/** Everything the command line touches beside the store, so that tests and the tour can run it in-process. */
export interface Io {
  readonly stdin: { readonly isTTY: boolean; open(): Readable };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Name of the user of the operating system. */
  user(): string;
  /** Calls `handler` at the first interrupt (Ctrl-C); a second one ends the process. Returns the way to stop listening. */
  onInterrupt(handler: () => void): () => void;
}
