import { PalimpsestError } from "../../core/base/index.js";

export const unavailable = (message: string, cause?: unknown): PalimpsestError =>
  new PalimpsestError("MODEL_UNAVAILABLE", message, cause === undefined ? {} : { cause });
