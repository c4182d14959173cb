import { spawn } from "node:child_process";
import { join } from "node:path";

export const TORTURE = process.env.PAL_TORTURE === "1";
export const SEED = Number(process.env.PAL_SEED ?? 1);
/** Processes take their time on a busy machine; only a hang should end a test. */
export const PATIENCE = { timeout: TORTURE ? 7_200_000 : 600_000 };
export const ROOT = join(import.meta.dirname, "..");

/** Figures that a person should see; nothing depends on them. */
export const tell = (text: string): void => void process.stdout.write(`  ${text}\n`);

export interface Ended {
  readonly out: string;
  readonly err: string;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Runs a script of ours to its end, however it ends. */
export function run(script: string, args: readonly unknown[], input = ""): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(ROOT, script), ...args.map(String)]);
    let [out, err] = ["", ""];
    child.stdout.on("data", (data) => {
      out += data;
    });
    child.stderr.on("data", (data) => {
      err += data;
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    child.on("close", (code, signal) => resolve({ out, err, code, signal }));
  });
}

/** The whole lines that were printed, each a JSON value; a killed process may leave half of one. */
export const rowsOf = <T>({ out }: Ended): T[] =>
  out
    .split("\n")
    .slice(0, -1)
    .map((row) => JSON.parse(row) as T);

export const percentile = (values: readonly number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;
