import { randomBytes } from "node:crypto";
import { constants, existsSync, lstatSync, type Stats, statSync } from "node:fs";
import { type FileHandle, lstat, mkdir, open, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { PalimpsestError } from "../core/base/index.js";
import { makeDirectory } from "./make-directory.js";

const { O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0 } = constants;

export interface DestinationOptions {
  /**
   * The folder below which no link is followed, because strangers fill it: a project. Found by itself (a repository, else the
   * working directory); false where it is known to be the user's own, such as a host's configuration at home.
   */
  readonly project?: string | false | undefined;
  /** Makes the folders above the file that are missing. */
  readonly makes?: { readonly mode?: number } | undefined;
}

/**
 * Where a file is to be written: its name, and its folder held open. Names are looked up in that very folder where the
 * system has a way to say so (Linux: /proc/self/fd), so that nobody who puts a link into the way meanwhile changes
 * where it goes; elsewhere the folder's real place is looked at again before the file gets its name.
 */
export class Destination {
  readonly #handle: FileHandle | undefined;
  readonly #base: string;

  private constructor(
    /** As it is shown: the real path. */
    readonly folder: string,
    readonly name: string,
    handle: FileHandle | undefined,
  ) {
    this.#handle = handle;
    this.#base = baseOf(folder, handle);
  }

  get path(): string {
    return join(this.folder, this.name);
  }

  /** The path by which a name in the folder is used. */
  at(name = this.name): string {
    return join(this.#base, name);
  }

  /** What lies under the name, a link as a link. */
  look(): Promise<Stats | undefined> {
    return lstat(this.at()).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
  }

  /** Throws when the folder was exchanged meanwhile and names are looked up by its path. */
  async assertSame(): Promise<void> {
    if (this.#base !== this.folder) return;
    const real = await realpath(this.folder).catch(() => undefined);
    if (real !== this.folder) throw leadsElsewhere(this.path, this.folder);
  }

  /** A name that was given outlives a power cut where folders can be made durable. */
  async sync(): Promise<void> {
    await this.#handle?.sync().catch((error: NodeJS.ErrnoException) => {
      if (!["EISDIR", "EPERM", "EINVAL", "ENOTSUP", "EACCES", "EBADF"].includes(error.code ?? ""))
        throw error;
    });
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }

  static async of(path: string, { project, makes }: DestinationOptions = {}): Promise<Destination> {
    const file = resolve(path);
    const root = project === false ? undefined : project === undefined ? projectOf(file) : resolve(project);
    if (root !== undefined && isInside(file, root)) return Destination.#below(file, root, makes);
    if (makes) await makeDirectory(dirname(file), makes.mode);
    const folder = await realpath(dirname(file));
    const found = await lstat(join(folder, basename(file))).catch(() => undefined);
    if (!found?.isSymbolicLink()) return Destination.#open(folder, basename(file));
    const real = await ownTarget(join(folder, basename(file)), found, project);
    return Destination.#open(dirname(real), basename(real));
  }

  /** The real path of a folder that files are to be written into, by the same rules. */
  static async folder(path: string, options: DestinationOptions = {}): Promise<string> {
    const place = await Destination.of(
      join(resolve(path), `.pal-${randomBytes(9).toString("hex")}`),
      options,
    );
    await place.close();
    return place.folder;
  }

  /** Folder by folder, and none of them by a link. */
  static async #below(file: string, root: string, makes: DestinationOptions["makes"]): Promise<Destination> {
    const real = await realpath(root);
    const names = relative(root, dirname(file))
      .split(sep)
      .filter((name) => name !== "");
    let [handle, path] = [await openFolder(real), real];
    for (const name of names) {
      const [above, used] = [handle, join(baseOf(path, handle), name)];
      path = join(path, name);
      try {
        const found = await lookedAt(used, makes);
        if (found.isSymbolicLink()) throw leadsElsewhere(file, path);
        if (!found.isDirectory()) throw Object.assign(new Error(path), { code: "ENOTDIR", syscall: "open" });
        handle = await openFolder(used).catch((error: NodeJS.ErrnoException) => {
          // It became one since.
          throw error.code === "ELOOP" ? leadsElsewhere(file, path) : error;
        });
      } finally {
        await above?.close();
      }
    }
    const there = new Destination(path, basename(file), handle);
    const found = await there.look().catch(() => undefined);
    if (!found?.isSymbolicLink()) return there;
    await there.close();
    throw leadsElsewhere(file, join(path, basename(file)));
  }

  static async #open(folder: string, name: string): Promise<Destination> {
    return new Destination(folder, name, await openFolder(folder));
  }
}

async function lookedAt(path: string, makes: DestinationOptions["makes"]): Promise<Stats> {
  try {
    return await lstat(path);
  } catch (error) {
    if (makes === undefined || (error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    await mkdir(path, makes.mode).catch((failed: NodeJS.ErrnoException) => {
      if (failed.code !== "EEXIST") throw failed;
    });
    return lstat(path);
  }
}

/** Undefined where folders cannot be opened (Windows), or may be written into and not listed. */
async function openFolder(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  } catch (error) {
    if (["EISDIR", "EPERM", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

/** A path that means the folder that is held, whatever its name leads to by now; else its name. */
function baseOf(folder: string, handle: FileHandle | undefined): string {
  if (handle === undefined || process.platform !== "linux") return folder;
  const held = `/proc/self/fd/${handle.fd}`;
  const [here, there] = [
    statSync(held, { throwIfNoEntry: false }),
    lstatSync(folder, { throwIfNoEntry: false }),
  ];
  return here && here.ino === there?.ino && here.dev === there.dev ? held : folder;
}

/**
 * The file that a person's own link leads to, as those who keep their settings in one place have them. In a project a link is
 * never followed, no matter who owns it: a person who copies a project from somewhere owns what lies in it.
 */
async function ownTarget(path: string, link: Stats, project: string | false | undefined): Promise<string> {
  if (project !== false && projectOf(path) !== undefined) throw leadsElsewhere(path, path);
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) throw leadsElsewhere(path, path, "leads nowhere");
  const user = process.getuid?.();
  if (user !== undefined && (link.uid !== user || (await stat(real)).uid !== user))
    throw leadsElsewhere(path, path, "is a link, and it or what it leads to belongs to somebody else");
  return real;
}

/**
 * The outermost repository around a file, or the working directory when it lies below that. A home, and what is above one,
 * is nobody's project: what lies there was put there by the person.
 */
function projectOf(file: string): string | undefined {
  let found: string | undefined;
  const here = workingDirectory();
  for (let at = dirname(file); ; at = dirname(at)) {
    if (isInside(homedir(), at) || dirname(at) === at) return found;
    if (at === here || existsSync(join(at, ".git"))) found = at;
  }
}

function workingDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

const leadsElsewhere = (
  file: string,
  link: string,
  why = "is a link, and in a project none is followed",
): PalimpsestError =>
  new PalimpsestError("INVALID_FILE", `Nothing was written to ${file}: ${link} ${why}.`, {
    hint: "Name the place that is meant, or take the link away; what it leads to was left as it is.",
  });
