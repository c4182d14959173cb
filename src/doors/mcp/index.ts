/** mcp: the memory as a server of the Model Context Protocol. Loaded by `pal mcp` only. */
export { openDoor } from "./open-door.js";
export { serveOverStdio } from "./stdio.js";

type Http = typeof import("./http.js");
/** What serves HTTP is loaded only by whoever does. */
export const serveOverHttp: Http["serveOverHttp"] = async (...args) =>
  (await import("./http.js")).serveOverHttp(...args);
export { startHeartbeat } from "./heartbeat.js";
