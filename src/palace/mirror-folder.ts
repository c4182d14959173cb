import { lstat, readdir, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PalimpsestError } from "../core/base/index.js";
import { isOfFiles, putFile, unusable, unwritable } from "../repo/index.js";
import { Destination, readPlain, removeFile } from "../storage/index.js";
import { isFileStem } from "./file-names.js";

const LARGEST = 4 * 1024 * 1024;

/**
 * A folder of which nothing outside is ever read or written: every part of a path is a plain name, links are not
 * followed, and the real place of a folder is looked at once more before a byte is written into it.
 */
export class MirrorFolder {
  readonly problems: { path: string; reason: string }[] = [];
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  static async open(path: string, mayCreate: boolean): Promise<MirrorFolder> {
    try {
      const root = await Destination.folder(path, { ...(mayCreate && { makes: {} }) });
      if (!(await lstat(root)).isDirectory()) throw Object.assign(new Error(), { code: "ENOTDIR" });
      return new MirrorFolder(root);
    } catch (error) {
      throw unusable(path, error);
    }
  }

  /** Names in a folder: of folders, or of files that end in `.md`. Links and names that could mean another place are left out. */
  async names(folder: string, kind: "folders" | "files"): Promise<string[]> {
    if (!(await this.#isReal(folder))) return [];
    const found = await readdir(this.#path(folder), { withFileTypes: true });
    return found.flatMap((entry) => {
      if (entry.name.startsWith(".")) return [];
      const isWanted =
        kind === "folders" ? entry.isDirectory() : entry.isFile() && entry.name.endsWith(".md");
      const stem = kind === "folders" ? entry.name : entry.name.replace(/\.md$/, "");
      if (isWanted && isFileStem(stem)) return [entry.name];
      const reason = entry.isSymbolicLink()
        ? "Links are not followed."
        : "Its name is not one that every file system keeps.";
      if (isWanted || entry.isSymbolicLink()) this.problems.push({ path: `${folder}/${entry.name}`, reason });
      return [];
    });
  }

  /** The text of a file; undefined when there is none. One that cannot be read is noted as a problem. */
  async read(path: string): Promise<string | undefined> {
    try {
      if (!(await this.#isReal(dirname(path)))) return undefined;
      const found = await lstat(this.#path(path));
      if (found.isSymbolicLink()) throw Object.assign(new Error(), { code: "ELOOP" });
      if (!found.isFile()) throw new PalimpsestError("INVALID_FILE", "It is not a plain file.");
      if (found.size > LARGEST) throw new PalimpsestError("INVALID_FILE", "It is larger than 4 MB.");
      const bytes = await readPlain(this.#path(path), { follow: false, most: LARGEST });
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      const reason =
        error instanceof PalimpsestError
          ? error.message
          : isLink(error)
            ? "Links are not followed."
            : `It cannot be read: ${(error as Error).message}.`;
      this.problems.push({ path, reason });
      return undefined;
    }
  }

  /** Puts a file in place, whole or not at all, if it still says what was expected. Answers whether it did. */
  async write(path: string, text: string, expected: string | undefined): Promise<boolean> {
    if ((await this.#said(path)) !== expected) return false;
    const file = this.#path(path);
    return this.#tried(path, () =>
      putFile(file, text, { project: this.#root, over: { text: expected }, makes: {} }),
    );
  }

  async remove(path: string, expected: string): Promise<boolean> {
    if ((await this.#said(path)) !== expected) return false;
    // A folder that is empty now goes too; one that is not stays.
    const andFolder = dirname(path) !== ".";
    return this.#tried(path, () =>
      removeFile(this.#path(path), expected, { project: this.#root, andFolder }),
    );
  }

  /** Makes a folder unless it is there. Answers no where something else, such as a link, lies in its place. */
  async makeFolder(folder: string): Promise<boolean> {
    const path = folder === "." ? this.#root : this.#path(folder);
    return this.#tried(folder, async () => {
      await Destination.folder(path, { project: this.#root, makes: {} });
    });
  }

  /** What somebody changed or put in the way meanwhile is left as it is; what may not be written is told. */
  async #tried(path: string, write: () => Promise<void>): Promise<boolean> {
    try {
      await write();
      return true;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== "INVALID_FILE" && !["EACCES", "EISDIR", "ENOTDIR", "ELOOP"].includes(code ?? ""))
        throw isOfFiles(error) ? unwritable(this.#path(path), error) : error;
      this.problems.push({ path, reason: `It cannot be written: ${message}` });
      return false;
    }
  }

  /** What a file says; a link or anything else that is no file says something that nobody expects. */
  async #said(path: string): Promise<string | undefined> {
    const before = this.problems.length;
    const text = await this.read(path);
    const isOdd = this.problems.length > before;
    this.problems.length = before;
    return isOdd ? "\0" : text;
  }

  /** Is it a folder, here and not elsewhere? */
  async #isReal(folder: string): Promise<boolean> {
    const path = folder === "." ? this.#root : this.#path(folder);
    return realpath(path).then(
      (real) => real === path,
      () => false,
    );
  }

  #path(path: string): string {
    const parts = path.split("/");
    if (parts.some((part) => part === "" || part === "." || part === ".." || /[\\\0:]/.test(part)))
      throw new PalimpsestError("INVALID_FILE", `Not a path in the mirror: ${JSON.stringify(path)}.`);
    return join(this.#root, ...parts);
  }
}

const isLink = (error: unknown): boolean =>
  ["ELOOP", "EMLINK"].includes((error as NodeJS.ErrnoException).code ?? "");
