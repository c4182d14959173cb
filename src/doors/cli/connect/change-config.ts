import { basename, dirname } from "node:path";
import { CliError } from "../fail.js";
import type { Edit, Start } from "./agents.js";

export interface ConfigChange {
  readonly file: string;
  /** The folder that strangers may have filled, in which no link is followed; false for what is the user's own. */
  readonly project: string | false;
  readonly before: string | undefined;
  /** Undefined when the file is to go. */
  readonly after: string | undefined;
  /** The file is kept as it was, beside it. */
  readonly isKept?: true;
  /** The copy that the file is as again, so that it need not be kept any more. */
  readonly done?: Copy;
}

const BACKUP = ".before-palimpsest";

interface Copy {
  readonly path: string;
  readonly text: string;
}

/** What connecting would do to a configuration; the same text when it is connected already. */
export async function planConnect(
  edit: Edit,
  path: string,
  start: Start,
  project: string | false,
): Promise<ConfigChange> {
  const { file, before } = await readConfig(path, project);
  if (before === undefined) return { file, project, before, after: edit.connect("", start) };
  return edited(file, () => {
    const isDone = edit.isConnected(before, start);
    const after = isDone ? before : edit.connect(before, start);
    // What is kept is the file as it was before us, not before the last of our changes.
    const isKept = !isDone && !(holdsUs(edit, before) && edit.isOurs(before));
    return { file, project, before, after, ...(isKept && { isKept }) };
  });
}

/**
 * What undoing would do: back to the very bytes from before if nothing else has changed since, else only our entry goes.
 */
export async function planUndo(
  edit: Edit,
  path: string,
  start: Start,
  project: string | false,
): Promise<ConfigChange> {
  const { file, before } = await readConfig(path, project);
  if (before === undefined) return { file, project, before, after: before };
  const copies = await copiesOf(file);
  return edited(file, () => {
    const left = edit.disconnect(before);
    const isAllOurs = (old: string): boolean =>
      left !== before &&
      [edit, ...(edit.parts ?? [])].some((one) => edit.disconnect(one.connect(old, start)) === left);
    const done = copies.findLast(({ text }) => isSafely(() => isAllOurs(text)));
    if (done) return { file, project, before, after: done.text, done };
    if (copies.length === 0 && isAllOurs("")) return { file, project, before, after: undefined };
    // What somebody else had written of us comes back, though the rest of the file has changed.
    const old = copies.find(({ text }) => isSafely(() => holdsUs(edit, text) && !edit.isOurs(text)));
    return { file, project, before, after: old && left !== before ? edit.restore(left, old.text) : left };
  });
}

/** Several edits of one file as one. */
export const together = (edits: readonly [Edit, ...Edit[]]): Edit => ({
  file: edits[0].file,
  parts: edits,
  isConnected: (text, start) => edits.every((edit) => edit.isConnected(text, start)),
  connect: (text, start) => edits.reduce((one, edit) => edit.connect(one, start), text),
  disconnect: (text) => edits.reduce((one, edit) => edit.disconnect(one), text),
  isOurs: (text) => edits.every((edit) => !holdsUs(edit, text) || edit.isOurs(text)),
  restore: (text, from) => edits.reduce((one, edit) => edit.restore(one, from), text),
});

/** What was kept of it, the oldest first. A link, or what is no text, was not kept by us. */
async function copiesOf(file: string): Promise<Copy[]> {
  const { copyNames, readPlain } = await import("../../../session/index.js");
  const copies: Copy[] = [];
  for (const path of copyNames(file, BACKUP)) {
    const bytes = await readPlain(path, { follow: false, most: LARGEST }).catch(
      (error: NodeJS.ErrnoException) => (error.code === "ENOENT" ? undefined : null),
    );
    if (bytes === undefined) return copies;
    const text = bytes === null ? undefined : textIn(bytes);
    if (text !== undefined) copies.push({ path, text });
  }
  return copies;
}

/** What lies there under the name of a copy may be anything. */
function isSafely(test: () => boolean): boolean {
  try {
    return test();
  } catch {
    return false;
  }
}

const holdsUs = (edit: Edit, text: string): boolean => edit.disconnect(text) !== text;

/** Writes what was planned, unless the agent itself changed the file meanwhile. Answers where the file is kept as it was. */
export async function apply(change: ConfigChange): Promise<string | undefined> {
  const { file, project, before, after, isKept, done } = change;
  if (before === after) return undefined;
  const { checkPut, editFile, keepCopy } = await import("../../../session/index.js");
  await checkPut(file, { project, over: { text: before } });
  const copy = isKept && before !== undefined ? await keepCopy(file, BACKUP, before, { project }) : undefined;
  await editFile(file, before, after, { project, makes: {} });
  if (done) await editFile(done.path, done.text, undefined, { project });
  if (after === undefined) await removeEmpty(dirname(file), project);
  return copy;
}

/** Folders of agents, as far as they may have been made for our file alone. */
const OF_AGENTS = new Set([
  ".config",
  ".claude",
  ".codex",
  ".cursor",
  ".gemini",
  ".opencode",
  "opencode",
  "plugin",
]);

async function removeEmpty(folder: string, project: string | false): Promise<void> {
  if (!OF_AGENTS.has(basename(folder)) || folder === project) return;
  const { removeEmptyFolder } = await import("../../../session/index.js");
  if (await removeEmptyFolder(folder)) await removeEmpty(dirname(folder), project);
}

/** No configuration is longer. */
const LARGEST = 64 << 20;

/**
 * At home a link is followed, as those have who keep their settings in one place: it is the file behind it that is to
 * change. In a project none is, because what it leads to is nothing of the project's.
 */
async function readConfig(
  path: string,
  project: string | false,
): Promise<{ file: string; before: string | undefined }> {
  const { Destination, readPlain } = await import("../../../session/index.js");
  try {
    const place = await Destination.of(path, { project });
    const file = place.path;
    try {
      if (!(await place.look())) return { file, before: undefined };
      const before = textIn(await readPlain(place.at(), { follow: false, as: file, most: LARGEST }));
      if (before === undefined) throw new Error("It is not UTF-8 text.");
      return { file, before };
    } finally {
      await place.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return { file: path, before: undefined };
    if (code === "INVALID_FILE") throw error;
    throw new CliError("FILE_UNUSABLE", `${path} cannot be read.`, "Check its permissions.", 3);
  }
}

/** Undefined for what is not UTF-8: to write it again would change bytes that nobody meant. */
function textIn(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
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
