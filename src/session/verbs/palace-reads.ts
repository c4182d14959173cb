import type { Tip } from "../../ledger/index.js";
import { CONFIG_ID, DEFAULT_CONFIG, IDENTITY_ID } from "../../palace/index.js";
import type { Context } from "../context.js";
import { findWhole } from "../find.js";
import type { Memory } from "../memory.js";
import type { Reader } from "../reader.js";
import { get } from "./get.js";

/** Who the agent is: in its own scope, else its project's, else the shared one. */
export async function identity(
  context: Context,
  reader: Reader,
  tip: Tip,
  now: string,
  scope: string | undefined,
): Promise<Memory | undefined> {
  // Where there is none, nobody looks for ids that this one might be a part of: it is asked for at every recall.
  return get(context, reader, tip, now, IDENTITY_ID, scope, findWhole);
}

/** The settings of a palace; those of a new one where nobody has said anything. */
export async function config(
  context: Context,
  reader: Reader,
  tip: Tip,
  now: string,
  scope: string | undefined,
): Promise<string> {
  const own = await get(context, reader, tip, now, CONFIG_ID, scope, findWhole);
  return own?.text ?? DEFAULT_CONFIG;
}
