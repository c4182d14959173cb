import { type Hash, type MemoryId, PalimpsestError, type Scope, unreadable } from "../core/base/index.js";
import {
  type Lifetime,
  type MemoryRecord,
  type Sensitivity,
  type Triple,
  weakest,
} from "../core/ledger/index.js";
import { fold, isSingleValued, type MemoryInput, read, type Verdict } from "../gate/index.js";
import { facet, nearest, Scene, select } from "../index/index.js";
import type { Transaction } from "../memories/index.js";
import { type At, type Context, usesOf, voiceOf } from "../repo/index.js";
import { conflictText, type Decision, isOpen, resolveByRules, type Side } from "./conflict.js";
import { ask } from "./model/ask.js";
import { type Cost, FREE, isModelFailure, sumCosts } from "./model/budget.js";
import type { Model } from "./model/port.js";
import { ledgerOf } from "./models.js";
import { CONFLICT } from "./prompts/conflict-v1.js";

/** What a conversation says should happen to memory; nothing is done by saying it. */
export interface Fact {
  readonly op: "add" | "modify" | "forget" | "observe";
  readonly triple: Triple;
  /** One sentence that stands alone. */
  readonly text: string;
  readonly lifetime: Lifetime;
  readonly confidence: number;
  readonly sensitivity: Sensitivity;
  /** The exact words it rests on, and the message they stand in. */
  readonly evidence: string;
  readonly turn: number;
  readonly category?: string;
}

/** One turn of a conversation, as chat interfaces have it. */
export interface Message {
  readonly role: "user" | "assistant" | "system" | "tool";
  readonly content: string;
  /** Who speaks, where several people do. */
  readonly name?: string;
}

const ROLES = new Set(["user", "assistant", "system", "tool"]);

/** Checks what a caller gives as a conversation; `session_id`-style extras of other tools are left alone. */
export function parseMessages(given: unknown): Message[] {
  try {
    return parsed(given);
  } catch (error) {
    throw unreadable(error);
  }
}

function parsed(given: unknown): Message[] {
  if (!Array.isArray(given))
    throw new PalimpsestError("INVALID_FIELD", "A conversation is a list of messages.");
  return Array.from(given, (one: unknown, at) => {
    const { role = "user", content, name } = (one ?? {}) as Partial<Record<keyof Message, unknown>>;
    if (typeof content !== "string" || typeof role !== "string" || !ROLES.has(role))
      throw new PalimpsestError(
        "INVALID_FIELD",
        `Message ${at} needs a "content" (text) and a "role" (user, assistant, system or tool).`,
      );
    if (name !== undefined && typeof name !== "string")
      throw new PalimpsestError("INVALID_FIELD", `The name in message ${at} is no text.`);
    return { role: role as Message["role"], content, ...(name && { name }) };
  });
}

/** A memory a fact speaks of. */
interface Target {
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

/** "Correction: three cats" speaks of the two cats that were mentioned. */
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

/** Articles aside. A word more is another thing: a person who likes tea no more may still like green tea. */
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

/** Rules first; a model only for what they leave open; a person for the rest. */
export async function settleConflicts(
  context: Context,
  steps: readonly Step[],
  model: Model | undefined,
  signal: AbortSignal | undefined,
): Promise<{ readonly steps: Step[]; readonly cost: Cost; readonly notes: string[] }> {
  const { engine } = context;
  let cost = FREE;
  const notes: string[] = [];
  const settled: Step[] = [];
  for (const step of steps) {
    if (step.action !== "conflict") {
      settled.push(step);
      continue;
    }
    const { fact, targets } = step;
    const old = sideOf(targets[0]!);
    const trust = weakest(context.trust, "agent");
    const isChange = fact.op === "modify";
    const fresh = {
      text: fact.text,
      trust,
      confidence: fact.confidence,
      isCanon: false,
      category: fact.category,
      isChange,
    };
    let resolution = resolveByRules(old, fresh);
    if (model && isOpen(resolution))
      try {
        const asked = await ask(model, ledgerOf(engine), CONFLICT, conflictText(old, fresh), signal);
        cost = sumCosts(cost, asked.cost);
        resolution = asked.value;
      } catch (error) {
        if (!isModelFailure(error)) throw error;
        notes.push(`${error.message} The conflict waits for a person.`);
      }
    settled.push({ ...step, resolution, ...decided(resolution) });
  }
  return { steps: settled, cost, notes };
}

/** What a decision means; what a person has to decide stays a conflict. */
function decided({ decision, reason }: Decision): {
  readonly action: Step["action"];
  readonly reason: string;
} {
  if (decision === "use_new") return { action: "update", reason };
  if (decision === "both_valid") return { action: "remember", reason };
  return decision === "keep_old" ? { action: "none", reason } : { action: "conflict", reason };
}

/** The verdict of the last write of each step. */
export async function performSteps(
  tx: Transaction,
  steps: readonly Step[],
  context: Context,
): Promise<(Verdict | undefined)[]> {
  const verdicts: (Verdict | undefined)[] = [];
  for (const step of steps) verdicts.push(await performed(tx, step, context));
  return verdicts;
}

async function performed(tx: Transaction, step: Step, context: Context): Promise<Verdict | undefined> {
  const { action, fact, targets } = step;
  let last: Verdict | undefined;
  if (action === "forget")
    for (const { id, scope } of targets)
      last = await tx.forget(id, { scope, reason: `Said: ${fact.evidence}` });
  else if (action === "observe")
    for (const { id, scope } of targets) last = await tx.observe(id, { scope, evidence: fact.evidence });
  else if (action === "update" || action === "conflict") {
    const [{ id, scope }] = targets as [Step["targets"][number]];
    const { lifetime: _, ...change } = inputOf(fact, context);
    last = await tx.update(id, change, { scope });
  } else if (action === "remember") last = await tx.remember(besides(inputOf(fact, context), step));
  return last;
}

function inputOf(fact: Fact, { sessionId }: Context): MemoryInput {
  const { text, triple, confidence, sensitivity, evidence, turn, category } = fact;
  // Without a session there is nothing that could end; then it lives for a day.
  const lifetime = fact.lifetime === "session" && sessionId === undefined ? "temporary" : fact.lifetime;
  return {
    ...{ text, triple, confidence, sensitivity, evidence, turn, source: "extraction", lifetime },
    ...(lifetime === "temporary" && { ttl: 86_400_000 }),
    ...(category !== undefined && { category }),
  };
}

/** Where both hold, what tells them apart becomes part of what the new one is about. */
function besides(input: MemoryInput, { resolution }: Step): MemoryInput {
  const apart = resolution?.category ?? (resolution?.since && `since ${resolution.since}`);
  if (resolution?.decision !== "both_valid" || apart === undefined || !input.triple) return input;
  const triple = { ...input.triple, predicate: `${input.triple.predicate} (${apart})` };
  return {
    ...input,
    triple,
    text: `${(input.text ?? "").replace(/\.$/, "")} (${apart}).`,
    ...(resolution.category !== undefined && { category: resolution.category }),
  };
}
