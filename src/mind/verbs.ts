import type { BranchName } from "../core/base/index.js";
import type { Branch } from "../history/index.js";
import { ask, checkOptions, read, THEN, verb, write } from "../repo/index.js";
import type { Message } from "./message.js";
import {
  CONFIRM,
  CONSOLIDATE,
  CONSOLIDATION,
  CONVERSATION,
  type ConsolidateOptions,
  type ConversationOptions,
  DELETIONS,
  FIGURES,
  HAND_OVER,
  HEARTBEAT,
  type HeartbeatOptions,
  REFLECT,
  type ReflectOptions,
} from "./options.js";
import type { ConsolidationReport } from "./verbs/consolidate.js";
import type { TakenOver } from "./verbs/hand-over.js";
import type { Heartbeat } from "./verbs/heartbeat.js";
import type { PersonaAnswer } from "./verbs/persona.js";
import type { ConversationReport } from "./verbs/process-conversation.js";
import type { ReflectReport } from "./verbs/reflect.js";

const NOTHING = {};

/**
 * What needs judgement, and what counts. By rules or with a model, these verbs only ever propose; a person decides, or a
 * rule that a person made.
 */
export const mindVerbs = {
  /**
   * Facts out of a conversation, each with the words it rests on, as proposals. What came from this memory is not taken for
   * news, and secrets reach neither a model nor the store.
   */
  processConversation: verb("writes", CONVERSATION, (access, name) => {
    return async (
      messages: readonly Message[],
      options: ConversationOptions = NOTHING,
    ): Promise<ConversationReport> => {
      checkOptions(name, options, CONVERSATION);
      const { processConversation } = await import("./verbs/process-conversation.js");
      return processConversation(access, messages, options);
    };
  }),

  /** Looks over everything believed and proposes what to tidy; the report is for people. */
  consolidate: verb("writes", CONSOLIDATE, (access, name) => {
    return async (options: ConsolidateOptions = NOTHING): Promise<ConsolidationReport> => {
      checkOptions(name, options, CONSOLIDATE);
      const { consolidate } = await import("./verbs/consolidate.js");
      return consolidate(access, options);
    };
  }),

  /** Consolidates if anything changed since the last time, and if no other process does. */
  heartbeat: verb("writes", HEARTBEAT, (access, name) => {
    return async (options: HeartbeatOptions = NOTHING): Promise<Heartbeat<ConsolidationReport>> => {
      checkOptions(name, options, HEARTBEAT);
      const { heartbeat } = await import("./verbs/heartbeat.js");
      return heartbeat(access, options);
    };
  }),

  /** Summaries and insights that cite what they rest on, as proposals; the originals stay. */
  reflect: verb("writes", REFLECT, (access, name) => {
    return async (options: ReflectOptions = NOTHING): Promise<ReflectReport> => {
      checkOptions(name, options, REFLECT);
      const { reflect } = await import("./verbs/reflect.js");
      return reflect(access, options);
    };
  }),

  /** Works as another persona from now on if the context clearly asks for it; this session only. */
  maybeSwitchPersona: verb("moves refs", {}, (access) => {
    return (context: string | readonly Message[]): Promise<PersonaAnswer> =>
      access.read(undefined, async (at) => {
        const { choosePersonaFor } = await import("./verbs/persona.js");
        const found = await choosePersonaFor(at, context);
        if (found.switched) access.moveTo(found.branch as BranchName);
        return found;
      });
  }),

  /** Makes the persona that was proposed. */
  acceptPersona: verb("writes", {}, (access) => {
    return async (id: string): Promise<Branch> => {
      const { acceptPersona } = await import("./verbs/persona.js");
      return acceptPersona(access, id);
    };
  }),

  /** A memory that was recalled proved right: it becomes more certain, once for each session. */
  confirm: write(
    "observe",
    CONFIRM,
    () => import("./verbs/confirm.js"),
    ({ confirm }, job, { scope }, id: string) => confirm(job, id, scope),
  ),

  /** This session as one value: what lives for it, what is believed, where it stands. */
  handOver: read(
    HAND_OVER,
    () => import("./verbs/hand-over.js"),
    ({ handOver }, at, options) => handOver(at, options),
  ),

  /** Goes on where another session ended; what it brings waits to be accepted. */
  takeOver: verb("moves refs", {}, (access) => {
    return (text: string): Promise<TakenOver> =>
      access.open(async (context) => {
        const { takeOver } = await import("./verbs/hand-over.js");
        return takeOver(context, text);
      });
  }),

  /** What models cost, day by day, newest first. */
  mindCosts: ask(
    {},
    () => import("./mind-costs.js"),
    ({ ledgerOf }, { engine }, _options) => ledgerOf(engine).days(),
  ),

  /** Pairs of beliefs that say nearly the same, most alike first. */
  findConsolidationCandidates: read(
    CONSOLIDATION,
    () => import("./verbs/consolidation.js"),
    ({ consolidationCandidates }, at, options) => consolidationCandidates(at, options),
  ),

  /** Beliefs that could go, with reasons. Nothing is deleted. */
  proposeDeletions: read(
    DELETIONS,
    () => import("./verbs/consolidation.js"),
    ({ proposeDeletions }, at, options) => proposeDeletions(at, options),
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
