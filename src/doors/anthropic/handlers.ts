import { posix } from "node:path";
import {
  checkGiven,
  type FileChanges,
  type FileOrFolder,
  type FileTree,
  text as isText,
  type Kind,
  listOf,
  number,
  optional,
  readOnce,
  type Session,
  shape,
} from "../../session/index.js";

/** What the model sends, by command. */
export interface MemoryCommands {
  readonly view: { readonly path: string; readonly view_range?: readonly number[] | undefined };
  readonly create: { readonly path: string; readonly file_text: string };
  readonly str_replace: { readonly path: string; readonly old_str: string; readonly new_str: string };
  readonly insert: { readonly path: string; readonly insert_line: number; readonly insert_text: string };
  readonly delete: { readonly path: string };
  readonly rename: { readonly old_path: string; readonly new_path: string };
}

/** What each has to have: a model may send anything. */
const SHAPES = {
  view: shape({
    path: isText,
    view_range: (range: unknown) => (range === null ? undefined : optional(listOf(number, "numbers"))(range)),
  }),
  create: shape({ path: isText, file_text: isText }),
  str_replace: shape({ path: isText, old_str: isText, new_str: isText }),
  insert: shape({ path: isText, insert_line: number, insert_text: isText }),
  delete: shape({ path: isText }),
  rename: shape({ old_path: isText, new_path: isText }),
} satisfies Record<keyof MemoryCommands, unknown>;

function read<Name extends keyof MemoryCommands>(
  name: Name,
  command: MemoryCommands[Name],
): MemoryCommands[Name] {
  const given = readOnce(command);
  checkGiven(name, { command: given }, { command: SHAPES[name] });
  return given;
}

export type MemoryHandlers = {
  readonly [Name in keyof MemoryCommands]: (command: MemoryCommands[Name]) => Promise<string>;
};

/**
 * Handlers for `betaMemoryTool()` of Anthropic's SDK. Files live in the session's scope (or the one named) and nowhere on
 * the disk; each command that changes something is one commit. What goes wrong is thrown, as the SDK expects.
 */
export function memoryHandlers(session: Session, options: { readonly scope?: string } = {}): MemoryHandlers {
  let opened: Promise<FileTree> | undefined;
  const tree = (): Promise<FileTree> => {
    opened ??= session.fileTree(options);
    return opened;
  };
  const change = async (said: string, run: (files: FileChanges) => Promise<string>): Promise<string> =>
    (await tree()).change(said, run);
  return {
    async view(command) {
      const { path: shown, view_range: range } = read("view", command);
      const path = inside(shown);
      return (await tree()).look((at) => {
        const found = present(at(path), shown);
        return found.kind === "folder" ? listing(shown, path, found, at) : content(shown, found.text, range);
      });
    },
    async create(command) {
      const { path: shown, file_text } = read("create", command);
      const path = inside(shown);
      return change(`create ${shown}`, async (files) => {
        if (files.at(path)) throw new Error(`File ${shown} already exists`);
        folderAbove(files, path, shown);
        const cut = await files.write(path, file_text.toWellFormed());
        return `File created successfully at: ${shown}${withoutCut(cut)}`;
      });
    },
    async str_replace(command) {
      const { path: shown, old_str, new_str } = read("str_replace", command);
      const path = inside(shown);
      return change(`edit ${shown}`, async (files) => {
        const text = textAt(files, path, shown);
        const [line, ...others] = linesWith(text, old_str);
        if (line === undefined)
          throw new Error(
            `No replacement was performed, old_str \`${old_str}\` did not appear verbatim in ${shown}.`,
          );
        if (others.length > 0)
          throw new Error(
            `No replacement was performed. Multiple occurrences of old_str \`${old_str}\` in lines: ${[line, ...others].join(", ")}. Please ensure it is unique`,
          );
        const cut = await files.write(path, text.replace(old_str, () => new_str).toWellFormed());
        const lines = text.replace(old_str, () => new_str).split("\n");
        const start = Math.max(0, line - 3);
        const snippet = numbered(lines.slice(start, line + 2), start + 1);
        return `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${snippet}${withoutCut(cut)}`;
      });
    },
    async insert(command) {
      const { path: shown, insert_line, insert_text } = read("insert", command);
      const path = inside(shown);
      return change(`edit ${shown}`, async (files) => {
        const lines = textAt(files, path, shown).split("\n");
        if (insert_line < 0 || insert_line > lines.length)
          throw new Error(
            `Invalid \`insert_line\` parameter: ${insert_line}. It should be within the range of lines of the file: [0, ${lines.length}]`,
          );
        lines.splice(insert_line, 0, insert_text.replace(/\n$/, ""));
        const cut = await files.write(path, lines.join("\n").toWellFormed());
        return `The file ${shown} has been edited.${withoutCut(cut)}`;
      });
    },
    async delete(command) {
      const { path: shown } = read("delete", command);
      const path = inside(shown);
      if (path === "") throw new Error("Cannot delete the /memories directory itself");
      return change(`delete ${shown}`, async (files) => {
        if (!files.at(path)) throw new Error(`The path ${shown} does not exist`);
        await files.remove(path);
        return `Successfully deleted ${shown}`;
      });
    },
    async rename(command) {
      const { old_path, new_path } = read("rename", command);
      const [from, to] = [inside(old_path), inside(new_path)];
      if (from === "") throw new Error("Cannot rename the /memories directory itself");
      return change(`rename ${old_path} to ${new_path}`, async (files) => {
        if (files.at(to)) throw new Error(`The destination ${new_path} already exists`);
        if (!files.at(from)) throw new Error(`The path ${old_path} does not exist`);
        if (to.startsWith(`${from}/`)) throw new Error(`Cannot rename ${old_path} to a path inside itself`);
        folderAbove(files, to, new_path);
        await files.move(from, to);
        return `Successfully renamed ${old_path} to ${new_path}`;
      });
    },
  };
}

