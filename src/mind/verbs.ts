import type { BranchName } from "../core/base/index.js";
import { act, ask, read, THEN, write } from "../repo/index.js";
import type { Message } from "./facts.js";
import {
  CONFIRM,
  CONSOLIDATE,
  CONSOLIDATION,
  CONVERSATION,
  DELETIONS,
  FIGURES,
  HAND_OVER,
  HEARTBEAT,
  REFLECT,
} from "./options.js";

const personas = () => import("./verbs/persona.js");
const handing = () => import("./verbs/hand-over.js");
const tidying = () => import("./verbs/consolidation.js");

/**
 * What needs judgement, and what counts. By rules or with a model, these verbs only ever propose; a person decides, or a
 * rule that a person made.
 */
export const mindVerbs = {
  /**
   * Facts out of a conversation, each with the words it rests on, as proposals. What came from this memory is not taken for
   * news, and secrets reach neither a model nor the store.
   */
  processConversation: act(
    "writes",
    CONVERSATION,
    () => import("./verbs/process-conversation.js"),
    ({ processConversation }, access, options, messages: readonly Message[]) =>
      processConversation(access, messages, options),
  ),

  /** Looks over everything believed and proposes what to tidy; the report is for people. */
  consolidate: act(
    "writes",
    CONSOLIDATE,
    () => import("./verbs/consolidate.js"),
    ({ consolidate }, access, options) => access.read(undefined, (at) => consolidate(at, options)),
  ),

  /** Consolidates if anything changed since the last time, and if no other process does. */
  heartbeat: act(
    "writes",
    HEARTBEAT,
    () => import("./verbs/heartbeat.js"),
    ({ heartbeat }, access, options) => heartbeat(access, options),
  ),

  /** Summaries and insights that cite what they rest on, as proposals; the originals stay. */
  reflect: act(
    "writes",
    REFLECT,
    () => import("./verbs/reflect.js"),
    ({ reflect }, access, options) => access.read(undefined, (at) => reflect(at, options)),
  ),

  /** Works as another persona from now on if the context clearly asks for it; this session only. */
  maybeSwitchPersona: act(
    "moves refs",
    {},
    personas,
    ({ choosePersonaFor }, access, _options, context: string | readonly Message[]) =>
      access.read(undefined, async (at) => {
        const found = await choosePersonaFor(at, context);
        if (found.switched) access.moveTo(found.branch as BranchName);
        return found;
      }),
  ),

  /** Makes the persona that was proposed. */
  acceptPersona: act("writes", {}, personas, ({ acceptPersona }, access, _options, id: string) =>
    acceptPersona(access, id),
  ),

  /** A memory that was recalled proved right: it becomes more certain, once for each session. */
  confirm: write(
    "observe",
    CONFIRM,
    () => import("./verbs/confirm.js"),
    ({ confirm }, job, { scope }, id: string) => confirm(job, id, scope),
  ),

  /** This session as one value: what lives for it, what is believed, where it stands. */
  handOver: read(HAND_OVER, handing, ({ handOver }, at, options) => handOver(at, options)),

  /** Goes on where another session ended; what it brings waits to be accepted. */
  takeOver: act("moves refs", {}, handing, ({ takeOver }, { context }, _options, text: string) =>
    takeOver(context, text),
  ),

  /** What models cost, day by day, newest first. */
  mindCosts: ask(
    {},
    () => import("./models.js"),
    ({ ledgerOf }, { engine }, _options) => ledgerOf(engine).days(),
  ),

  /** Pairs of beliefs that say nearly the same, most alike first. */
  findConsolidationCandidates: read(CONSOLIDATION, tidying, ({ consolidationCandidates }, at, options) =>
    consolidationCandidates(at, options),
  ),

  /** Beliefs that could go, with reasons. Nothing is deleted. */
  proposeDeletions: read(DELETIONS, tidying, ({ proposeDeletions }, at, options) =>
    proposeDeletions(at, options),
  ),

  /** Figures of `stats`, and how full and how tidy the memory is. */
  vaultStats: read(
    THEN,
    () => import("./verbs/vault-stats.js"),
    ({ vaultStats }, at, _options) => vaultStats(at),
  ),

  /** Figures of `vaultStats`, growth over time, and how they divide by author, source and branch. */
  figures: read(
    FIGURES,
    () => import("./verbs/figures.js"),
    ({ figures }, at, options) => figures(at, options),
  ),
};
