import type { Command } from "../command.js";
import { usage } from "../fail.js";
import { line, oneLine } from "../line.js";
import { withStore } from "../open.js";

/** After the client has closed its side, whatever still holds the process is let go. */
const EXIT_MS = 1_500;

export const command: Command = {
  name: "mcp",
  summary: "serve the memory to an agent over the Model Context Protocol (stdin and stdout)",
  options: [
    { flags: "--tools <choice>", description: "default (7 tools) or full", choices: ["default", "full"] },
  ],
  examples: ["pal mcp", "pal mcp --agent orion --tools full"],
  async run(call) {
    const { options, globals, io, out } = call;
    if (globals.operator)
      throw usage("An agent never writes with the trust of the operator.", "Leave --operator out.");
    return withStore(call, "creatable", async (store) => {
      const { openDoor, serveOverStdio } = await import("../../mcp/index.js");
      const { version } = await import("../version.js");
      const door = openDoor(store, {
        globals,
        io,
        version,
        tools: options.text("tools") === "full" ? "full" : "default",
        clearance: "private",
        log: (text) => void out.complain([line`pal mcp: ${oneLine(text)}`]),
      });
      await serveOverStdio(door, {
        input: io.stdin.open(),
        write: (text) => io.stdout.write(text),
        onEnd: () => void setTimeout(() => process.exit(0), EXIT_MS).unref(),
      });
      await door.close();
      return 0;
    });
  },
};
