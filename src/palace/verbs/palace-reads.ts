import type { Memory } from "../../memories/index.js";
import { CONFIG_ID, get, IDENTITY_ID } from "../../memories/index.js";
import type { At } from "../../repo/index.js";
import { findWhole } from "../../repo/index.js";
import { DEFAULT_CONFIG, type PalaceConfig, readConfig } from "../config.js";

/** Who the agent is: in its own scope, else its project's, else the shared one. */
export async function identity(at: At, scope: string | undefined): Promise<Memory | undefined> {
  // Where there is none, nobody looks for ids that this one might be a part of: it is asked for at every recall.
  return get(at, IDENTITY_ID, scope, findWhole);
}

/** The settings of a palace; those of a new one where nobody has said anything. */
export async function config(at: At, scope: string | undefined): Promise<string> {
  const own = await get(at, CONFIG_ID, scope, findWhole);
  return own?.text ?? DEFAULT_CONFIG;
}

/** The same, read. */
export const settings = async (at: At): Promise<PalaceConfig> => readConfig(await config(at, undefined));
