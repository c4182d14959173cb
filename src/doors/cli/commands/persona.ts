import type { Command } from "../command.js";
import { textOrStdin } from "../input-text.js";
import { line } from "../line.js";
import { withSession } from "../open.js";

export const command: Command = {
  name: "persona",
  summary: "which persona (branch) a context belongs to; a new one is only proposed",
  args: [{ name: "<context>", description: "what it is about; - reads stdin. With --accept: the proposal" }],
  options: [
    { flags: "--switch", description: "check out the persona that fits" },
    { flags: "--accept", description: "make the persona that was proposed under this id" },
  ],
  examples: ['pal persona "debug the Python tests" --switch'],
  async run(call) {
    const { args, options, io, out } = call;
    const text = await textOrStdin(io, args[0] ?? "");
    if (options.flag("accept")) {
      const made = await withSession(call, "existing", (session) => session.acceptPersona(text));
      await out.answer(made, (paint) => [line`${paint.green("✓")} made the branch ${paint.bold(made.name)}`]);
      return 0;
    }
    const answer = await withSession(call, "existing", async (session) => {
      const found = await session.maybeSwitchPersona(text);
      if (found.switched && options.flag("switch")) await session.checkout(found.branch);
      return found;
    });
    await out.answer(answer, (paint) => [
      line`${answer.switched ? paint.green("→") : "·"} ${paint.bold(answer.branch)}  ${paint.dim(answer.reason)}`,
      ...answer.scores
        .slice(0, 5)
        .map(({ branch, score }) => line`  ${branch} ${paint.dim(score.toFixed(2))}`),
      ...(answer.proposal === undefined
        ? []
        : [
            line`${paint.dim("waits")} ${paint.yellow(answer.proposal.slice(0, 12))}  ${paint.dim("`pal persona --accept` makes it")}`,
          ]),
    ]);
    return 0;
  },
};
