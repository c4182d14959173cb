/** One history of reads and swaps of refs by four processes, some of them killed, on any storage. */
import { expect } from "vitest";
import type { Storage } from "../src/index.js";
import { notLinearizable, type RefCall } from "./_linear.js";
import { rowsOf, run } from "./_processes.js";

export async function expectLinearizable(
  location: string,
  open: (location: string) => Storage,
  round: number,
  random: () => number,
): Promise<{ readonly swaps: number; readonly unknown: number }> {
  const ended = await Promise.all(
    Array.from({ length: 4 }, (_, at) => {
      const killAt = random() < 0.4 ? 1 + Math.floor(random() * 30) : 0;
      const when = random() < 0.5 ? "before" : "after";
      const seed = Math.floor(random() * 2 ** 30);
      return run("test/_swapper.mjs", [location, `r${round}p${at}`, 50, killAt, when, seed]);
    }),
  );
  for (const { code, signal, err } of ended) expect(code === 0 || signal === "SIGKILL", err).toBe(true);
  const storage = open(location);
  const rows = ended.flatMap((each) => rowsOf<RefCall & { ref: string; end: number | null }>(each));
  const answered = new Set(rows.filter(({ kind, end }) => kind === "swap" && end).map(({ value }) => value));
  let [swaps, unknown] = [0, 0];
  for (const ref of ["heads/a", "heads/b"]) {
    const calls = rows
      .filter((row) => row.ref === ref && (row.end !== null || !answered.has(row.value)))
      .map((row) => ({ ...row, end: row.end ?? Number.POSITIVE_INFINITY }));
    const last = (await storage.ref(ref))?.target ?? null;
    expect(notLinearizable(calls, last), `history ${round} of ${ref}`).toBeUndefined();
    swaps += calls.filter(({ kind, result }) => kind === "swap" && result === "ok").length;
    unknown += calls.filter(({ result }) => result === "unknown").length;
  }
  await storage.close();
  return { swaps, unknown };
}
