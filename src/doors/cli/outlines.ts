import { allCommands } from "./catalog.js";
import type { Command } from "./command.js";

/** What the help of all says of a command. */
export type Outline = Pick<Command, "name" | "summary" | "args" | "hidden">;

/** The build puts the table in the place of this file: to load every command for one line of each costs several times as much. */
export const outlines = (): Promise<readonly Outline[]> => allCommands();
