import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { openPlain } from "../../session/opening.js";
import { unusable } from "./input-text.js";
import type { Io } from "./io.js";

/** A stream of bytes that can be stopped, and how far it has been read. */
export interface Source {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Undefined when nobody knows its length. */
  fraction(): number | undefined;
  stop(): void;
}

/** A file, or stdin for `-`; a file that cannot be read is found out before anything is written. */
export async function openSource(io: Io, path: string): Promise<Source> {
  if (path === "-") {
    const stdin = io.stdin.open();
    return { bytes: reading(stdin, "stdin"), fraction: () => undefined, stop: () => stdin.destroy() };
  }
  try {
    const file = await openPlain(resolve(io.cwd, path), { as: path });
    const { size } = await file.stat();
    const stream = file.createReadStream();
    const fraction = () => (size > 0 ? stream.bytesRead / size : undefined);
    return { bytes: reading(stream, path), fraction, stop: () => stream.destroy() };
  } catch (error) {
    throw unusable(path, error);
  }
}

async function* reading(stream: Readable, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* stream as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw unusable(name, error);
  }
}
