import { type Hash, type MemoryId, parseScope, type Scope } from "../../core/base/index.js";
import { conflicts } from "../../history/index.js";
import { facet, Scene, select } from "../../index/index.js";
import { gather, type Memory, memoriesOf, type Transaction } from "../../memories/index.js";
import { type At, type Context, type Engine, usesOf } from "../../repo/index.js";
import { type Proposed, proposeByRules } from "../../review/index.js";
import { conflictText, type Decision, isOpen, resolveByRules, type Side } from "../conflict.js";
import {
  type Belief,
  clusterFindings,
  type Finding,
  type FindingKind,
  pairFindings,
  singleFindings,
} from "../findings.js";
import { ask } from "../model/ask.js";
import { type Cost, FREE, isModelFailure, sumCosts } from "../model/budget.js";
import type { Model } from "../model/port.js";
import { ledgerOf, modelOf } from "../models.js";
import type { ConsolidateOptions } from "../options.js";
import { CONFLICT } from "../prompts/conflict-v1.js";
import { consolidationCandidates } from "./consolidation.js";
import { personaFindings } from "./persona.js";

/** What a look over the whole memory found, and under which ids the proposals wait. */
export interface ConsolidationReport {
  readonly branch: string;
  /** The commit it looked at. */
  readonly on: Hash;
  readonly beliefs: number;
  readonly examined: number;
  readonly findings: readonly Finding[];
  readonly byKind: Readonly<Partial<Record<FindingKind, number>>>;
  readonly proposals: readonly { readonly id: string; readonly kind: string; readonly about: FindingKind }[];
  /** What a model cost, and what a person should know of it. */
  readonly cost: Cost;
  readonly notes: readonly string[];
  /** Memories that somebody changed while it looked; they are left for the next time. */
  readonly moved: readonly string[];
  /** The report for people. */
  readonly text: string;
}

/** Looked at, newest first. */
const MOST = 20_000;
const PAIRS = 500;
/** From here on two texts are worth comparing closely. */
const ALIKE = 0.6;

/** Reviews what is believed, and proposes. It looks at one commit; what changes meanwhile is left alone. */
export async function consolidate(at: At, options: ConsolidateOptions): Promise<ConsolidationReport> {
  const { context, tip, now } = at;
  const { engine } = at.context;
  const only = options.scope === undefined ? undefined : parseScope(options.scope);
  const { memories, count } = await beliefsAt(at, only);
  const beliefs = memories.map(toBelief);
  const pairs = await consolidationCandidates(at, {
    ...{ floor: ALIKE, limit: PAIRS },
    ...(only !== undefined && { scope: only }),
  });
  const inPairs = pairFindings(beliefs, pairs, context.rules);
  const paired = new Set(inPairs.map(({ ids }) => ids[0]));
  const singles = await singleFindings(beliefs, Date.parse(now), ({ scope, id }) =>
    usesOf(engine.storage, scope as Scope, id as MemoryId),
  );
  const open = await conflicts(at);
  const findings: Finding[] = [
    ...open.map(({ id, scope, field }): Finding => {
      const text = `${field} has more than one value`;
      return {
        kind: "contested",
        ids: [id],
        scope,
        text,
        why: "Merges left both sides.",
        proposes: "decide",
      };
    }),
    ...inPairs,
    ...singles.filter(({ ids }) => !paired.has(ids[0])),
    ...clusterFindings(beliefs),
    ...(await personaFindings(context, beliefs, now)),
  ];
  const { decisions, notes, cost } = await decideContradictions(engine, findings, beliefs, options);
  const made = options.dryRun
    ? { proposals: [], moved: [] }
    : await proposals(context, findings, beliefs, decisions);
  const byKind: Partial<Record<FindingKind, number>> = {};
  for (const { kind } of findings) byKind[kind] = (byKind[kind] ?? 0) + 1;
  const report = {
    branch: context.branch,
    on: tip.hash,
    beliefs: count,
    examined: beliefs.length,
    findings,
    byKind,
    cost,
    notes,
    ...made,
  };
  return { ...report, text: reportText(report) };
}

async function beliefsAt(
  { context, reader, tip, now }: At,
  only: Scope | undefined,
): Promise<{ readonly memories: Memory[]; readonly count: number }> {
  const time = Date.parse(now);
  let count = 0;
  const gathered = await context.views.use(context.branch, tip, (view) => {
    const docs = select(new Scene(view, context.sight, time, only), [facet.byLane("belief")]);
    count = docs.length;
    return gather(view, docs.slice(-MOST), context, time);
  });
  return { memories: await memoriesOf(reader, gathered), count };
}

export function toBelief(memory: Memory): Belief {
  const { id, scope, text, hash, triple, tier, topic, category, lifetime, confidence, origin, updatedAt } =
    memory;
  return {
    ...{ id, scope, text, hash, triple, tier, topic, category, lifetime, confidence, updatedAt },
    trust: origin.trust,
    validTo: memory.valid?.to,
    pinned: tier === "canon" || topic !== undefined || memory.attributes?.pinned === true,
    derivedFrom: origin.derivedFrom ?? [],
  };
}

