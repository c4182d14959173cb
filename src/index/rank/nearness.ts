/** What vectors know about a question, given by whoever holds them. A document is as near as its nearest part. */
export interface Nearness {
  /** Over all documents the caller sees: the scale on which a cosine is near or far. */
  readonly mean: number;
  readonly max: number;
  /** Cosine with the question, names stripped; undefined if not embedded or in a language the model does not know. */
  near(doc: number): number | undefined;
  /** Cosine with the end of the question, names stripped. */
  tail(doc: number): number | undefined;
  /** The nearest documents, which join the candidates. */
  readonly nearest: readonly number[];
  /** False when the question is in a language the model does not know: then the nearest join, and no cosine counts. */
  readonly knowsLanguage: boolean;
  knowsLanguageOf(doc: number): boolean;
}

/** How many of the nearest join the candidates. */
export const NEAREST = 100;

/** Questions differ in how near everything is; a spread below this is noise. */
const LEAST_SPREAD = 0.15;

/** A cosine on the question's own scale: 0 is the usual, 1 the best. A document without a vector is usual. */
export const scaled = (nearness: Nearness, cosine: number | undefined): number =>
  cosine === undefined ? 0 : (cosine - nearness.mean) / Math.max(LEAST_SPREAD, nearness.max - nearness.mean);
