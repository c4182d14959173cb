import { isAbsolute } from "node:path";
import type { AgentName, HookEvent } from "../../hooks/index.js";
import type { Call, Command } from "../command.js";
import { fileOrStdin } from "../input-text.js";
import { line } from "../line.js";
import { sessionOptions, withStore } from "../open.js";

export const command: Command = {
  name: "hook",
  summary: "answer an event of a coding agent (JSON on stdin and stdout)",
  args: [{ name: "<event>", description: "SessionStart, UserPromptSubmit, PreCompact, SessionEnd or Stop" }],
  options: [
    {
      flags: "--budget <tokens>",
      description: "at most about so many tokens; 300 for a prompt, 900 for a start unless given",
    },
  ],
  examples: ["pal hook SessionStart --agent claude"],
  async run(call) {
    const { args, out, globals } = call;
    const { AGENTS, eventOf } = await import("../../hooks/index.js");
    const [name = ""] = args;
    const event = eventOf(name);
    const agent = AGENTS.find((known) => known === (globals.agent ?? "claude"));
    if (event === undefined || agent === undefined)
      await out.talk(line`pal hook: nothing to do for the event ${name} of ${globals.agent ?? "claude"}.`);
    await out.value(event && agent ? await answered(call, event, agent) : {});
    return 0;
  },
};

/** Whatever goes wrong, the host goes on: a memory that cannot be read is no reason to stop somebody's work. */
async function answered(call: Call, event: HookEvent, agent: AgentName): Promise<object> {
  const { answerFor, mayBeKnown, readInput, runHook, takesContext } = await import("../../hooks/index.js");
  try {
    // A person who tries it out sends no event, and would wait for ever.
    const input = readInput(call.io.stdin.isTTY ? "{}" : await fileOrStdin(call.io, "-"));
    const io = input.cwd !== undefined && isAbsolute(input.cwd) ? { ...call.io, cwd: input.cwd } : call.io;
    const session = call.globals.session ?? input.session;
    const globals = { ...call.globals, session };
    if (!takesContext(agent, event)) return answerFor(agent, event, "");
    if (event === "prompt" && !mayBeKnown(input.prompt ?? "")) return answerFor(agent, event, "");
    const { toName } = await import("../../../session/opening.js");
    const options = sessionOptions({ globals, io }, toName);
    const home = options.project === undefined ? "shared" : `project/${options.project}`;
    const context = await withStore({ ...call, io, globals, out: silent(call) }, "creatable", (store) =>
      runHook(
        store.session({ ...options, home, channel: "hook", trust: "agent" }),
        event,
        agent,
        input,
        call.options.count("budget"),
      ),
    );
    return answerFor(agent, event, context);
  } catch (error) {
    if (call.options.flag("verbose")) await call.out.talk(String(error));
    return answerFor(agent, event, "");
  }
}

/** Warnings about the store are for people; here nobody reads them. */
const silent = ({ out, options }: Call): Call["out"] =>
  options.flag("verbose") ? out : Object.assign(Object.create(out) as Call["out"], { talk: async () => {} });
