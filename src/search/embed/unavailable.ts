import { PalimpsestError } from "../../core/base/index.js";

export const unavailable = (message: string, cause?: unknown): PalimpsestError =>
  new PalimpsestError("EMBEDDER_UNAVAILABLE", message, cause === undefined ? {} : { cause });

export const closedEmbedder = (): PalimpsestError => new PalimpsestError("CLOSED", "The embedder is closed.");

/** An error of whatever part, as callers of an embedder see it. */
export const asUnavailable = (error: unknown, what: string): PalimpsestError =>
  error instanceof PalimpsestError
    ? error
    : unavailable(`${what}: ${error instanceof Error ? error.message : String(error)}`, error);
