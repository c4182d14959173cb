import type { Lifetime, Tier, Triple, Trust } from "../core/ledger/index.js";
import { fold, isSingleValued, likeness, type Rules, read, relationOf, tellsItsOwn } from "../gate/index.js";
import { FADED, importance } from "./importance.js";

/** A belief as consolidation looks at it. */
export interface Belief {
  readonly id: string;
  readonly scope: string;
  readonly text: string;
  readonly hash: string;
  readonly triple?: Triple | undefined;
  readonly tier?: Tier | undefined;
  readonly topic?: string | undefined;
  readonly category?: string | undefined;
  readonly lifetime: Lifetime;
  readonly confidence: number;
  readonly trust: Trust;
  readonly updatedAt: string;
  readonly validTo?: string | undefined;
  readonly pinned: boolean;
  readonly derivedFrom: readonly string[];
}

export type FindingKind =
  | "duplicate"
  | "contradiction"
  | "low-confidence"
  | "outdated"
  | "session-fact"
  | "cluster"
  | "persona"
  | "contested";

/** Something worth a look, with what is proposed about it. */
export interface Finding {
  readonly kind: FindingKind;
  /** The one that would change comes first. */
  readonly ids: readonly string[];
  readonly scope: string;
  readonly text: string;
  readonly why: string;
  readonly proposes: "forget" | "keep" | "summarise" | "decide";
  readonly similarity?: number;
}

export interface Pair {
  readonly scope: string;
  readonly ids: readonly [string, string];
  readonly similarity: number;
}

const DAY = 86_400_000;
const DOUBTFUL = 0.2;
const FAINT = 0.3;
const FAINT_AFTER = 90 * DAY;
const WORTH_KEEPING = 0.8;
/** So many beliefs about one thing are worth a summary. */
const CLUSTER = 8;

/** Of two that say the same the more lasting stays, then the surer, then the newer. */
const STANDING: readonly ((belief: Belief) => number | string)[] = [
  ({ lifetime }) => Number(lifetime === "permanent"),
  ({ tier }) => Number(tier === "canon"),
  ({ topic }) => Number(topic !== undefined),
  ({ confidence }) => confidence,
  ({ updatedAt }) => updatedAt,
];
export function isStronger(one: Belief, other: Belief): boolean {
  const telling = STANDING.find((rank) => rank(one) !== rank(other));
  return telling === undefined || telling(one) > telling(other);
}

/** Pairs that say the same, or cannot both hold. Each belief is proposed to go only once. */
export function pairFindings(beliefs: readonly Belief[], pairs: readonly Pair[], rules: Rules): Finding[] {
  const known = new Map(beliefs.map((belief) => [keyOf(belief), belief]));
  const gone = new Set<Belief>();
  const found: Finding[] = [];
  for (const { scope, ids, similarity } of [...pairs, ...slotPairs(beliefs, rules)]) {
    const [one, other] = ids.map((id) => known.get(keyOf({ scope, id })));
    if (!one || !other || gone.has(one) || gone.has(other)) continue;
    const keep = isStronger(one, other) ? one : other;
    const drop = keep === one ? other : one;
    const [old, fresh] = one.updatedAt <= other.updatedAt ? [one, other] : [other, one];
    if (likeness(read(one.text), read(other.text), rules) !== undefined && !isPinned(drop)) {
      gone.add(drop);
      // What tells a word of its own may be another belief: somebody looks at each of these by itself.
      const isOther = tellsItsOwn(read(keep.text), read(drop.text));
      const why = `The memory ${keep.id} already says nearly this.`;
      found.push({
        kind: "duplicate",
        ids: [drop.id, keep.id],
        scope,
        text: drop.text,
        why,
        proposes: isOther ? "decide" : "forget",
        similarity,
      });
    } else if (isAgainst(old, fresh, rules)) {
      gone.add(old);
      const why = `It cannot hold together with the newer memory ${fresh.id}: ${fresh.text}`;
      found.push({
        kind: "contradiction",
        ids: [old.id, fresh.id],
        scope,
        text: old.text,
        why,
        proposes: "decide",
      });
    }
  }
  return found;
}

