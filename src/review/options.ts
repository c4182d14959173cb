import type { MemoryChange } from "../gate/index.js";
import { count, flag, type Given, json, THEN, text, texts, typed } from "../repo/index.js";

/** What the verbs of review take. Their types, their checks and the options of doors follow from these fields. */

export const PROPOSE = {
  reason: text.as("why, in words for the person who decides", "text"),
  cost: typed<{ readonly [unit: string]: number }>(json).as(
    "what it cost to make, such as tokens or money",
    "units",
  ),
  data: json.as("whatever else the person, or whoever carries it out, has to know"),
  about: texts.as("ids of memories it speaks of: only those who see them all see the proposal", "ids"),
};
export type ProposeOptions = Given<typeof PROPOSE>;

export const PROMOTE = {
  scope: text.as("where it lives, if the id is in several scopes", "scope"),
  reason: text.as("why, for the person who decides", "text"),
};
export type PromoteOptions = Given<typeof PROMOTE>;

export const REVIEW = {
  kind: text.as("only these (quarantined, promotion, import, …)", "word"),
  limit: count.as("at most so many", "count"),
};
export type ReviewOptions = Given<typeof REVIEW>;

export const ACCEPT = {
  only: texts.as("only this memory of the item", "id"),
  edit: typed<{ readonly [id: string]: MemoryChange }>(json).as(
    "changes on top of what was proposed, by memory id",
  ),
  keepBoth: flag.as("of a contradiction, keep what is there too"),
};
export type AcceptOptions = Given<typeof ACCEPT>;

export const REJECT = { reason: text.as("why", "text") };
export type RejectOptions = Given<typeof REJECT>;

export const TAINT = {
  ...THEN,
  scope: text.as("where it lives, if the id is in several scopes", "scope"),
};

/** Under this kind an erasure waits for somebody who may erase. */
export const ERASE = "erase";
