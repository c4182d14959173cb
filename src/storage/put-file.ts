import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { type FileHandle, link, lstat, open, rename, rm, rmdir } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { PalimpsestError } from "../core/base/index.js";
import { Destination, type DestinationOptions } from "./destination.js";
import { assertPlain, headOfPlain, notPlain, readPlain } from "./plain-file.js";

/**
 * The one way in which files are written that are not of a store: under a new name beside their place, which nobody else can
 * have made, made durable, and then named. So a link is never written through, wherever and whenever somebody puts one.
 */
export interface PutOptions extends DestinationOptions {
  /**
   * What may be replaced, of a plain file that is there and not empty: nothing, if left out; what begins as this knows
   * it; anything, because the person said so; or what says just this, because it was read and changed.
   */
  readonly over?: ((head: string) => boolean) | "anything" | { readonly text: string | undefined };
  /** Of a new file; an old one keeps its own. */
  readonly mode?: number;
  /** What to do instead of replacing what is there. */
  readonly instead?: string | undefined;
}

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;
/** Enough to know a format by. */
const HEAD = 1 << 18;

/** A file that is being written, and has no name yet. */
export class NewFile {
  readonly #place: Destination;
  readonly #temporary: string;
  readonly #old: Stats | undefined;
  readonly #options: PutOptions;
  #isOpen = true;

  private constructor(
    readonly handle: FileHandle,
    place: Destination,
    temporary: string,
    old: Stats | undefined,
    options: PutOptions,
  ) {
    this.#place = place;
    this.#temporary = temporary;
    this.#old = old;
    this.#options = options;
  }

  /** Where it is going to be. */
  get path(): string {
    return this.#place.path;
  }

  /** Finds out first whether it may be there; nothing is written before. */
  static async begin(path: string, options: PutOptions = {}): Promise<NewFile> {
    const place = await Destination.of(path, options);
    try {
      const old = await place.look();
      await assertFree(place, old, options);
      const temporary = place.at(`.pal-${randomBytes(9).toString("hex")}.tmp`);
      const mode = old ? old.mode & 0o777 : (options.mode ?? 0o600);
      const handle = await open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
      // What the process masks is for new files.
      if (old) await handle.chmod(mode).catch(() => undefined);
      return new NewFile(handle, place, temporary, old, options);
    } catch (error) {
      await place.close();
      throw error;
    }
  }

  /** Throws when it may not be there; of a file whose folder is yet to be made nothing speaks against it. */
  static async check(path: string, { makes: _, ...options }: PutOptions = {}): Promise<void> {
    const place = await Destination.of(path, options).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    try {
      if (place) await assertFree(place, await place.look(), options);
    } finally {
      await place?.close();
    }
  }

