import type { MemoryRecord, Sensitivity, Trust } from "./types.js";

/** What kind of thing a memory is, fixed by its type: what is believed, what was written, what was said. */
export type Lane = "belief" | "document" | "message";

const BELIEFS = new Set(["fact", "identity", "observation"]);
const MESSAGES = new Set(["message", "step"]);

export const laneOf = (type: string): Lane =>
  BELIEFS.has(type) ? "belief" : MESSAGES.has(type) ? "message" : "document";

const TRUST: readonly Trust[] = ["external", "agent", "user", "operator"];
const SENSITIVITY: readonly Sensitivity[] = ["normal", "private", "confidential"];

export const trustRank = (trust: Trust): number => TRUST.indexOf(trust);
export const isTrust = (value: unknown): value is Trust => TRUST.includes(value as Trust);
export const weakest = (...levels: readonly Trust[]): Trust =>
  levels.reduce((a, b) => (trustRank(a) <= trustRank(b) ? a : b));

export const sensitivityOf = (record: MemoryRecord): Sensitivity => record.sensitivity ?? "normal";
export const isSensitivity = (value: unknown): value is Sensitivity =>
  SENSITIVITY.includes(value as Sensitivity);
export const mostSensitive = (a: Sensitivity, b: Sensitivity): Sensitivity =>
  SENSITIVITY.indexOf(a) >= SENSITIVITY.indexOf(b) ? a : b;
/** May a reader with this clearance see it? */
export const clears = (clearance: Sensitivity, sensitivity: Sensitivity): boolean =>
  SENSITIVITY.indexOf(sensitivity) <= SENSITIVITY.indexOf(clearance);
