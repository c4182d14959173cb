import type { Storage } from "../storage/index.js";

export interface VerifyOptions {
  /** A root, scope root or commit kept from earlier: it must still be in the history. */
  readonly since?: string;
  readonly onProgress?: (done: number, total: number | undefined) => void;
}

export interface VerifyProblem {
  readonly problem: string;
  readonly severity: "error" | "warning";
  readonly object: string;
}

export interface VerifyReport {
  readonly ok: boolean;
  readonly root: string;
  readonly objects: number;
  readonly commits: number;
  readonly memories: number;
  readonly problems: readonly VerifyProblem[];
}

export async function verifyStore(_storage: Storage, _options: VerifyOptions): Promise<VerifyReport> {
  throw new Error("to be written");
}
