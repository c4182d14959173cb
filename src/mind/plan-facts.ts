import type { Hash, MemoryId, Scope } from "../core/base/index.js";
import type { MemoryRecord } from "../core/ledger/index.js";
import { fold, isSingleValued, read } from "../gate/index.js";
import { facet, nearest, Scene, select } from "../index/index.js";
import type { At, Context } from "../repo/index.js";
import { usesOf, voiceOf } from "../repo/index.js";
import type { Decision, Side } from "./conflict.js";
import type { Fact } from "./fact.js";

/** A memory a fact speaks of. */
export interface Target {
  readonly id: MemoryId;
  readonly scope: Scope;
  readonly record: MemoryRecord;
}

/** What one fact would do to memory, and why. */
export interface Step {
  readonly fact: Fact;
  readonly action: "remember" | "update" | "forget" | "observe" | "none" | "conflict";
  readonly targets: readonly Target[];
  readonly reason: string;
  readonly resolution?: Decision;
}

/** Of these a subject has one at a time too, beside what the gate knows. */
const ONE_AT_A_TIME =
  /^(?:preferred_|favou?rite_|native_|current_)|^(?:wife|husband|spouse|partner|mother|father|mom|dad|mum|from|diet|goal)$/;

/** Near memories looked at for a wish to forget that names no predicate. */
const NEAR = 20;

/** Finds what each fact speaks of. Nothing is decided here that two memories could disagree about. */
export async function planFacts(at: At, facts: readonly Fact[]): Promise<Step[]> {
  const { context } = at;
  const steps: Step[] = [];
  for (const fact of facts) {
    for (const [at, earlier] of steps.entries())
      if (isCorrected(context, earlier.fact, fact))
        steps[at] = { ...earlier, action: "none", reason: "It was corrected later in the conversation." };
    steps.push(await planFact(at, fact));
  }
  return steps;
}

/** Does a later fact of one conversation take the place of an earlier one? */
function isCorrected(context: Context, earlier: Fact, later: Fact): boolean {
  const [a, b] = [earlier.triple, later.triple];
  if (earlier.op === "forget" || later.op === "forget" || fold(a.object) === fold(b.object)) return false;
  if (fold(a.subject) !== fold(b.subject) || fold(a.predicate) !== fold(b.predicate)) return false;
  return isOneAtATime(context, later) || isOtherNumber(a.object, later);
}

const isOneAtATime = ({ rules }: Context, { triple: { predicate } }: Fact): boolean =>
  isSingleValued(predicate, rules) || ONE_AT_A_TIME.test(predicate);

const NUMBERS =
  /\d+(?:[.,]\d+)*|\b(?:an?|no|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|eine?n?|zwei|drei|vier|fünf)\b/gu;

/** "Correction: three cats" is said of the two that were told of. */
const isOtherNumber = (object: string, { op, triple }: Fact): boolean => {
  const [one, other] = [object, triple.object].map((text) => fold(text).replace(NUMBERS, "#"));
  return op === "modify" && one === other && one!.includes("#");
};

async function planFact(at: At, fact: Fact): Promise<Step> {
  const { context } = at;
  const held = await heldBy(at, fact);
  if (fact.op === "forget") {
    const targets = fact.triple.predicate === "about" ? await spokenOf(at, fact) : sameIn(held, fact, true);
    return targets.length > 0
      ? { fact, action: "forget", targets, reason: "The speaker asked for it, or it no longer holds." }
      : { fact, action: "none", targets, reason: "Nothing that is known fits." };
  }
  const same = sameIn(held, fact, false);
  if (same.length > 0) return strengthening(context, fact, same);
  const other = isOneAtATime(context, fact)
    ? held[0]
    : held.find(({ record }) => isOtherNumber(record.triple?.object ?? "", fact));
  if (other === undefined) return { fact, action: "remember", targets: [], reason: "It was not known." };
  return { fact, action: "conflict", targets: [other], reason: "Something else is known in its place." };
}

async function strengthening(context: Context, fact: Fact, same: readonly Target[]): Promise<Step> {
  const { engine } = context;
  const [first] = same as [Target, ...Target[]];
  const { by } = await usesOf(engine.storage, first.scope, first.id);
  return by.includes(voiceOf(context))
    ? { fact, action: "none", targets: [first], reason: "It is known, and this session has said so before." }
    : { fact, action: "observe", targets: [first], reason: "It is known; this is more evidence." };
}

const sameIn = (held: readonly Target[], { triple }: Fact, loosely: boolean): Target[] => {
  const wanted = fold(triple.object);
  return held.filter(({ record }) => {
    const object = fold(record.triple?.object ?? "");
    return object === wanted || (loosely && (triple.object === "anything" || haveSameWords(object, wanted)));
  });
};

/** Articles aside. A word more is another thing: whoever likes tea no more may still like green tea. */
function haveSameWords(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => [...read(text).content.keys()].sort().join(" "));
  return left !== "" && left === right;
}

/** What is believed of the fact's subject and predicate. */
function heldBy(at: At, { triple }: Fact): Promise<Target[]> {
  return found(at, (scene) => select(scene, [facet.bySlot(triple.subject, triple.predicate)]));
}

/** Beliefs that hold every word of what is to be forgotten. */
async function spokenOf(at: At, { triple }: Fact): Promise<Target[]> {
  const words = [...read(triple.object).content.keys()];
  if (words.length === 0) return [];
  const near = await found(at, (scene) => nearest(scene, triple.object, NEAR).map(({ doc }) => doc));
  return near.filter(({ record }) => {
    const said = read(`${record.text} ${record.triple?.predicate.replace(/_/g, " ") ?? ""}`).content;
    return words.every((word) => said.has(word));
  });
}

async function found(at: At, choose: (scene: Scene) => readonly number[]): Promise<Target[]> {
  const { reader, tip, now } = at;
  const { views, branch, sight } = at.context;
  const hashes: Hash[] = await views.use(branch, tip, (view) =>
    choose(new Scene(view, sight, Date.parse(now))).map((doc) => view.doc(doc).hash),
  );
  const records = await reader.values("memory", hashes);
  return hashes.flatMap((hash) => {
    const record = records.get(hash);
    return record ? [{ id: record.id, scope: record.scope, record }] : [];
  });
}

export const sideOf = ({ record }: Target): Side => ({
  text: record.text,
  trust: record.origin.trust,
  confidence: record.confidence ?? 1,
  isCanon: record.tier === "canon",
  category: record.category,
});
