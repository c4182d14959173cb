import { PalimpsestError } from "../core/base/index.js";

export const closedError = (location: string): PalimpsestError =>
  new PalimpsestError("CLOSED", `The store ${location} was closed.`);
