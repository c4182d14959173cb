/**
 * What every command of a door needs: to open a store and to say what is wrong. The whole of `index.ts` would load all
 * that a session can do; verbs load their own code when they are called.
 */
export { ERRORS, PalimpsestError, quote, shortId, toName } from "../core/base/index.js";
export { linesOf } from "../documents/index.js";
export { isPostgresUrl, openPlain, readPlain, readPlainSync } from "../storage/index.js";
export { defaultLocation, openStore } from "./open-store.js";
export { VERBS } from "./session.js";
export { STORE_OPTIONS } from "./store.js";
