import { type MemoryRecord, trustRank } from "../core/ledger/index.js";

/** What to do with two memories that cannot both hold as they stand. */
export interface Decision {
  readonly decision: "keep_old" | "use_new" | "both_valid" | "ask_user";
  readonly reason: string;
  readonly by: "rules" | "model";
  /** For both_valid: what tells them apart. */
  readonly category?: string;
  readonly since?: string;
}

export interface Side {
  readonly text: string;
  readonly trust: MemoryRecord["origin"]["trust"];
  readonly confidence: number;
  readonly isCanon: boolean;
  readonly category?: string | undefined;
  /** Does the text itself say that things changed? */
  readonly isChange?: boolean;
  readonly time?: string | undefined;
}

/** Rules first: what they leave open is for a model, and what that leaves open for a person. */
export function resolveByRules(old: Side, fresh: Side): Decision {
  const by = "rules" as const;
  if (old.isCanon && !fresh.isCanon)
    return { decision: "ask_user", by, reason: "What is there is canon; only a person replaces it." };
  if (trustRank(fresh.trust) < trustRank(old.trust))
    return { decision: "ask_user", by, reason: "The new statement comes from a weaker source." };
  if (old.category !== undefined && fresh.category !== undefined && old.category !== fresh.category)
    return {
      decision: "both_valid",
      by,
      reason: "They belong to different categories.",
      category: fresh.category,
    };
  if (fresh.isChange)
    return { decision: "use_new", by, reason: "The new statement says that things changed." };
  if (trustRank(fresh.trust) > trustRank(old.trust) && fresh.confidence >= old.confidence)
    return { decision: "use_new", by, reason: "The new statement comes from a stronger source." };
  if (old.confidence < DOUBTFUL && fresh.confidence >= SURE)
    return { decision: "use_new", by, reason: "What is there was only a guess." };
  return { decision: "ask_user", by, reason: OPEN };
}

const DOUBTFUL = 0.5;
const SURE = 0.8;
/** The one reason after which a model may be asked. */
const OPEN = "Nothing in them says which one holds.";
export const isOpen = ({ reason }: Decision): boolean => reason === OPEN;

/** The two statements as a model is shown them. */
export const conflictText = (old: Side, fresh: Side): string =>
  JSON.stringify({ old: shown(old), new: shown(fresh) }, undefined, 1);

const shown = ({ text, trust, confidence, category, time }: Side) => ({
  text,
  trust,
  confidence,
  category,
  time,
});
