import { resolve } from "node:path";
import { VERBS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { flagsOf, valuesOf } from "../flags.js";
import { fileOrStdin } from "../input-text.js";
import { line } from "../line.js";
import { withSession } from "../open.js";
import { safeJson } from "../safe.js";

const { options: OPTIONS } = VERBS.handOver;

export const command: Command = {
  name: "hand-over",
  summary: "a session as one file for another agent or store, or --take one over",
  args: [
    {
      name: "[file]",
      description: "where it goes, or with --take where it comes from; default stdout or stdin",
    },
  ],
  options: [
    { flags: "--take", description: "take over what another session handed over; it waits for review" },
    ...flagsOf(OPTIONS, "message", "max"),
  ],
  examples: [
    "pal hand-over work.json --session s1 --message 'Go on with the parser'",
    "pal hand-over work.json --take",
  ],
  async run(call) {
    const { args, options, io, out } = call;
    const [file] = args;
    if (options.flag("take")) {
      const text = await fileOrStdin(io, file ?? "-");
      const taken = await withSession(call, "creatable", (session) => session.takeOver(text));
      await out.answer(taken, (paint) => [
        line`${paint.green("✓")} from ${taken.from.agent}: ${taken.offered} memories${taken.message === undefined ? "" : `  “${taken.message}”`}`,
        ...(taken.proposal === undefined
          ? []
          : [
              line`${paint.dim("waits")} ${paint.yellow(taken.proposal.slice(0, 12))}  ${paint.dim("see `pal review`")}`,
            ]),
      ]);
      return 0;
    }
    const value = await withSession(call, "existing", (session) =>
      session.handOver(valuesOf(options, OPTIONS, "message", "max")),
    );
    if (file === undefined) {
      await io.stdout.write(`${safeJson(value, 2)}\n`);
      return 0;
    }
    const { isMadeHere, putFile } = await import("../../../session/index.js");
    await putFile(resolve(io.cwd, file), `${safeJson(value, 2)}\n`, { over: isMadeHere("hand-over") });
    const told = { file, memories: value.session.length + value.beliefs.length, commit: value.commit };
    await out.answer(told, (paint) => [
      line`${paint.green("✓")} handed over ${told.memories} memories in ${file}`,
    ]);
    return 0;
  },
};
