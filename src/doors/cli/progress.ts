import type { Output } from "./io.js";
import { line } from "./line.js";

export interface Progress {
  /** `fraction` is undefined when nobody knows how much there is. */
  show(done: number, fraction?: number): void;
  clear(): Promise<void>;
}

const WIDTH = 24;
const EVERY_MS = 80;

/** A bar that somebody looks at, or nothing. */
export function progressBar(output: Output, quiet: boolean, label: string): Progress {
  if (quiet || !output.isTTY) return { show() {}, async clear() {} };
  let last = 0;
  let shown = false;
  return {
    show(done, fraction) {
      const now = Date.now();
      if (now - last < EVERY_MS) return;
      last = now;
      shown = true;
      void output.write(`\r${barText(label, done, fraction)}\u001b[K`);
    },
    async clear() {
      if (shown) await output.write("\r\u001b[K");
    },
  };
}

export function barText(label: string, done: number, fraction: number | undefined): string {
  const count = done.toLocaleString("en-US");
  if (fraction === undefined || !Number.isFinite(fraction)) return line`${label}  ${count}`.text;
  const part = Math.min(1, Math.max(0, fraction));
  const full = Math.round(part * WIDTH);
  return line`${label}  ${"━".repeat(full)}${"─".repeat(WIDTH - full)} ${`${Math.floor(part * 100)}%`.padStart(4)}  ${count}`
    .text;
}
