import type { Session } from "../../../session/index.js";
import type { Command } from "../command.js";
import { line } from "../line.js";
import { withSession } from "../open.js";
import type { Options } from "../options.js";

export const command: Command = {
  name: "context",
  summary: "a block for a prompt: what is always shown, what bears on a query, or where a branch stands",
  options: [
    { flags: "--query <text>", description: "what the prompt is about" },
    { flags: "--briefing", description: "what is always shown: canon and topics" },
    { flags: "--max-items <count>", description: "at most so many memories" },
    {
      flags: "-k, --k <count>",
      description: "of a branch: the last milestones, with the steps since; default 1",
    },
    { flags: "--budget <tokens>", description: "at most about so many tokens; default 2000" },
    { flags: "--decisions", description: "of a branch: only what was decided" },
  ],
  at: true,
  examples: [
    'pal context --query "the backend" --budget 500',
    "pal context --briefing",
    "pal context --branch parser --k 3 --budget 1000",
  ],
  async run(call) {
    const { globals, options, out } = call;
    const found = await withSession(call, "existing", (session) => blockOf(session, options, globals.at));
    await out.answer(found, () =>
      found.text === "" ? [] : found.text.split("\n").map((text) => line`${text}`),
    );
    return 0;
  },
};

function blockOf(session: Session, options: Options, at: string | undefined) {
  const [k, budget, maxItems] = [options.count("k"), options.count("budget"), options.count("maxItems")];
  const query = options.text("query");
  const most = { ...(budget !== undefined && { budget }), ...(at !== undefined && { at }) };
  if (query !== undefined || options.flag("briefing"))
    return session.promptContext({
      ...most,
      ...(query !== undefined && { query }),
      ...(maxItems !== undefined && { maxItems }),
    });
  return session.branchContext({
    ...most,
    ...(k !== undefined && { k }),
    ...(options.flag("decisions") && { view: "decisions" as const }),
  });
}