/** One proposal for all findings of a kind that can be carried out, one for each thing that has to be decided. */
async function proposals(
  context: Context,
  findings: readonly Finding[],
  beliefs: readonly Belief[],
  decisions: ReadonlyMap<Finding, Decision>,
): Promise<Pick<ConsolidationReport, "proposals" | "moved">> {
  const seen = new Map(beliefs.map((belief) => [JSON.stringify([belief.scope, belief.id]), belief]));
  const made: { id: string; kind: string; about: FindingKind }[] = [];
  const moved = new Set<string>();
  const note = (about: FindingKind, kind: string, { id }: Proposed<unknown>) => {
    if (id !== undefined) made.push({ id, kind, about });
  };
  for (const kind of ["duplicate", "low-confidence", "outdated", "session-fact"] as const) {
    const own = findings.filter((finding) => finding.kind === kind && finding.proposes !== "decide");
    if (own.length === 0) continue;
    const proposed = await proposeByRules(
      context,
      "consolidation",
      async (tx) => {
        for (const { ids, scope, why, proposes } of own) {
          const [id] = ids as [string];
          const now = await tx.get(id, { scope });
          if (now?.text !== seen.get(JSON.stringify([scope, id]))?.text) moved.add(id);
          else if (proposes === "keep")
            await tx.update(id, { lifetime: "permanent", expiresAt: null }, { scope });
          else await tx.forget(id, { scope, reason: why });
        }
      },
      { reason: `${TITLES[kind]}: ${own.length}.` },
    );
    note(kind, "consolidation", proposed);
  }
  for (const finding of findings.filter(
    ({ proposes }) => proposes === "decide" || proposes === "summarise",
  )) {
    if (finding.kind === "contested") continue;
    const { ids, scope, text, why } = finding;
    const decision = decisions.get(finding);
    const about = ids.slice(0, 20);
    const said = {
      kind: finding.kind,
      ids: [...ids],
      scope,
      text,
      why,
      ...(decision && { decision: { ...decision } }),
    };
    const kind = finding.kind === "contradiction" ? "conflict" : "consolidation";
    const gone = goes(finding, decision);
    const write =
      gone === undefined ? undefined : (tx: Transaction) => tx.forget(gone, { scope, reason: why });
    const reason = decision ? `${why} ${decision.reason}` : why;
    note(
      finding.kind,
      kind,
      await proposeByRules(context, kind, write, { reason, data: { finding: said }, about }),
    );
  }
  return { proposals: made, moved: [...moved] };
}

/** Of two that say the same, or cannot both hold, the one that would go; neither where both hold. */
function goes({ kind, ids }: Finding, decision: Decision | undefined): string | undefined {
  if (kind === "duplicate") return ids[0];
  if (kind !== "contradiction" || decision?.decision === "both_valid") return undefined;
  return decision?.decision === "keep_old" ? ids[1] : ids[0];
}

const TITLES: Readonly<Record<FindingKind, string>> = {
  duplicate: "Near-duplicates",
  contradiction: "Contradictions",
  "low-confidence": "Low confidence",
  outdated: "Outdated",
  "session-fact": "Session facts worth keeping",
  cluster: "Groups to summarise",
  persona: "Personas that disagree",
  contested: "Open merge conflicts",
};
const SHOWN = 20;

function reportText(report: Omit<ConsolidationReport, "text">): string {
  const { branch, beliefs, examined, findings, proposals: waiting } = report;
  const looked = examined < beliefs ? `the newest ${examined} of ${beliefs}` : `all ${beliefs}`;
  const lines = [
    "# Memory consolidation",
    "",
    `Branch ${branch}: looked at ${looked} beliefs. Nothing was changed.`,
  ];
  for (const [kind, title] of Object.entries(TITLES)) {
    const own = findings.filter((finding) => finding.kind === kind);
    if (own.length === 0) continue;
    lines.push("", `## ${title} (${own.length})`);
    for (const { ids, text, why } of own.slice(0, SHOWN))
      lines.push(`- ${ids[0]}: ${oneLine(text)} (${oneLine(why)})`);
    if (own.length > SHOWN) lines.push(`- and ${own.length - SHOWN} more`);
  }
  if (findings.length === 0) lines.push("", "Nothing to propose.");
  if (waiting.length > 0)
    lines.push("", `Waiting for review: ${waiting.map(({ id }) => id.slice(0, 12)).join(", ")}.`);
  return lines.join("\n");
}

const oneLine = (text: string): string => {
  const line = text.replace(/\s+/g, " ");
  return line.length > 160 ? `${line.slice(0, 159).toWellFormed()}…` : line;
};

/** Which of two beliefs holds, as far as rules or a model can tell; a person has the last word either way. */
async function decideContradictions(
  engine: Engine,
  findings: readonly Finding[],
  beliefs: readonly Belief[],
  options: { readonly dryRun?: boolean; readonly model?: Model | "none"; readonly signal?: AbortSignal },
): Promise<{ readonly decisions: Map<Finding, Decision>; readonly cost: Cost; readonly notes: string[] }> {
  const model = options.dryRun ? undefined : modelOf(engine, options.model);
  const known = new Map(beliefs.map((belief) => [JSON.stringify([belief.scope, belief.id]), belief]));
  const decisions = new Map<Finding, Decision>();
  const notes: string[] = [];
  let cost: Cost = FREE;
  for (const finding of findings) {
    if (finding.kind !== "contradiction") continue;
    const [old, fresh] = finding.ids.map((id) => known.get(JSON.stringify([finding.scope, id])));
    if (!old || !fresh) continue;
    let decision = resolveByRules(sideOf(old), sideOf(fresh));
    if (model && isOpen(decision))
      try {
        const asked = await ask(
          model,
          ledgerOf(engine),
          CONFLICT,
          conflictText(sideOf(old), sideOf(fresh)),
          options.signal,
        );
        cost = sumCosts(cost, asked.cost);
        decision = asked.value;
      } catch (error) {
        if (!isModelFailure(error)) throw error;
        notes.push(`${error.message} The conflict waits for a person.`);
      }
    decisions.set(finding, decision);
  }
  return { decisions, cost, notes };
}

const sideOf = ({ text, trust, confidence, tier, category, updatedAt }: Belief): Side => ({
  ...{ text, trust, confidence, category },
  isCanon: tier === "canon",
  time: updatedAt,
});
