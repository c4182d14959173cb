import type { Session } from "../../../session/index.js";
import { VERBS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { flagOf, flagsOf, flagsWhen, valuesOf } from "../flags.js";
import { line } from "../line.js";
import { withSession } from "../open.js";
import type { Options } from "../options.js";

const { options: BLOCK } = VERBS.promptContext;
const { options: BRANCH } = VERBS.branchContext;

export const command: Command = {
  name: "context",
  summary: "a block for a prompt: what is always shown, what bears on a query, or where a branch stands",
  options: [
    ...flagsOf(BLOCK, "query"),
    { flags: "--briefing", description: "what is always shown: canon and topics" },
    ...flagsOf(BLOCK, "maxItems"),
    ...flagsWhen("of a branch", [flagOf(BRANCH, "k", "-k, --k <count>")]),
    ...flagsOf(BLOCK, "budget"),
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
  const of = valuesOf(options, BRANCH, "k");
  const block = valuesOf(options, BLOCK, "query", "maxItems");
  const most = { ...valuesOf(options, BLOCK, "budget"), ...(at !== undefined && { at }) };
  if (options.has("query") || options.flag("briefing")) return session.promptContext({ ...most, ...block });
  return session.branchContext({
    ...most,
    ...of,
    ...(options.flag("decisions") && { view: "decisions" as const }),
  });
}
