import { count, flag, type Given, PLACED, THEN, text, typed } from "../repo/index.js";

/** What the verbs of the palace take. Their types, their checks and the options of doors follow from these fields. */

const whose = typed<string | undefined>(text).as("whose palace; default shared", "scope");

export const PLACE = { scope: whose };
export type PlaceOptions = Given<typeof PLACE>;

export const NEW_PLACE = {
  ...PLACE,
  description: typed<string | undefined>(text).as("what the place is for", "text"),
};
export type NewPlaceOptions = Given<typeof NEW_PLACE>;

export const PALACE_AT = { ...THEN, scope: text.as("whose palace; default shared", "scope") };

const OF_WHOM = "of whom: agent/<name>, or shared (default when it is said)";
export const IDENTITY = { ...PLACED, scope: text.as(OF_WHOM, "scope") };
export const SET_IDENTITY = { scope: typed<string | undefined>(text).as(OF_WHOM, "scope") };

export const SYNC = {
  scope: whose,
  dryRun: typed<boolean | undefined>(flag).as("say what would be taken in; neither memory nor files change"),
};
export type SyncOptions = Given<typeof SYNC>;

export const SCRATCH_OF = {
  session: typed<string | undefined>(text).as("whose pad, if not that of this session", "session"),
};
export type ScratchOptions = Given<typeof SCRATCH_OF>;

export const SCRATCH_LIST = {
  ...SCRATCH_OF,
  key: text.as("only the entries of this key", "key"),
  all: flag.as("also entries that a later one stands for"),
};
export type ScratchListOptions = Given<typeof SCRATCH_LIST>;

export const SCRATCH_SEARCH = { ...SCRATCH_OF, limit: count.as("at most so many; 5 unless given", "count") };
export type ScratchSearchOptions = Given<typeof SCRATCH_SEARCH>;

export const PROMOTE_SCRATCH = {
  scope: whose,
  dryRun: typed<boolean | undefined>(flag).as("only the verdict; nothing is written"),
};
export type PromoteScratchOptions = Given<typeof PROMOTE_SCRATCH>;
