import type { Verdict } from "../gate/index.js";
import type { Branch } from "../history/index.js";
import type {
  ConsolidateOptions,
  ConsolidationReport,
  ConversationOptions,
  ConversationReport,
  DaySpent,
  HandOver,
  HandOverOptions,
  Heartbeat,
  HeartbeatOptions,
  Message,
  PersonaAnswer,
  ReflectOptions,
  ReflectReport,
  TakenOver,
} from "../mind/index.js";
import type { WriteOptions } from "../repo/index.js";
import {
  action,
  checkOptions,
  count,
  either,
  flag,
  number,
  oneOf,
  optional,
  shape,
  signal,
  text,
  trust,
  WRITING,
} from "../repo/index.js";
import type { Proposing } from "../review/index.js";
import { RecallVerbs } from "./recall-verbs.js";

const RUN = { dryRun: flag, model: either(oneOf("none"), shape({ id: text, ask: action })), signal };
const POLICY = shape({ trust: optional(trust), confidence: optional(number) });

/** The verbs that need judgement. By rules or with a model, they only ever propose. */
export class MindVerbs extends RecallVerbs {
  /**
   * Facts out of a conversation, each with the words it rests on, as proposals. What came from this memory is not taken for
   * news, and secrets reach neither a model nor the store.
   */
  async processConversation(
    messages: readonly Message[],
    options: ConversationOptions = {},
  ): Promise<ConversationReport> {
    checkOptions("processConversation", options, { ...RUN, session: text, autoAccept: POLICY });
    return this.open(async () => {
      const { processConversation } = await import("../mind/verbs/process-conversation.js");
      const host = {
        head: () => this.look(undefined, async (tip, now) => ({ tip, now })),
        accept: (id: string) => this.acceptReview(id, { message: "Accepted by policy." }),
      };
      return processConversation(this.context, this.engine, host, messages, options);
    });
  }

  readonly #proposing: Proposing = (kind, write, options) => this.propose(kind, write, options);

  /** Looks over everything believed and proposes what to tidy; the report is for people. */
  async consolidate(options: ConsolidateOptions = {}): Promise<ConsolidationReport> {
    checkOptions("consolidate", options, { ...RUN, scope: text });
    return this.read(undefined, async (tip, now) => {
      const { consolidate } = await import("../mind/verbs/consolidate.js");
      return consolidate(this.context, this.engine, tip, now, options, this.#proposing);
    });
  }

  /** Consolidates if anything changed since the last time, and if no other process does. */
  async heartbeat(options: HeartbeatOptions = {}): Promise<Heartbeat<ConsolidationReport>> {
    checkOptions("heartbeat", options, { tasks: text });
    return this.open(async () => {
      const { heartbeat } = await import("../mind/verbs/heartbeat.js");
      return heartbeat(this.context, this.engine, options, async (since) => {
        await this.#readMessages(since);
        return this.consolidate();
      });
    });
  }

  /** Reads what people said since then for facts. */
  async #readMessages(since: string): Promise<void> {
    const sessions = await this.look(undefined, async (tip, now) => {
      const { recentMessages } = await import("../mind/verbs/recent-messages.js");
      return recentMessages(this.context, this.engine.reader, tip, now, since);
    });
    for (const [session, messages] of sessions)
      await this.processConversation(messages, session === "" ? {} : { session });
  }

  /** Summaries and insights that cite what they rest on, as proposals; the originals stay. */
  async reflect(options: ReflectOptions = {}): Promise<ReflectReport> {
    checkOptions("reflect", options, { ...RUN, scope: text, session: text, category: text });
    return this.read(undefined, async (tip, now) => {
      const { reflect } = await import("../mind/verbs/reflect.js");
      return reflect(this.context, this.engine, tip, now, options, this.#proposing);
    });
  }

  /** Works as another persona from now on if the context clearly asks for it; this session only. */
  maybeSwitchPersona(context: string | readonly Message[]): Promise<PersonaAnswer> {
    return this.read(undefined, async (_tip, now) => {
      const { choosePersonaFor } = await import("../mind/verbs/persona.js");
      const answer = await choosePersonaFor(this.context, this.engine, now, context);
      if (answer.switched)
        this.context = { ...this.context, branch: answer.branch as typeof this.context.branch };
      return answer;
    });
  }

  /** Makes the persona that was proposed. */
  async acceptPersona(id: string): Promise<Branch> {
    const { data } = await this.acceptReview(id);
    const { name, purpose } = (data?.persona ?? {}) as { readonly name?: string; readonly purpose?: string };
    return this.createBranch(name ?? "", purpose === undefined ? {} : { purpose });
  }

  /** A memory that was recalled proved right: it becomes more certain, once for each session. */
  async confirm(id: string, options: WriteOptions & { readonly scope?: string } = {}): Promise<Verdict> {
    checkOptions("confirm", options, { ...WRITING, scope: text });
    const { confirm } = await import("../mind/verbs/confirm.js");
    return this.write("observe", options, (draft) => confirm(this.context, draft, id, options.scope));
  }

  /** This session as one value: what lives for it, what is believed, where it stands. */
  async handOver(options: HandOverOptions = {}): Promise<HandOver> {
    checkOptions("handOver", options, { message: text, max: count });
    return this.read(undefined, async (tip, now) => {
      const { handOver } = await import("../mind/verbs/hand-over.js");
      return handOver(this.context, this.engine, tip, now, options);
    });
  }

  /** Goes on where another session ended; what it brings waits to be accepted. */
  takeOver(text: string): Promise<TakenOver> {
    return this.open(async () => {
      const { takeOver } = await import("../mind/verbs/hand-over.js");
      return takeOver(this.context, this.engine, text);
    });
  }

  /** What models cost, day by day, newest first. */
  mindCosts(): Promise<readonly DaySpent[]> {
    return this.tell(async () => {
      const { ledgerOf } = await import("../mind/mind-costs.js");
      return ledgerOf(this.engine).days();
    });
  }
}
