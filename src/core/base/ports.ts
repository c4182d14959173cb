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

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** `mem-` + UUIDv7, increasing within one generator even when the clock stands still or goes back. */
export function idGenerator(clock: Clock, random: Random): () => MemoryId {
  let last = 0;
  let counter = 0;
  return () => {
    const bytes = random(10);
    const now = Math.min(Math.floor(clock()), MAX_TIME);
    if (now > last) {
      last = now;
      counter = ((bytes[0]! & 0x07) << 8) | bytes[1]!;
    } else if (++counter > 0xfff) {
      last++;
      counter = 0;
    }
    // By a table: every memory has one, and the ways of the language to write digits cost ten times as much.
    const high = Math.floor(last / 2 ** 24);
    const low = last % 2 ** 24;
    let id = `mem-${HEX[high >> 16]}${HEX[(high >> 8) & 255]}${HEX[high & 255]}${HEX[low >> 16]}`;
    id += `-${HEX[(low >> 8) & 255]}${HEX[low & 255]}-${HEX[0x70 | (counter >> 8)]}${HEX[counter & 255]}`;
    id += `-${HEX[(bytes[2]! & 0x3f) | 0x80]}${HEX[bytes[3]!]}-`;
    for (let at = 4; at < 10; at++) id += HEX[bytes[at]!];
    return id as MemoryId;
  };
}
