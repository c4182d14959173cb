import { VERBS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { WRITING, writingOf } from "../fields.js";
import { flagsOf, valuesOf } from "../flags.js";
import { textOrStdin } from "../input-text.js";
import { line } from "../line.js";
import { withSession } from "../open.js";
import { answerVerdict } from "../verdict-lines.js";

const { options: OPTIONS } = VERBS.setIdentity;

export const command: Command = {
  name: "identity",
  summary: "who the agent is: show it, or say it",
  args: [{ name: "[text]", description: "who it is and what it is for; - reads stdin" }],
  options: [...flagsOf(OPTIONS, "scope"), WRITING.message, WRITING.dryRun],
  at: true,
  examples: [
    "pal identity",
    'pal identity "I am Orion. I keep the fleet running." --agent orion --scope agent/orion',
  ],
  async run(call) {
    const { args, options, globals, io, out } = call;
    const [text] = args;
    const place = valuesOf(options, OPTIONS, "scope");
    if (text !== undefined) {
      const said = await textOrStdin(io, text);
      const verdict = await withSession(call, "creatable", (session) =>
        session.setIdentity(said, { ...place, ...writingOf(options) }),
      );
      return answerVerdict(call, verdict, "remembered");
    }
    const found = await withSession(call, "existing", (session) =>
      session.identity({ ...place, ...(globals.at !== undefined && { at: globals.at }) }),
    );
    if (!found) {
      await out.answer(null, () => []);
      if (!out.json)
        await out.talk(
          out.talkPaint.dim("nobody has said who the agent is"),
          line`  \`pal identity "I am …"\` says it.`,
        );
      return 1;
    }
    await out.answer(found, () => found.text.split("\n").map((one) => line`${one}`));
    return 0;
  },
};
