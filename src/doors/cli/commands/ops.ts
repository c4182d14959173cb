import type { OperationItem } from "../../../session/index.js";
import type { Command } from "../command.js";
import { type Line, line, oneLine } from "../line.js";
import { withSession } from "../open.js";
import type { Out } from "../out.js";
import { shortHash, shownTime, who } from "../show.js";

export const command: Command = {
  name: "ops",
  summary: "the operation log: what moved which branch, newest first",
  options: [{ flags: "-n, --limit <count>", description: "at most so many; default 20" }],
  examples: ["pal ops -n 5"],
  async run(call) {
    const limit = call.options.count("limit") ?? 20;
    const operations = await withSession(call, "existing", (session) => session.ops({ limit }));
    await call.out.answer(operations, () => operations.map((item) => operationLine(item, call.out)));
    return 0;
  },
};

function operationLine({ op, verb, time, author, refs, why }: OperationItem, out: Out): Line {
  const { paint } = out;
  const moves = refs.map(({ name, before, after }) => {
    const [from, to] = [before, after].map((hash) => (hash === undefined ? "nothing" : shortHash(hash)));
    return `${name} ${from} → ${to}`;
  });
  const said = why === undefined ? "" : `  ${why}`;
  return line`${paint.yellow(shortHash(op))} ${verb.padEnd(15)}  ${shownTime(time, out)}  ${who(author)}  ${paint.dim(oneLine(moves.join(", ") + said))}`;
}
