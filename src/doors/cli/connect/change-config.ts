import { CliError } from "../fail.js";
import type { Agent, Start } from "./agents.js";

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
  agent: Agent,
  path: string,
  start: Start,
  project: string | false,
): Promise<ConfigChange> {
  const { file, before } = await readConfig(path, project);
  if (before === undefined) return { file, project, before, after: agent.connect("", start) };
  return edited(file, () => {
    const isDone = agent.isConnected(before, start);
    const after = isDone ? before : agent.connect(before, start);
    // What is kept is the file as it was before us, not before the last of our changes.
    return { file, project, before, after, ...(!isDone && !holdsUs(agent, before) && { isKept: true }) };
  });
}

/**
 * What undoing would do: back to the very bytes from before if nothing else has changed since, else only our entry goes.
 */
export async function planUndo(
  agent: Agent,
  path: string,
  start: Start,
  project: string | false,
): Promise<ConfigChange> {
  const { file, before } = await readConfig(path, project);
  if (before === undefined) return { file, project, before, after: before };
  const copies = await copiesOf(file);
  return edited(file, () => {
    const left = agent.disconnect(before);
    const isAllOurs = (old: string): boolean =>
      left !== before && agent.disconnect(agent.connect(old, start)) === left;
    const done = copies.findLast(({ text }) => isSafely(() => isAllOurs(text)));
    if (done) return { file, project, before, after: done.text, done };
    if (copies.length === 0 && isAllOurs("")) return { file, project, before, after: undefined };
    return { file, project, before, after: left };
  });
}

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

const holdsUs = (agent: Agent, text: string): boolean => agent.disconnect(text) !== text;

/** Writes what was planned, unless the agent itself changed the file meanwhile. Answers where the file is kept as it was. */
export async function apply(change: ConfigChange): Promise<string | undefined> {
  const { file, project, before, after, isKept, done } = change;
  if (before === after) return undefined;
  const { checkPut, editFile, keepCopy } = await import("../../../session/index.js");
  await checkPut(file, { project, over: { text: before } });
  const copy = isKept && before !== undefined ? await keepCopy(file, BACKUP, before, { project }) : undefined;
  await editFile(file, before, after, { project, makes: {} });
  if (done) await editFile(done.path, done.text, undefined, { project });
  return copy;
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
