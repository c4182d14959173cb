import type { AutoAccept } from "../gate/index.js";
import {
  action,
  count,
  either,
  flag,
  type Given,
  number,
  oneOf,
  optional,
  PLACED,
  progress,
  shape,
  signal,
  THEN,
  text,
  trust,
} from "../repo/index.js";
import type { Model } from "./model/port.js";

/** What the verbs of the mind take. Their types, their checks and the options of doors follow from these fields. */

const RUN = {
  dryRun: flag.as("only show what would be proposed, and what a model would cost at most"),
  model: either<Model | "none">(oneOf("none"), shape({ id: text, ask: action })).as(
    'who is asked; the store\'s model unless given; "none" means rules alone',
  ),
  signal: signal.as("ends the work between two questions"),
};

export const CONVERSATION = {
  ...RUN,
  session: text.as(
    "the conversation's session: what lives for it ends with it, and it strengthens a memory only once",
    "name",
  ),
  autoAccept: shape<Omit<AutoAccept, "kind">>({
    trust: optional(trust),
    confidence: optional(number),
  }).as(
    'take over at once what is at least this sure; the gate\'s rule for "extraction", else $PAL_AUTO_ACCEPT, unless given',
  ),
};
export type ConversationOptions = Given<typeof CONVERSATION>;

export const CONSOLIDATE = {
  ...RUN,
  dryRun: flag.as("only the report; nothing is proposed"),
  scope: text.as("only this scope", "scope"),
};
export type ConsolidateOptions = Given<typeof CONSOLIDATE>;

export const HEARTBEAT = {
  tasks: text.as("the text of HEARTBEAT.md, if there is one: without a task in it nothing runs", "text"),
};
export type HeartbeatOptions = Given<typeof HEARTBEAT>;

export const REFLECT = {
  ...RUN,
  dryRun: flag.as("only show it, and what a model would cost at most"),
  scope: text.as("only this scope", "scope"),
  session: text.as("what lives for this session", "session"),
  category: text.as("what belongs to this category", "name"),
};
export type ReflectOptions = Given<typeof REFLECT>;

export const CONFIRM = { scope: text.as("where it lives, if the id is in several scopes", "scope") };

export const HAND_OVER = {
  message: text.as("a word for whoever goes on", "text"),
  max: count.as("beliefs taken along at most; default 50", "count"),
};
export type HandOverOptions = Given<typeof HAND_OVER>;

export const CONSOLIDATION = {
  ...PLACED,
  floor: number.as("how alike they must be at least, from 0 to 1; default 0.55", "number"),
  limit: count.as("at most so many", "count"),
};
export type ConsolidationOptions = Given<typeof CONSOLIDATION>;

export const DELETIONS = { ...PLACED, limit: count.as("at most so many", "count") };

export const FIGURES = {
  ...THEN,
  full: flag.as("read everything: sizes by kind, sources of however many"),
  onProgress: progress().as("called while memories are read; may throw to end it"),
};
export type FiguresOptions = Given<typeof FIGURES>;
