import type { LogOptions } from "../history/index.js";
import type { ForgetOptions, ListFilter, MoveOptions, UpdateOptions } from "../memories/index.js";
import type { WriteOptions } from "../repo/index.js";
import {
  type Allowed,
  action,
  count,
  flag,
  json,
  mode,
  number,
  PLACED,
  signal,
  THEN,
  text,
  tier,
  WRITING,
  word,
} from "../repo/index.js";
import type { SearchOptions, SemanticSearchOptions } from "../search/index.js";
import type { BulkOptions } from "./bulk.js";

type Then = { readonly at?: string };
type Placed = Then & { readonly scope?: string };

/** The options of the everyday verbs. */
export const GET: Allowed<Placed & { exact?: boolean }> = { ...PLACED, exact: flag };
export const LIST: Allowed<ListFilter & Then> = {
  ...PLACED,
  type: word,
  tier,
  category: text,
  topic: text,
  tag: text,
  parent: text,
  in: text,
  session: text,
  attributes: json,
  limit: count,
};
const { session: _, ...FILTER } = LIST;
export const SEARCH: Allowed<SearchOptions & Then> = {
  ...FILTER,
  mode,
  waitMs: number,
  after: text,
  before: text,
  minScore: number,
  usePriors: flag,
  diversity: number,
};
export const UPDATE: Allowed<UpdateOptions & WriteOptions> = { ...WRITING, scope: text, ifHash: text };
export const FORGET: Allowed<ForgetOptions & WriteOptions> = {
  ...WRITING,
  scope: text,
  reason: text,
  tree: flag,
};
export const MOVE: Allowed<MoveOptions & WriteOptions> = { ...WRITING, from: text, tree: flag };
export const MANY: Allowed<WriteOptions & BulkOptions> = {
  ...WRITING,
  onProgress: action,
  signal,
  snapshot: flag,
};
export const VIEW: Allowed<Then & { readonly max?: number }> = { ...THEN, max: count };
export const LOG: Allowed<LogOptions & Then> = { ...THEN, limit: count, events: flag };
export const SEMANTIC: Allowed<SemanticSearchOptions> = {
  limit: count,
  minSimilarity: number,
  waitMs: number,
};
