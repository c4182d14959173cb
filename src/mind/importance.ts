import type { Lifetime } from "../core/ledger/index.js";

const DAY = 86_400_000;
/** After so long without a sign of it, a memory counts half as recent. */
export const HALF_LIFE: Readonly<Record<Lifetime, number>> = {
  permanent: 180 * DAY,
  temporary: 14 * DAY,
  session: DAY,
};

export interface Weighed {
  readonly confidence: number;
  /** How often it was shown and found useful. */
  readonly uses: number;
  /** Milliseconds since it was last written, observed or used. */
  readonly age: number;
  readonly lifetime: Lifetime;
  /** Canon, topic registers, and what somebody pinned. */
  readonly pinned: boolean;
}

/** From 0 to 1: how much would be missed. Nothing is removed because of it; it only orders proposals. */
export function importance({ confidence, uses, age, lifetime, pinned }: Weighed): number {
  if (pinned) return 1;
  const use = uses / (uses + 3);
  const recency = 2 ** (-Math.max(0, age) / HALF_LIFE[lifetime]);
  return Math.round((0.5 * confidence + 0.25 * use + 0.25 * recency) * 1e4) / 1e4;
}

/** Below this a memory is proposed to go. */
export const FADED = 0.25;
