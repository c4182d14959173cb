import type { Hash } from "../../core/base/index.js";
import { list, type Memory } from "../../memories/index.js";
import type { At } from "../../repo/index.js";
import { proposeByRules } from "../../review/index.js";
import { clusterFindings } from "../findings.js";
import { ask, estimate } from "../model/ask.js";
import { type Cost, FREE, isModelFailure, sumCosts } from "../model/budget.js";
import { ledgerOf, modelOf } from "../models.js";
import type { ReflectOptions } from "../options.js";
import { type Insight, SUMMARY } from "../prompts/summary-v1.js";
import { toBelief } from "./consolidate.js";

export interface Reflection extends Omit<Insight, "cites"> {
  /** What it rests on: these memories in these versions. */
  readonly derivedFrom: readonly Hash[];
  readonly ids: readonly string[];
}

export interface ReflectReport {
  readonly reflections: readonly Reflection[];
  readonly proposals: readonly string[];
  readonly by: string;
  readonly notes: readonly string[];
  readonly cost: Cost;
  readonly estimate?: Cost;
}

/** More in one question makes summaries worse, not better. */
const AT_ONCE = 60;
const FEWEST = 3;

/** Sums up what belongs together and says what follows from it. The originals stay; each summary names its sources. */
export async function reflect(at: At, options: ReflectOptions): Promise<ReflectReport> {
  const { context } = at;
  const { engine } = context;
  const groups = await groupsOf(at, options);
  const model = modelOf(engine, options.model);
  let cost = FREE;
  let by = "rules";
  const notes: string[] = [];
  const reflections: Reflection[] = [];
  const proposals: string[] = [];
  for (const { about, memories } of groups) {
    let insights: readonly Insight[] = [plainSummary(about, memories)];
    let spent = FREE;
    if (model && !options.dryRun)
      try {
        const asked = await ask(model, ledgerOf(engine), SUMMARY, shown(memories), options.signal);
        insights = asked.value;
        spent = asked.cost;
        by = model.id;
      } catch (error) {
        if (!isModelFailure(error)) throw error;
        notes.push(`${error.message} Rules stood in for the model.`);
      }
    cost = sumCosts(cost, spent);
    const made = insights.map((insight) => grounded(insight, memories)).filter((one) => one !== undefined);
    reflections.push(...made);
    if (options.dryRun || made.length === 0) continue;
    const { id } = await proposeByRules(context, "reflection", (tx) => write(tx, about, made), {
      reason: `Sums up ${memories.length} memories about ${about}.`,
      ...(spent.calls > 0 && { cost: spent }),
    });
    if (id !== undefined) proposals.push(id);
  }
  const report = { reflections, proposals, by, notes, cost };
  if (!options.dryRun || !model) return report;
  return {
    ...report,
    estimate: groups.map(({ memories }) => estimate(SUMMARY, shown(memories))).reduce(sumCosts, FREE),
  };
}

interface Group {
  readonly about: string;
  readonly memories: readonly Memory[];
}

async function groupsOf(at: At, { scope, session, category }: ReflectOptions): Promise<Group[]> {
  const found = await list(at, {
    ...(scope !== undefined && { scope }),
    ...(session !== undefined && { session }),
    ...(category !== undefined && { category }),
  });
  const memories = found.filter(({ type }) => !DERIVED.has(type));
  const named = session ?? category;
  if (named !== undefined)
    return memories.length < FEWEST ? [] : [{ about: named, memories: memories.slice(-AT_ONCE) }];
  const byId = new Map(memories.map((memory) => [JSON.stringify([memory.scope, memory.id]), memory]));
  const summed = new Set(
    found.filter(({ type }) => DERIVED.has(type)).flatMap(({ origin }) => origin.derivedFrom ?? []),
  );
  const beliefs = memories.filter(({ hash, tier }) => tier !== undefined && !summed.has(hash)).map(toBelief);
  return clusterFindings(beliefs).map(({ ids, scope: where, text }) => ({
    about: text,
    memories: ids.flatMap((id) => byId.get(JSON.stringify([where, id])) ?? []).slice(-AT_ONCE),
  }));
}

const DERIVED = new Set(["summary", "insight"]);

const shown = (memories: readonly Memory[]): string =>
  memories
    .map(({ text }, at) => JSON.stringify({ number: at + 1, text: text.slice(0, 600).toWellFormed() }))
    .join("\n");

/** A sentence that cites nothing there is, is left out. */
function grounded({ text, kind, cites }: Insight, memories: readonly Memory[]): Reflection | undefined {
  const sources = [...new Set(cites)].flatMap((number) => memories[number - 1] ?? []);
  if (sources.length === 0) return undefined;
  return { text, kind, derivedFrom: sources.map(({ hash }) => hash), ids: sources.map(({ id }) => id) };
}

async function write(
  tx: { remember(input: object): Promise<unknown> },
  about: string,
  reflections: readonly Reflection[],
): Promise<void> {
  for (const { text, kind, derivedFrom } of reflections)
    await tx.remember({ text, type: kind, source: "reflection", category: about.slice(0, 60), derivedFrom });
}

const LONGEST = 1_100;

/** A summary without a model: the texts put together, the newest first, as far as there is room. */
function plainSummary(about: string, memories: readonly { readonly text: string }[]): Insight {
  const cites: number[] = [];
  let text = `${memories.length} memories about ${about}:`;
  for (const [at, memory] of [...memories.entries()].reverse()) {
    const sentence = ` ${memory.text.replace(/\s+/g, " ").replace(/(?<![.\s])[.\s]+$/, "")}.`;
    if (text.length + sentence.length > LONGEST) break;
    text += sentence;
    cites.push(at + 1);
  }
  return { text, cites, kind: "summary" };
}
