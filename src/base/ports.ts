import { randomFillSync } from "node:crypto";
import { uptime } from "node:os";
import type { MemoryId } from "./names.js";

/** Milliseconds since 1970, UTC. */
export type Clock = () => number;
/** Fresh random bytes. */
export type Random = (count: number) => Uint8Array;

export const systemClock: Clock = () => Date.now();

/** When the system started, by its clock now: two answers differ by what the clock was set in between. */
export const bootTime: Clock = () => Date.now() - uptime() * 1000;

/** Draws from a pool, because one system call per id would dominate a bulk write. */
export function systemRandom(): Random {
  const pool = Buffer.allocUnsafe(4096);
  let at = pool.length;
  return (count) => {
    if (count > pool.length) return randomFillSync(new Uint8Array(count));
    if (at + count > pool.length) {
      randomFillSync(pool);
      at = 0;
    }
    at += count;
    return Uint8Array.prototype.slice.call(pool, at - count, at);
  };
}

/** UUIDv7 has 48 bits for the time: until the year 10889. */
const MAX_TIME = 2 ** 48 - 1;

/** `mem-` + UUIDv7, increasing within one generator even when the clock stands still or goes back. */
export function idGenerator(clock: Clock, random: Random): () => MemoryId {
  let last = 0;
  let counter = 0;
  return () => {
    // A copy: the bytes belong to whoever made them, and the variant bits are set below.
    const bytes = Buffer.from(random(10));
    const now = Math.min(Math.floor(clock()), MAX_TIME);
    if (now > last) {
      last = now;
      counter = ((bytes[0]! & 0x07) << 8) | bytes[1]!;
    } else if (++counter > 0xfff) {
      last++;
      counter = 0;
    }
    bytes[2] = (bytes[2]! & 0x3f) | 0x80;
    const time = last.toString(16).padStart(12, "0");
    const group = (0x7000 | counter).toString(16);
    const rest = bytes.toString("hex", 2);
    return `mem-${time.slice(0, 8)}-${time.slice(8)}-${group}-${rest.slice(0, 4)}-${rest.slice(4)}` as MemoryId;
  };
}
