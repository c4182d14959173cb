import { isAbsolute } from "node:path";
import type { AgentName } from "../../hooks/index.js";
import type { Call, Command } from "../command.js";
import { usage } from "../fail.js";
import { fileOrStdin } from "../input-text.js";
import { sessionOptions, withStore } from "../open.js";

export const command: Command = {
  name: "hook",
  summary: "answer an event of a coding agent (JSON on stdin and stdout)",
  args: [{ name: "<event>", description: "SessionStart, UserPromptSubmit, PreCompact, SessionEnd or Stop" }],
  examples: ["pal hook SessionStart --agent claude"],
  async run(call) {
    const { args, out, globals } = call;
    const { AGENTS, eventOf } = await import("../../hooks/index.js");
    const [name = ""] = args;
    const [event, agent] = [eventOf(name), globals.agent ?? "claude"];
    if (event === undefined)
      throw usage(`There is no event ${JSON.stringify(name)}.`, "For example SessionStart.");
    if (!AGENTS.includes(agent as AgentName))
      throw usage(`There is no agent ${JSON.stringify(agent)}.`, `Choose one of ${AGENTS.join(", ")}.`);
    await out.value(await answered(call, name, agent as AgentName));
    return 0;
  },
};

/** Whatever goes wrong, the host goes on: a memory that cannot be read is no reason to stop somebody's work. */
async function answered(call: Call, name: string, agent: AgentName): Promise<object> {
  const { answerFor, eventOf, readInput, runHook } = await import("../../hooks/index.js");
  const event = eventOf(name)!;
  try {
    const input = readInput(await fileOrStdin(call.io, "-"));
    const io = input.cwd !== undefined && isAbsolute(input.cwd) ? { ...call.io, cwd: input.cwd } : call.io;
    const session = call.globals.session ?? input.session;
    const globals = { ...call.globals, session };
    const { toName } = await import("../../../session/index.js");
    const options = sessionOptions({ globals, io }, toName);
    const home = options.project === undefined ? "shared" : `project/${options.project}`;
    const context = await withStore({ ...call, io, globals, out: silent(call) }, "creatable", (store) =>
      runHook(store.session({ ...options, home, channel: "hook", trust: "agent" }), event, agent, input),
    );
    return answerFor(agent, event, name, context);
  } catch (error) {
    if (call.options.flag("verbose")) await call.out.talk(String(error));
    return answerFor(agent, event, name, "");
  }
}

/** Warnings about the store are for people; here nobody reads them. */
const silent = ({ out, options }: Call): Call["out"] =>
  options.flag("verbose") ? out : Object.assign(Object.create(out) as Call["out"], { talk: async () => {} });
