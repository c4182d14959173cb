import { allCommands } from "./catalog.js";
import type { Command } from "./command.js";

/** What the help of all says of a command. */
export type Outline = Pick<Command, "name" | "summary" | "args" | "hidden">;

/** The same as the table in outline-table.ts, from the commands themselves. */
export const outlinesOfAll = async (): Promise<readonly Outline[]> =>
  (await allCommands()).map(({ name, summary, args, hidden }) => ({
    name,
    summary,
    ...(args && { args }),
    ...(hidden && { hidden }),
  }));
