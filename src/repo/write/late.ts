import { Late } from "../late.js";

/** The code of writes, loaded with the first. */
export const writing = new Late(() => import("./writing.js"));
