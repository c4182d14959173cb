import type { Session } from "../../session/index.js";
import type { OptionSpec, Options } from "./options.js";

/** How an id is given to a command that only reads. */
export const READ_ID = "its id or topic, or 6 or more of the id's first or last characters";

/** How an id is given to a command that changes something. */
export const WRITE_ID =
  "its whole id as it is shown, or its topic; with --part 6 or more first or last characters";

/** The one mark by which a command that changes something takes a part of an id. */
export const PART: OptionSpec = {
  flags: "--part",
  description: "the id is given in part, as to a command that reads",
};

export interface Named {
  readonly id: string;
  readonly scope?: string;
}

/** What is to be changed: as it was given, or with --part the whole name of what a reader would find by it. */
export async function named(
  session: Session,
  id: string,
  options: Options,
  place: { readonly scope?: string },
): Promise<Named> {
  const found = options.flag("part") ? await session.get(id, place) : undefined;
  return found ? { id: found.id, scope: found.scope } : { id, ...place };
}
