/** mcp: the memory as a server of the Model Context Protocol. Loaded by `pal mcp` only. */
export { openDoor } from "./open-door.js";
export type { Serving } from "./serving.js";
export { serveOverStdio } from "./stdio.js";

type Http = typeof import("./http.js");
/** What serves HTTP is loaded only by whoever does. */
export const serveOverHttp: Http["serveOverHttp"] = async (...args) =>
  (await import("./http.js")).serveOverHttp(...args);

type Compat = typeof import("./compat/open-graph.js");
/** Nor does anybody load the official memory server's interface who does not serve it. */
export const openGraph: Compat["openGraph"] = async (...args) =>
  (await import("./compat/open-graph.js")).openGraph(...args);
