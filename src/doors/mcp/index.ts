/** mcp: the memory as a server of the Model Context Protocol. Loaded by `pal mcp` only. */
export { openDoor } from "./open-door.js";
export { serveOverStdio } from "./stdio.js";
