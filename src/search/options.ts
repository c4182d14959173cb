import { LIST } from "../memories/index.js";
import { count, flag, type Given, mode, number, THEN, text } from "../repo/index.js";

const { session: _, ...FILTER } = LIST;

export const SEARCH = {
  ...FILTER,
  limit: count.as("at most so many; 10 unless given, 200 at most", "count"),
  /**
   * hybrid: by words and meaning. lexical: by words. vector: by meaning. Unless given: hybrid where anything is embedded, and a
   * process that stays sees to that; words else. With hybrid or vector, the model is loaded and waited for.
   */
  mode: mode.as(
    "by words and meaning, words, or meaning; unless given hybrid where memories are embedded",
    "mode",
  ),
  waitMs: number.as("with hybrid or vector: how long to wait for memories that have no vector yet"),
  after: text.as("only what was said or written then or later", "time"),
  before: text.as("only what was said or written earlier", "time"),
  minScore: number.as("leave out what scores less", "number"),
  usePriors: flag.as(
    "whether what is newer and held more surely comes first among equals; true unless given",
  ),
  /** For a prompt 0.3 is a good start. */
  diversity: number.as(
    "how much what the others do not tell counts against what fits best, 0 to 1; 0 unless given",
  ),
};
export type SearchOptions = Given<typeof SEARCH>;

export const SEMANTIC = {
  limit: count.as("at most so many; 10 unless given", "count"),
  minSimilarity: number.as("leave out what is less alike; 0.5 unless given", "number"),
  waitMs: number.as("how long to wait for memories that have no vector yet; not at all unless given"),
};
export type SemanticSearchOptions = Given<typeof SEMANTIC>;

export const BISECT = {
  ...THEN,
  limit: count.as("among how many hits the text has to be; 10 unless given", "count"),
};
export type BisectOptions = Given<typeof BISECT>;
