import { type JsonObject, parseName } from "../../core/base/index.js";
import { trustRank } from "../../core/ledger/index.js";
import type { AutoAccept, Verdict } from "../../gate/index.js";
import type { Access, At, Context } from "../../repo/index.js";
import { countUse, voiceOf } from "../../repo/index.js";
import { acceptReview, propose } from "../../review/index.js";
import type { Decision } from "../conflict.js";
import type { Fact } from "../facts.js";
import { parseMessages, performSteps, planFacts, type Step, settleConflicts } from "../facts.js";
import { guarded } from "../guard.js";
import { Mind } from "../mind-host.js";
import { type Cost, sumCosts } from "../model/budget.js";
import { modelOf } from "../models.js";
import type { ConversationOptions } from "../options.js";
import type { Extracted } from "../prompts/extract-v1.js";
import { estimateOf, readFacts } from "../read-facts.js";

/** What became of one fact. */
export interface FactOutcome extends Fact {
  readonly action: Step["action"];
  readonly reason: string;
  /** The memories it speaks of or would become. */
  readonly ids: readonly string[];
  /** What it would take out of sight: what it forgets, or puts something else in the place of. */
  readonly replaces?: readonly { readonly id: string; readonly text: string }[];
  readonly resolution?: Decision;
  readonly verdict?: Verdict;
  /** Where it waits, or waited. */
  readonly proposal?: string;
  readonly accepted: boolean;
}

export interface ConversationReport {
  readonly facts: readonly FactOutcome[];
  /** What a model said that could not be used, with the reason. */
  readonly refused: Extracted["refused"];
  readonly proposals: readonly { readonly id: string; readonly kind: string; readonly accepted: boolean }[];
  /** "rules", or the model. */
  readonly by: string;
  /** What a person should know, such as a model that failed and rules that stood in. */
  readonly notes: readonly string[];
  readonly cost: Cost;
  /** Of a dry run: the most it would cost. */
  readonly estimate?: Cost;
}

/**
 * Turns a conversation into proposals: facts with the words they rest on, what they would change, and what is left to a
 * person. Secrets are cut out before anything reads the messages.
 */
export async function processConversation(
  access: Access,
  messages: unknown,
  options: ConversationOptions,
): Promise<ConversationReport> {
  const { context: given } = access;
  const { engine } = given;
  const context = options.session === undefined ? given : { ...given, sessionId: parseName(options.session) };
  const modes = context.rules.modes.belief;
  const clean = parseMessages(messages).map((one) => ({ ...one, content: guarded(one.content, modes) }));
  const model = modelOf(engine, options.model);
  const read = await readFacts(context, clean, model, options);
  const at = await access.look(undefined, async (here): Promise<At> => ({ ...here, context }));
  const steps = await planFacts(at, read.facts);
  const settled = await settleConflicts(context, steps, options.dryRun ? undefined : model, options.signal);
  const cost = sumCosts(read.cost, settled.cost);
  const report = { refused: read.refused, by: read.by, notes: [...read.notes, ...settled.notes], cost };
  if (options.dryRun)
    return {
      ...report,
      facts: settled.steps.map((step) => outcome(step)),
      proposals: [],
      ...(model && { estimate: estimateOf(engine, clean) }),
    };
  const proposed = await proposeSteps(access, at, settled.steps, cost, options);
  await engine.companion(Mind).noteEarly();
  return { ...report, ...proposed };
}

function ruleFor({ rules }: Context, kind: string): Omit<AutoAccept, "kind"> | undefined {
  const confidence = Number(process.env.PAL_AUTO_ACCEPT || Number.NaN);
  return rules.autoAccept.find((rule) => rule.kind === kind) ?? (confidence > 0 ? { confidence } : undefined);
}

/** One proposal for what is sure, one for what is not, and one for each conflict. */
async function proposeSteps(
  access: Access,
  { context, now }: At,
  steps: readonly Step[],
  cost: Cost,
  options: ConversationOptions,
): Promise<Pick<ConversationReport, "facts" | "proposals">> {
  const { engine } = context;
  const byPolicy = { message: "Accepted by policy." };
  const policy = options.autoAccept ?? ruleFor(context, "extraction");
  const mayAccept = policy !== undefined && trustRank(context.trust) >= trustRank(policy.trust ?? "agent");
  const isSure = ({ fact }: Step) => mayAccept && fact.confidence >= (policy.confidence ?? 0);
  const doing = steps.filter(({ action }) => action !== "none" && action !== "conflict");
  const groups = [
    { kind: "extraction", steps: doing.filter(isSure), accept: true },
    { kind: "extraction", steps: doing.filter((step) => !isSure(step)), accept: false },
    ...steps
      .filter(({ action }) => action === "conflict")
      .map((step) => ({ kind: "conflict", steps: [step], accept: false })),
  ].filter((group) => group.steps.length > 0);
  const outcomes = new Map<Step, FactOutcome>(steps.map((step) => [step, outcome(step)]));
  const proposals: { id: string; kind: string; accepted: boolean }[] = [];
  for (const [at, group] of groups.entries()) {
    const reason = reasonOf(group.steps);
    const data = conflictData(group.steps);
    const made = await propose(context, group.kind, (tx) => performSteps(tx, group.steps, context), {
      reason,
      ...(at === 0 && cost.calls > 0 && { cost }),
      ...(data && { data }),
    });
    const accepted =
      made.id !== undefined &&
      group.accept &&
      (await acceptReview(access.context, made.id, byPolicy)).accepted;
    if (made.id !== undefined) proposals.push({ id: made.id, kind: group.kind, accepted });
    for (const [index, step] of group.steps.entries()) {
      const verdict = made.value?.[index];
      const isNew = verdict?.id !== undefined && step.action === "remember";
      const ids = isNew ? [verdict.id as string] : outcome(step).ids;
      const more = { ...(verdict && { verdict }), ...(made.id !== undefined && { proposal: made.id }) };
      outcomes.set(step, { ...outcome(step), ids, ...more, accepted });
    }
    for (const { action, targets } of group.steps)
      if (action === "observe" && made.id !== undefined)
        for (const { scope, id } of targets)
          await countUse(engine.storage, { scope, id, voice: voiceOf(context) }, now);
  }
  return { facts: [...outcomes.values()], proposals };
}

const REPLACING: ReadonlySet<Step["action"]> = new Set(["update", "forget", "conflict"]);

const outcome = ({ fact, action, targets, reason, resolution }: Step): FactOutcome => ({
  ...fact,
  action,
  reason,
  ids: targets.map(({ id }) => id),
  ...(REPLACING.has(action) && { replaces: targets.map(({ id, record: { text } }) => ({ id, text })) }),
  ...(resolution && { resolution }),
  accepted: false,
});

function reasonOf(steps: readonly Step[]): string {
  if (steps.length === 1) return `${steps[0]!.reason} Said: ${steps[0]!.fact.evidence}`;
  const counts = new Map<string, number>();
  for (const { action } of steps) counts.set(action, (counts.get(action) ?? 0) + 1);
  return `From a conversation: ${[...counts].map(([action, count]) => `${action} ${count}`).join(", ")}.`;
}

function conflictData(steps: readonly Step[]): JsonObject | undefined {
  const [step] = steps;
  if (step?.action !== "conflict") return undefined;
  const [target] = step.targets;
  return {
    conflict: {
      old: target?.record.text ?? "",
      new: step.fact.text,
      why: step.reason,
      choices: ["accept: use the new", "reject: keep the old", "keep both: say what tells them apart"],
    },
  };
}
