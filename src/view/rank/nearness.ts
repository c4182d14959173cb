/** What vectors know about a question, given by whoever holds them. All cosines are of names-stripped texts. */
export interface Nearness {
  /** Over all documents the caller sees: the scale on which a cosine is near or far. */
  readonly mean: number;
  readonly max: number;
  /** Cosine of the whole text, of its best passage, and of the question's end with names kept; undefined if not embedded. */
  whole(doc: number): number | undefined;
  passage(doc: number): number | undefined;
  tail(doc: number): number | undefined;
  /** The nearest documents, which join the candidates. */
  readonly nearest: readonly number[];
}

/** Questions differ in how near everything is; a spread below this is noise. */
const LEAST_SPREAD = 0.15;

/** A cosine on the question's own scale: 0 is the usual, 1 the best. A document without a vector is usual. */
export const scaled = (nearness: Nearness, cosine: number | undefined): number =>
  cosine === undefined ? 0 : (cosine - nearness.mean) / Math.max(LEAST_SPREAD, nearness.max - nearness.mean);
