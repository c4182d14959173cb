import {
  action,
  count,
  flag,
  type Given,
  listOf,
  mode,
  number,
  oneOf,
  quantity,
  shape,
  THEN,
  text,
  texts,
  typed,
} from "../repo/index.js";
import type { Layer } from "./layers.js";

/** What the verbs of recall take. Their types, their checks and the options of doors follow from these fields. */

export const RECALL = {
  ...THEN,
  limit: count.as("at most so many quotations; 5 unless given", "count"),
  mode: mode.as("as for search", "mode"),
  layers: listOf<Layer>(
    shape({ name: text, ask: action }),
    "layers, each with a name and a way to ask it",
  ).as("layers beside memory itself, such as `artifactLayer`; asked in the order of their names"),
  onlyRecall: flag.as("leave alone what is no recall question"),
  budget: quantity.as("also as a block for a prompt, of at most about so many tokens", "tokens"),
  proofs: flag.as("a proof for each memory cited"),
};
export type RecallOptions = Given<typeof RECALL>;

export const CONTEXT = {
  ...THEN,
  query: text.as("what the prompt is about", "text"),
  budget: quantity.as("at most about so many tokens; default 2000", "tokens"),
  maxItems: count.as("at most so many memories", "count"),
  kind: oneOf("briefing", "memory").as(
    "what is always shown, or memories; a briefing unless a query is given",
    "kind",
  ),
  mode: mode.as("as for search", "mode"),
  diversity: number.as(
    "of a block about something: how much what the others do not tell counts, 0 to 1; default 0",
    "number",
  ),
};
export type ContextOptions = Given<typeof CONTEXT>;

export const WAKE_UP = {
  ...THEN,
  about: text.as("what the session is going to be about", "text"),
  budget: quantity.as("at most about so many tokens; 900 unless given", "tokens"),
};
export type WakeUpOptions = Given<typeof WAKE_UP>;

export const PLAYBOOKS = {
  folders: typed<readonly string[] | undefined>(texts).as("where they lie; default $PAL_PLAYBOOKS", "dir"),
  limit: typed<number | undefined>(count).as("at most so many; 5 unless given", "count"),
};
export type PlaybookOptions = Given<typeof PLAYBOOKS>;