const keyOf = ({ scope, id }: Pick<Belief, "scope" | "id">): string => JSON.stringify([scope, id]);
const isPinned = ({ pinned }: Belief): boolean => pinned;

function isAgainst(old: Belief, fresh: Belief, rules: Rules): boolean {
  const [a, b] = [old.triple, fresh.triple];
  if (a && b && fold(a.subject) === fold(b.subject) && fold(a.predicate) === fold(b.predicate))
    return isSingleValued(a.predicate, rules) && fold(a.object) !== fold(b.object);
  return relationOf(read(old.text), read(fresh.text)) !== "free";
}

/** Beliefs of one scope that fill the same slot. */
function slotPairs(beliefs: readonly Belief[], rules: Rules): Pair[] {
  const slots = new Map<string, Belief[]>();
  for (const belief of beliefs) {
    const { triple, scope } = belief;
    if (!triple || !isSingleValued(triple.predicate, rules)) continue;
    const key = JSON.stringify([scope, fold(triple.subject), fold(triple.predicate)]);
    slots.set(key, [...(slots.get(key) ?? []), belief]);
  }
  return [...slots.values()].flatMap((held) =>
    held.slice(1).map((one): Pair => ({ scope: one.scope, ids: [held[0]!.id, one.id], similarity: 0 })),
  );
}

/** What single beliefs show. `uses` is asked only of those that would fade. */
export async function singleFindings(
  beliefs: readonly Belief[],
  now: number,
  uses: (belief: Belief) => Promise<{ readonly count: number; readonly last?: string }>,
): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const belief of beliefs) {
    const { id, scope, text, confidence, lifetime, pinned, validTo } = belief;
    const age = now - Date.parse(belief.updatedAt);
    const about = { ids: [id], scope, text };
    if (pinned) continue;
    if (lifetime === "session" && confidence >= WORTH_KEEPING)
      found.push({
        kind: "session-fact",
        ...about,
        why: "It ends with its session, and is sure enough to keep.",
        proposes: "keep",
      });
    else if (validTo !== undefined && Date.parse(validTo) < now)
      found.push({
        kind: "outdated",
        ...about,
        why: `It was said to hold until ${validTo.slice(0, 10)}.`,
        proposes: "forget",
      });
    else if (confidence < DOUBTFUL || (confidence < FAINT && age > FAINT_AFTER))
      found.push({
        kind: "low-confidence",
        ...about,
        why: `It is held with a confidence of only ${confidence}.`,
        proposes: "forget",
      });
    else if (importance({ confidence, uses: 0, age, lifetime, pinned }) < FADED) {
      const { count, last } = await uses(belief);
      const since = last === undefined ? age : Math.min(age, now - Date.parse(last));
      const weight = importance({ confidence, uses: count, age: since, lifetime, pinned });
      if (weight < FADED)
        found.push({
          kind: "outdated",
          ...about,
          why: `It has faded: importance ${weight}.`,
          proposes: "forget",
        });
    }
  }
  return found;
}

/** Many beliefs about one thing that nothing sums up yet. */
export function clusterFindings(beliefs: readonly Belief[]): Finding[] {
  const summed = new Set(beliefs.flatMap(({ derivedFrom }) => derivedFrom));
  const clusters = new Map<string, Belief[]>();
  for (const belief of beliefs) {
    const about = belief.category ?? belief.triple?.subject;
    if (about === undefined || summed.has(belief.hash) || belief.derivedFrom.length > 0) continue;
    const key = JSON.stringify([belief.scope, fold(about)]);
    clusters.set(key, [...(clusters.get(key) ?? []), belief]);
  }
  return [...clusters.values()]
    .filter((members) => members.length >= CLUSTER)
    .map((members) => ({
      kind: "cluster" as const,
      ids: members.map(({ id }) => id),
      scope: members[0]!.scope,
      text: members[0]!.category ?? members[0]!.triple!.subject,
      why: `${members.length} beliefs are about this, and nothing sums them up.`,
      proposes: "summarise" as const,
    }));
}
