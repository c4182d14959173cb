import type { Branch } from "../../../session/index.js";
import type { Command } from "../command.js";
import { at } from "../globals.js";
import { type Line, line, oneLine, type Paint } from "../line.js";
import { withSession } from "../open.js";
import { aligned, shortHash } from "../show.js";

export const command: Command = {
  name: "branches",
  summary: "all branches, each a persona; * is the one you are on",
  at: true,
  examples: ["pal branches", "pal branches --at 2026-03-01"],
  async run(call) {
    const { out } = call;
    const found = await withSession(call, "existing", (session) => session.branches(at(call)));
    await out.answer(found, (paint) => branchLines(found, paint, out.columns));
    return 0;
  },
};

/** What the first branch is for, as long as nobody says. */
const NOBODY = "default";
const STATUS = { open: "dim", merged: "green", abandoned: "red" } as const;

function branchLines(branches: readonly Branch[], paint: Paint, columns: number): Line[] {
  // Beside a long name the rest is still to be seen.
  const most = Math.max(24, columns - 54);
  const rows = branches.map(({ name, head, persona, purpose, status, current }) => ({
    cells: [
      current ? paint.green(line`* ${oneLine(name, most)}`) : line`  ${oneLine(name, most)}`,
      paint.yellow(shortHash(head)),
      persona === name || persona === NOBODY ? "" : paint.cyan(`as ${persona}`),
      paint[STATUS[status]](status),
    ],
    text: purpose,
  }));
  return aligned(rows, columns);
}
