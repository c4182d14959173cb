import { copyFile, readFile, realpath, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { CliError } from "../fail.js";
import type { Agent, Start } from "./agents.js";

export interface ConfigChange {
  readonly file: string;
  readonly before: string | undefined;
  /** Undefined when the file is to go. */
  readonly after: string | undefined;
  /** Where the file as it was is kept, when there was one. */
  readonly backup?: string;
  /** The file is as it was kept, so that nothing need be kept any more. */
  readonly isBackupDone?: true;
}

const BACKUP = ".before-palimpsest";

/** What connecting would do to a configuration; the same text when it is connected already. */
export async function planConnect(agent: Agent, path: string, start: Start): Promise<ConfigChange> {
  const { file, before } = await readConfig(path);
  if (before === undefined) return { file, before, after: agent.connect("", start) };
  return edited(file, () => {
    const isDone = agent.isConnected(before, start);
    const after = isDone ? before : agent.connect(before, start);
    // What is kept is the file as it was before us, not before the last of our changes.
    return { file, before, after, ...(!isDone && !holdsUs(agent, before) && { backup: file + BACKUP }) };
  });
}

/**
 * What undoing would do: back to the very bytes from before if nothing else has changed since, else only our entry goes.
 */
export async function planUndo(agent: Agent, path: string, start: Start): Promise<ConfigChange> {
  const { file, before } = await readConfig(path);
  if (before === undefined) return { file, before, after: before };
  const old = await readFile(file + BACKUP, "utf8").catch(() => undefined);
  return edited(file, () => {
    const left = agent.disconnect(before);
    const isAllOurs = left !== before && agent.disconnect(agent.connect(old ?? "", start)) === left;
    if (isAllOurs && old === undefined) return { file, before, after: undefined };
    if (isAllOurs) return { file, before, after: old, isBackupDone: true };
    return { file, before, after: left };
  });
}

const holdsUs = (agent: Agent, text: string): boolean => agent.disconnect(text) !== text;

/** Writes what was planned, unless the agent itself changed the file meanwhile. */
export async function apply({ file, before, after, backup, isBackupDone }: ConfigChange): Promise<void> {
  if (before === after) return;
  if (after === undefined) return rm(file, { force: true });
  const { makeFolder, replaceFile } = await import("../../../session/index.js");
  if (backup !== undefined) await copyFile(file, backup);
  if (before === undefined) await makeFolder(dirname(file));
  await replaceFile(file, after, before);
  if (isBackupDone) await rm(file + BACKUP, { force: true });
}

/** A link is followed: it is the file behind it that is to change. */
async function readConfig(path: string): Promise<{ file: string; before: string | undefined }> {
  const file = await realpath(path).catch(() => path);
  try {
    return { file, before: await readFile(file, "utf8") };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { file, before: undefined };
    throw new CliError("FILE_UNUSABLE", `${file} cannot be read.`, "Check its permissions.", 3);
  }
}

function edited<T>(file: string, edit: () => T): T {
  try {
    return edit();
  } catch (error) {
    throw new CliError(
      "FILE_UNUSABLE",
      `${file} cannot be changed safely: ${(error as Error).message}.`,
      "It was left as it is; add the server by hand, or mend the file and try again.",
      1,
    );
  }
}
