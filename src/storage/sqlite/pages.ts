import { closeSync, fstatSync, readSync } from "node:fs";
import { openPlainSync } from "../plain-file.js";

/** A database of SQLite read page by page, without SQLite: nothing of its structure need be whole. */
export class Pages {
  readonly #file: number;
  readonly #log: number | undefined;
  /** The last copy of a page in the log, by number. */
  readonly #newer = new Map<number, number>();
  readonly size: number;
  readonly count: number;

  constructor(file: string) {
    this.#file = openPlainSync(file);
    const bytes = fstatSync(this.#file).size;
    this.size = 4096;
    this.#log = openIfThere(`${file}-wal`);
    this.#readLog();
    this.count = Math.max(Math.ceil(bytes / this.size), ...this.#newer.keys());
  }

  /** Pages count from 1; what lies beyond the end is zeros. */
  page(number: number): Buffer {
    const inLog = this.#newer.get(number);
    if (inLog !== undefined) return this.#read(this.#log as number, inLog);
    return this.filePage(number);
  }

  /** As it lies in the file, whatever the log says. */
  filePage(number: number): Buffer {
    return this.#read(this.#file, (number - 1) * this.size);
  }

  isInLog(number: number): boolean {
    return this.#newer.has(number);
  }

  close(): void {
    closeSync(this.#file);
    if (this.#log !== undefined) closeSync(this.#log);
  }

  #read(file: number, at: number): Buffer {
    const page = Buffer.alloc(this.size);
    readSync(file, page, 0, this.size, at);
    return page;
  }

  /** Frames of a header and a page; those of an earlier round have another salt. */
  #readLog(): void {
    if (this.#log === undefined) return;
    const header = Buffer.alloc(32);
    readSync(this.#log, header, 0, 32, 0);
    const frame = Buffer.alloc(24);
    for (let at = 32; at + 24 + this.size <= fstatSync(this.#log).size; at += 24 + this.size) {
      readSync(this.#log, frame, 0, 24, at);
      const number = frame.readUInt32BE(0);
      if (frame.compare(header, 16, 24, 8, 16) === 0 && number > 0 && number < 2 ** 31)
        this.#newer.set(number, at + 24);
    }
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openPlainSync(path);
  } catch {
    return undefined;
  }
}