  /** Gives it its name, durably, if what was there before is there still. */
  async finish(): Promise<void> {
    try {
      await this.handle.sync();
      const own = await this.handle.stat();
      await this.handle.close();
      await this.#place.assertSame();
      // Another process that can write to the folder could have put something else under the new name as well.
      const made = await lstat(this.#temporary);
      if (made.ino !== own.ino || made.dev !== own.dev) throw changed(this.path);
      const now = await this.#place.look();
      if (!isSame(now, this.#old)) throw changed(this.path);
      await assertFree(this.#place, now, this.#options);
      if (now) await rename(this.#temporary, this.#place.at());
      else await name(this.#temporary, this.#place);
      await this.#place.sync();
    } finally {
      await this.drop();
    }
  }

  /** Leaves nothing behind, unless it was finished. */
  async drop(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.handle.close().catch(() => undefined);
    await rm(this.#temporary, { force: true }).catch(() => undefined);
    await this.#place.close().catch(() => undefined);
  }
}

/** A hard link fails where anything has the name by now, which a rename would take it from. */
async function name(temporary: string, place: Destination): Promise<void> {
  try {
    await link(temporary, place.at());
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw changed(place.path);
    if (!["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP", "EMLINK", "EXDEV", "EACCES"].includes(code ?? ""))
      throw error;
    // No hard links here (exFAT, some network mounts): the process that makes the empty file may replace it.
    await (await open(place.at(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)).close();
    await rename(temporary, place.at());
  }
}

const isSame = (now: Stats | undefined, old: Stats | undefined): boolean =>
  now === undefined || old === undefined
    ? now === old
    : now.ino === old.ino && now.dev === old.dev && now.size === old.size && now.mtimeMs === old.mtimeMs;

async function assertFree(place: Destination, old: Stats | undefined, options: PutOptions): Promise<void> {
  const { over, instead } = options;
  const isEdit = typeof over === "object";
  if (!old) {
    if (isEdit && over.text !== undefined) throw changed(place.path);
    return;
  }
  if (old.isSymbolicLink()) throw notPlain(place.path, old);
  assertPlain(place.path, old);
  // An owner who took the right to write from everybody, also from themselves, meant it.
  if ((old.mode & 0o222) === 0)
    throw Object.assign(new Error(place.path), { code: "EACCES", syscall: "open" });
  if (isEdit) {
    if ((await readPlain(place.at(), { follow: false, as: place.path })).toString() !== over.text)
      throw changed(place.path);
    return;
  }
  if (over === "anything" || old.size === 0) return;
  if (over?.((await headOfPlain(place.at(), HEAD, { follow: false })).toString())) return;
  throw new PalimpsestError(
    "NAME_TAKEN",
    `${place.path} is there already${over ? ", and it is no earlier one that Palimpsest wrote" : ""}.`,
    { hint: instead ?? "It was left as it is: choose another path, or move it away first." },
  );
}

const changed = (path: string): PalimpsestError =>
  new PalimpsestError("INVALID_FILE", `${path} was changed by somebody else meanwhile.`, {
    hint: "Nothing was written to it; try again.",
  });

/** Takes a file away that says just this. One that is gone, or a link by now, is not looked for elsewhere. */
export async function removeFile(
  path: string,
  text: string,
  { andFolder, ...options }: DestinationOptions & { readonly andFolder?: boolean } = {},
): Promise<void> {
  const place = await Destination.of(path, options);
  try {
    const old = await place.look();
    if (!old) return;
    await assertFree(place, old, { over: { text } });
    await rm(place.at());
    await place.sync();
    // A folder that is not empty stays.
    if (andFolder) await rmdir(place.folder).catch(() => undefined);
  } finally {
    await place.close();
  }
}

/** Takes a folder away, if nobody has anything in it. */
export const removeEmptyFolder = (path: string): Promise<boolean> =>
  rmdir(path).then(
    () => true,
    () => false,
  );

/** Gives a finished file of ours its name, unless anything has it. Its old name is the caller's to take away. */
export async function nameFile(temporary: string, path: string, options: DestinationOptions): Promise<void> {
  const place = await Destination.of(path, options);
  try {
    await name(temporary, place);
    await place.sync();
  } finally {
    await place.close();
  }
}

/** How many earlier copies stay beside a newer one. */
const COPIES = 99;

/** The names that copies of a file have, first the oldest. */
export const copyNames = (path: string, suffix: string): string[] =>
  Array.from({ length: COPIES }, (_, at) => `${path}${suffix}${at === 0 ? "" : `.${at + 1}`}`);

/**
 * Keeps what a file said before it is changed, under the first name of `copyNames` that nothing has, not even a link; a copy
 * that says the same already will do. Answers where it is.
 */
export async function keepCopy(
  path: string,
  suffix: string,
  text: string,
  options: DestinationOptions & { readonly mode?: number } = {},
): Promise<string> {
  for (const copy of copyNames(resolve(path), suffix)) {
    if (await lstat(copy).catch(() => undefined)) {
      const content = await readPlain(copy, { follow: false }).catch(() => undefined);
      if (content?.toString() === text) return copy;
      continue;
    }
    const file = await NewFile.begin(copy, options);
    try {
      await file.handle.writeFile(text);
      await file.finish();
      return copy;
    } finally {
      await file.drop();
    }
  }
  throw new PalimpsestError("NAME_TAKEN", `There are ${COPIES} copies of ${path} already.`, {
    hint: `Nothing was changed. Take away what lies beside it as ${basename(path)}${suffix}*.`,
  });
}
