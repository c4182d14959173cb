import { PalimpsestError } from "../../core/base/index.js";
import { matchPlaybooks, type Playbook, type PlaybookHit } from "../../palace/index.js";
import type { PlaybookOptions } from "../options.js";
import { playbookFolders, playbooksIn } from "../playbook-files.js";

/** A folder that could not be read is named: not having looked is not having found nothing. */
export interface PlaybookAnswer {
  readonly hits: readonly PlaybookHit[];
  /** How many procedures there are. */
  readonly count: number;
  readonly unavailable: readonly { readonly folder: string; readonly reason: string }[];
}

/** L4: the documented ways to do a task, best first. */
export async function playbooks(task: string, options: PlaybookOptions): Promise<PlaybookAnswer> {
  const found: Playbook[] = [];
  const unavailable: { folder: string; reason: string }[] = [];
  for (const folder of options.folders ?? playbookFolders())
    try {
      found.push(...(await playbooksIn(folder)));
    } catch (error) {
      if (!(error instanceof PalimpsestError)) throw error;
      unavailable.push({ folder, reason: error.message });
    }
  return { hits: matchPlaybooks(found, task, options.limit ?? 5), count: found.length, unavailable };
}