function present(found: FileOrFolder | undefined, shown: string): FileOrFolder {
  if (!found) throw new Error(`The path ${shown} does not exist. Please provide a valid path.`);
  return found;
}

function textAt({ at }: FileChanges, path: string, shown: string): string {
  const found = present(at(path), shown);
  if (found.kind !== "file") throw new Error(`The path ${shown} is not a file.`);
  return found.text;
}

/** A file has nothing below it. */
function folderAbove({ at }: FileChanges, path: string, shown: string): void {
  const parts = path.split("/");
  for (let depth = 1; depth < parts.length; depth++)
    if (at(parts.slice(0, depth).join("/"))?.kind === "file")
      throw new Error(`The path ${shown} lies below a file.`);
}

function content(shown: string, text: string, range: readonly number[] | undefined): string {
  const lines = text.split("\n");
  if (lines.length > MOST_LINES)
    throw new Error(
      `File ${shown} has too many lines (${lines.length}). Maximum is ${MOST_LINES.toLocaleString("en-US")} lines.`,
    );
  const [from = 1, to = -1] = range?.length === 2 ? range : [];
  const start = Math.max(1, from) - 1;
  const chosen = lines.slice(start, to === -1 ? lines.length : to);
  return `Here's the content of ${shown} with line numbers:\n${numbered(chosen, start + 1)}`;
}

/** A model that is not told would believe that the file holds what it wrote. */
const withoutCut = (kinds: readonly Kind[]): string =>
  kinds.length === 0 ? "" : `\nNot kept, because memory holds no secrets: ${kinds.join(", ")}.`;

const ROOT = "/memories";
/** A place for the root that no path can name by climbing out and in again. */
const BASE = `/\u0001${ROOT}`;

/** The part of a path below /memories, "" for itself. What would lead out of it is an error. */
function inside(path: string): string {
  if (!path.startsWith(ROOT)) throw new Error(`Path must start with /memories, got: ${path}`);
  const relative = path.slice(ROOT.length).replace(/^\//, "");
  const whole = posix.resolve(BASE, relative === "" ? "." : posix.join(".", relative));
  if (whole !== BASE && !whole.startsWith(`${BASE}/`))
    throw new Error(`Path ${path} would escape /memories directory`);
  return whole.slice(BASE.length + 1);
}

/** What a folder is said to take up: it takes up nothing here, but the tool shows a number. */
const FOLDER_SIZE = "4K";
const DEEPEST = 2;

/** A folder as the tool lists it: two levels deep, without hidden names. */
function listing(
  shown: string,
  path: string,
  folder: FileOrFolder & { kind: "folder" },
  at: (path: string) => FileOrFolder | undefined,
): string {
  const rows = [`${FOLDER_SIZE}\t${shown}`];
  const collect = (from: string, names: readonly string[], below: string, depth: number): void => {
    for (const name of names) {
      if (name.startsWith(".") || name === "node_modules") continue;
      const [own, label] = [from === "" ? name : `${from}/${name}`, `${below}${name}`];
      const found = at(own);
      if (found?.kind === "file") rows.push(`${sizeOf(Buffer.byteLength(found.text))}\t${shown}/${label}`);
      if (found?.kind !== "folder") continue;
      rows.push(`${FOLDER_SIZE}\t${shown}/${label}/`);
      if (depth < DEEPEST) collect(own, found.names, `${label}/`, depth + 1);
    }
  };
  collect(path, folder.names, "", 1);
  return `Here're the files and directories up to 2 levels deep in ${shown}, excluding hidden items and node_modules:\n${rows.join("\n")}`;
}

/** Line numbers are six wide, so a file has at most as many lines as fit. */
const MOST_LINES = 999_999;
const WIDTH = String(MOST_LINES).length;

const numbered = (lines: readonly string[], first: number): string =>
  lines.map((line, at) => `${String(at + first).padStart(WIDTH, " ")}\t${line}`).join("\n");

/** The numbers of the lines that hold a text; for a text of several lines, those in which it begins. */
function linesWith(content: string, text: string): number[] {
  if (!text.includes("\n"))
    return content.split("\n").flatMap((line, at) => (line.includes(text) ? [at + 1] : []));
  const found: number[] = [];
  let [line, counted] = [1, 0];
  for (let at = content.indexOf(text); at >= 0; at = content.indexOf(text, at + 1)) {
    // From the last place on: a text that stands in every line would be counted from the first each time.
    for (; counted < at; counted++) if (content[counted] === "\n") line++;
    found.push(line);
  }
  return found;
}

/** `8B`, `1.5K`: bytes as the tool shows them. */
function sizeOf(bytes: number): string {
  if (bytes === 0) return "0B";
  const power = Math.min(3, Math.floor(Math.log(bytes) / Math.log(1024)));
  const size = bytes / 1024 ** power;
  return `${size % 1 === 0 ? size : size.toFixed(1)}${"BKMG"[power]}`;
}
