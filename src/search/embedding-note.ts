/** Under this note of a store stands what is embedded, for processes that have loaded nothing of it. */
export const EMBEDDED = "embedded";

export interface EmbeddingNote {
  readonly model: string;
  /** Over the branches in use where it was written. */
  readonly embedded: number;
  readonly waiting: number;
  /** How much work that is, for whoever does it; unknown before anything was embedded there. */
  readonly remainingMs?: number | undefined;
}

/** What a note says; undefined for none, or one that cannot be read. */
export function readNote(note: string | undefined): EmbeddingNote | undefined {
  try {
    const { model, embedded, waiting, remainingMs } = JSON.parse(note ?? "null") as EmbeddingNote;
    return {
      model: String(model),
      embedded: Number(embedded),
      waiting: Number(waiting),
      ...(typeof remainingMs === "number" && { remainingMs }),
    };
  } catch {
    return undefined;
  }
}
