import {
  count,
  flag,
  type Given,
  json,
  PLACED,
  progress,
  signal,
  THEN,
  text,
  tier,
  typed,
  word,
} from "../repo/index.js";

/** What the verbs of memories take. Their types, their checks and the options of doors follow from these fields. */

export const GET = {
  ...PLACED,
  exact: flag.as("only by its whole id or topic, never by a part"),
};
export type GetOptions = Given<typeof GET>;

export const LIST = {
  ...PLACED,
  type: word.as("only of this type", "word"),
  tier: typed<string>(tier).as("only of this tier", "tier"),
  category: text.as("only of this category", "name"),
  topic: text.as("only the one of this topic", "name"),
  tag: text.as("only with this tag", "tag"),
  parent: text.as("only what lies directly below this memory", "id"),
  in: text.as("only what lies in this room or room/drawer", "place"),
  session: text.as("only what lives as long as this session", "name"),
  attributes: json.as("only with exactly these attributes"),
  limit: count.as("at most so many", "count"),
};
export type ListFilter = Given<typeof LIST>;

export const VIEW = { ...THEN, max: count.as("at most so many beliefs; 50 unless given", "count") };

export const UPDATE = {
  scope: text.as("where it lives, if the id is in several scopes", "scope"),
  ifHash: text.as("the version you read; if another came in between, both are kept", "hash"),
};
export type UpdateOptions = Given<typeof UPDATE>;

export const FORGET = {
  scope: text.as("where it lives, if the id is in several scopes", "scope"),
  reason: text.as("why; kept in the commit", "text"),
  tree: flag.as("with everything below; else children move up into its place"),
};
export type ForgetOptions = Given<typeof FORGET>;

export const MOVE = {
  from: text.as("where it lives now, if its id is in several scopes", "scope"),
  tree: flag.as("with everything below it; else its children stay and move up into its place"),
};
export type MoveOptions = Given<typeof MOVE>;

/** Options of many writes at once. */
export const MANY = {
  onProgress: progress().as("called after each commit with how many items are done"),
  signal: signal.as("ends the work between two commits"),
  snapshot: flag.as("false leaves out the snapshot before many writes, for a part of something larger"),
};
export type BulkOptions = Given<typeof MANY>;
