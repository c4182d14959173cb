import { stat } from "node:fs/promises";
import { delimiter, relative, resolve, sep } from "node:path";
import { type Playbook, readPlaybook } from "../palace/index.js";
import { readText, walk } from "../repo/index.js";

/** A file is read again only when it changed. */
const known = new Map<string, { readonly stamp: string; readonly playbook: Playbook }>();
const MOST_FILES = 5_000;

/** `$PAL_PLAYBOOKS`: folders of procedures, separated as in `$PATH`. */
export const playbookFolders = (): string[] =>
  (process.env.PAL_PLAYBOOKS ?? "")
    .split(delimiter)
    .filter((folder) => folder.trim() !== "")
    .map((folder) => resolve(folder));

/** Every procedure below a folder. A folder with a `SKILL.md` is one procedure, whatever else lies in it. */
export async function playbooksIn(folder: string): Promise<Playbook[]> {
  const paths: string[] = [];
  for await (const path of walk(folder, (name) => /\.(?:md|markdown)$/i.test(name))) {
    paths.push(path);
    if (paths.length >= MOST_FILES) break;
  }
  const skills = paths
    .filter((path) => /(?:^|[/\\])SKILL\.md$/i.test(path))
    .map((path) => path.slice(0, -"SKILL.md".length));
  const wanted = paths.filter((path) => {
    const skill = skills.find((start) => path.startsWith(start));
    return skill === undefined || path.length === skill.length + "SKILL.md".length;
  });
  return Promise.all(wanted.map((path) => playbookAt(folder, path)));
}

async function playbookAt(folder: string, path: string): Promise<Playbook> {
  const { mtimeMs, size, ino } = await stat(path);
  const stamp = `${mtimeMs} ${size} ${ino} ${folder}`;
  const before = known.get(path);
  if (before?.stamp === stamp) return before.playbook;
  const playbook = await readPlaybook(relative(folder, path).replaceAll(sep, "/"), await readText(path));
  if (known.size >= MOST_FILES) known.clear();
  known.set(path, { stamp, playbook });
  return playbook;
}
