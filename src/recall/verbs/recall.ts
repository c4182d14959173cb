import type { Proof } from "../../core/merkle/index.js";
import { prove } from "../../history/index.js";
import type { Certainty } from "../../judge/index.js";
import { cutToTokens, glanceAt } from "../../language/index.js";
import { identity } from "../../palace/index.js";
import type { At, Context } from "../../repo/index.js";
import { citationSections } from "../blocks.js";
import { compose } from "../compose.js";
import type { LayerName } from "../detect/cue.js";
import { type Detection, detectRecall } from "../detect/detect-recall.js";
import { envelope } from "../envelope.js";
import type { Citation, Disagreement, Layer, TraceItem } from "../layers.js";
import { memoryLayer } from "../memory-layer.js";
import type { RecallOptions } from "../options.js";
import { playbookLayer, scratchLayer } from "../palace-layers.js";
import { playbookFolders } from "../playbook-files.js";
import { plainQuestion } from "../question.js";
import { type Walk, walk } from "../walk.js";
import { playbooks } from "./playbooks.js";

export interface CitedMemory extends Citation {
  readonly proof?: Proof;
}

export interface Recall {
  /** L0: who the agent is, cut to 200 tokens. It comes with every answer and never ends a walk. */
  readonly identity?: string;
  /** Is it a question that only memory can answer? */
  readonly recall: boolean;
  /** How sure that is, 0 to 1. */
  readonly score: number;
  /** Is there something to quote, be it certain or only possible? */
  readonly answered: boolean;
  /**
   * certain: the first quotation is the answer. possible: what is quoted is the nearest, and whether it answers is for the
   * reader to judge. nothing: nothing near is known. Words alone never say certain.
   */
  readonly certainty: Certainty;
  /** Did the judge say so? Without one words alone did. */
  readonly judged: boolean;
  /** Is it certain, so that it may be given where nobody asked for memory? */
  readonly plain: boolean;
  /** Which layer answered. L5: none, and a model may say what it thinks if it marks it as not from memory. */
  readonly layer?: LayerName;
  /** Quotations with where they come from; or that there are none, or what could not be asked. Never generated. */
  readonly text: string;
  /** Best first. */
  readonly citations: readonly CitedMemory[];
  /** The quotations framed as data, where a budget was given. */
  readonly block?: string;
  /** What came nearest when nothing was near enough. */
  readonly nearest?: Citation;
  /** Where something newer, or another side, says otherwise. */
  readonly disagreements: readonly Disagreement[];
  /** Every layer asked, in order, with what it answered, how good its best was and how long it took. */
  readonly trace: readonly TraceItem[];
}

/** Asks memory before anybody makes something up. */
export async function recall(at: At, asked: string, options: RecallOptions): Promise<Recall> {
  const { context } = at;
  const detection = detectRecall(asked);
  const question = glanceAt(asked);
  if (options.onlyRecall && !detection.recall) return untouched(detection);
  const { limit, mode, layers = [] } = options;
  const all = [memoryLayer(at, { limit, mode }), ...ownLayers(context), ...layers.map(copying)];
  const walked = await walk(
    plainQuestion(question),
    all.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)),
  );
  const { hit, nearest, trace, disagreements } = walked;
  const citations = hit?.citations ?? [];
  const who = await identity(at, undefined);
  const isKnownToBeNew = !hit && trace.every(({ status }) => status === "empty");
  const layer = hit?.layer ?? (isKnownToBeNew ? "L5" : undefined);
  return {
    ...(who && { identity: cutToTokens(who.text, IDENTITY_TOKENS) }),
    recall: detection.recall,
    score: detection.score,
    answered: hit !== undefined,
    certainty: hit?.isCertain ? "certain" : hit ? "possible" : "nothing",
    judged: walked.isJudged,
    plain: hit?.isCertain === true,
    ...(layer && { layer }),
    text: compose(walked),
    citations: options.proofs ? await proven(at, citations) : citations,
    ...(hit && options.budget !== undefined && { block: blockOf(context, walked, options.budget) }),
    ...(nearest && { nearest }),
    disagreements,
    trace,
  };
}

/** The layers that are there: a scratchpad where the session has a name, playbooks where folders are named. */
function ownLayers(context: Context): Layer[] {
  const notes = async (question: string) => {
    const { searchScratch } = await import("../../palace/verbs/scratch.js");
    return searchScratch(context, question, {});
  };
  return [
    ...(context.sessionId === undefined ? [] : [scratchLayer(notes)]),
    ...(playbookFolders().length === 0 ? [] : [playbookLayer((task) => playbooks(task, {}))]),
  ];
}

const blockOf = ({ random }: Context, { hit, disagreements }: Walk, budget: number): string =>
  envelope(citationSections(hit?.citations ?? [], disagreements), {
    title: "Long-Term Memory Context",
    budget,
    random,
  }).text;

const IDENTITY_TOKENS = 200;

const untouched = ({ recall: isRecall, score }: Detection): Recall => ({
  recall: isRecall,
  score,
  answered: false,
  certainty: "nothing",
  judged: false,
  plain: false,
  text: "",
  citations: [],
  disagreements: [],
  trace: [],
});

const proven = (at: At, citations: readonly Citation[]): Promise<CitedMemory[]> => {
  return Promise.all(
    citations.map(async (citation) =>
      citation.layer === "L1"
        ? { ...citation, proof: await prove(at, citation.id, citation.scope) }
        : citation,
    ),
  );
};

/** What a layer of the caller's answers stays the caller's: the answer of a recall is frozen. */
const copying = (layer: Layer): Layer => ({
  name: layer.name,
  ask: async (question) => structuredClone(await layer.ask(question)),
  isNamedIn: (question) => layer.isNamedIn?.(question) ?? false,
  ...(layer.timeoutMs !== undefined && { timeoutMs: layer.timeoutMs }),
});
