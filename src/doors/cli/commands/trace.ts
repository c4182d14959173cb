import { STEP_KINDS, type StepKind, type TraceStep } from "../../../session/index.js";
import type { Call, Command } from "../command.js";
import { usage } from "../fail.js";
import { type Line, line, oneLine } from "../line.js";
import { withSession } from "../open.js";
import type { Out } from "../out.js";
import { plural, shownTime } from "../show.js";
import { answerVerdict } from "../verdict-lines.js";

export const command: Command = {
  name: "trace",
  summary: "the steps of the work on a branch: what was observed, thought and done",
  args: [
    { name: "<what>", description: "add or list" },
    { name: "[text]", description: "with add: the step" },
  ],
  options: [
    {
      flags: "--kind <kind>",
      description: "with add: observation, thought or action (default)",
      choices: STEP_KINDS,
    },
  ],
  at: true,
  examples: ['pal trace add "Ran the tests: 3 fail" --kind observation', "pal trace list --branch parser"],
  async run(call) {
    const [what, text] = call.args;
    if (what === "add") return add(call, text);
    if (what !== "list")
      throw usage(`Not something trace does: ${what}.`, "Say `pal trace add <text>` or `pal trace list`.");
    const {
      out,
      globals: { at },
    } = call;
    const steps = await withSession(call, "existing", (session) =>
      session.trace(at === undefined ? {} : { at }),
    );
    await out.answer(steps, () => steps.map((step) => stepLine(step, out)));
    if (!out.json) await out.talk(out.talkPaint.dim(plural(steps.length, "step")));
    return 0;
  },
};

async function add(call: Call, text: string | undefined): Promise<number> {
  if (text === undefined) throw usage("Which step?", "Say `pal trace add <text>`.");
  if (call.globals.at !== undefined) throw usage("A step is added to the present.", "Leave --at out.");
  const kind = (call.options.text("kind") ?? "action") as StepKind;
  const verdict = await withSession(call, "creatable", (session) => session.addStep(kind, text));
  return answerVerdict(call, verdict, "recorded");
}

const COLOURS = { observation: "cyan", thought: "dim", action: "green" } as const;

function stepLine({ kind, text, time, from }: TraceStep, { paint, columns }: Out): Line {
  const origin = from === undefined ? "" : `(${from}) `;
  const head = line`${paint.dim(shownTime(time, { columns }).padEnd(10))} ${paint[COLOURS[kind]](kind.padEnd(11))} ${paint.dim(origin)}`;
  return line`${head}${oneLine(text, Math.max(8, columns - head.columns))}`;
}
