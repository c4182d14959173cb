import { type JsonObject, PalimpsestError } from "../../core/base/index.js";

/** One question to a language model that answers with JSON. */
export interface ModelRequest {
  /** For ledgers and logs: which prompt asks, such as "extract/v1". */
  readonly task: string;
  readonly system: string;
  readonly prompt: string;
  /** JSON schema of the answer, for services that can hold a model to one. */
  readonly schema: JsonObject;
  readonly maxTokens: number;
  readonly signal?: AbortSignal | undefined;
}

export interface ModelAnswer {
  readonly text: string;
  readonly tokensIn: number;
  readonly tokensOut: number;
}

/** Any language model. It is asked outside of every lock, and what it says is only ever proposed. */
export interface Model {
  /** Which one, for provenance and ledgers. */
  readonly id: string;
  /** On this machine: nothing leaves it. */
  readonly local: boolean;
  ask(request: ModelRequest): Promise<ModelAnswer>;
}

/** A rough count before a service has counted: four bytes make a token, in any script. */
export const tokensIn = (text: string): number => Math.ceil(Buffer.byteLength(text, "utf8") / 4);

export const unavailable = (message: string, cause?: unknown): PalimpsestError =>
  new PalimpsestError("MODEL_UNAVAILABLE", message, cause === undefined ? {} : { cause });
