import type { StorageProblem } from "../port.js";

export const error = (problem: string, object: string): StorageProblem => ({
  problem,
  severity: "error",
  object,
});
export const warning = (problem: string, object: string): StorageProblem => ({
  problem,
  severity: "warning",
  object,
});

/** A part of a check that fails is itself a finding, and the other parts still run. */
export function attempt(problem: string, find: () => StorageProblem[]): StorageProblem[] {
  try {
    return find();
  } catch (cause) {
    return [failure(problem, cause)];
  }
}

export const failure = (problem: string, cause: unknown): StorageProblem =>
  error(problem, cause instanceof Error ? cause.message : String(cause));
