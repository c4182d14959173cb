import type { Call, Command } from "../command.js";
import { clean } from "../line.js";

export const command: Command = {
  name: "complete",
  summary: "what could come next on a line; called by the scripts of `pal completion`",
  args: [{ name: "[words...]", description: "the line so far, after --" }],
  examples: ["pal complete -- lo"],
  hidden: true,
  async run(call) {
    const { completionsOf } = await import("../completions.js");
    const words = (call.args as readonly unknown[]).flat() as string[];
    const lines = completionsOf(await call.definitions(), words, await branchesFor(call, words));
    await call.out.answer({ completions: lines }, () => lines.map((text) => clean(text)));
    return 0;
  },
};

/** Names are looked up only where one can stand; a shell that asks for more than that would be slow. */
async function branchesFor(call: Call, words: readonly string[]): Promise<string[]> {
  const { takesBranch } = await import("../completions.js");
  if (!takesBranch(words)) return [];
  const { withSession } = await import("../open.js");
  try {
    return (await withSession(call, "existing", (session) => session.branches())).map(({ name }) => name);
  } catch {
    return [];
  }
}
