import { lstat, readdir, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type Hash,
  idKey,
  isBlank,
  type MemoryId,
  PalimpsestError,
  type Scope,
  scopeKey,
} from "../core/base/index.js";
import type { MemoryRecord } from "../core/ledger/index.js";
import { byPlace, CONFIG_ID, descriptionOf, IDENTITY_ID, nameOf, roomDocs } from "../memories/index.js";
import { type At, isOfFiles, loadEntry, putFile, unusable, unwritable } from "../repo/index.js";
import { Destination, readPlain, removeFile } from "../storage/index.js";
import { asShown, readBody, renderDrawer, type ShownEntry } from "./drawer-file.js";
import { distinctStems, isFileStem, type MirrorBase, README, ROOMS, saidBy, stemKey } from "./mirror.js";

interface Held {
  readonly record: MemoryRecord;
  readonly hash: Hash;
}
interface HeldPlace extends Held {
  readonly entries: readonly Held[];
}
export interface HeldPalace {
  readonly rooms: readonly (HeldPlace & { readonly drawers: readonly HeldPlace[] })[];
  readonly identity: Held | undefined;
  readonly config: Held | undefined;
}

/**
 * All of a palace, with what lies in its drawers. What lies below an entry belongs to that and is not shown; nor is an
 * entry without text, because a line without words is how people take one out.
 */
export async function readPalace({ context, reader, tip, now }: At, scope: Scope): Promise<HeldPalace> {
  const found = await context.views.use(context.branch, tip, (view) => {
    const hashes = (docs: readonly number[]) => docs.map((doc) => view.doc(doc).hash);
    return roomDocs(view, context, now, scope).map(({ doc, drawers, inside }) => ({
      hash: doc.hash,
      inside: hashes(inside),
      drawers: drawers.map((drawer) => ({ hash: drawer.doc.hash, inside: hashes(drawer.inside) })),
    }));
  });
  const all = found
    .flatMap((room) => [room, ...room.drawers])
    .flatMap(({ hash, inside }) => [hash, ...inside]);
  const records = await reader.values("memory", all);
  const held = (hashes: readonly Hash[]): Held[] =>
    hashes
      .flatMap((hash) => {
        const record = records.get(hash);
        if (!record) reader.damaged.add(hash);
        return record ? [{ record, hash }] : [];
      })
      .sort((a, b) => byPlace(a.record, b.record));
  const place = ({ hash, inside }: { hash: Hash; inside: Hash[] }): HeldPlace[] =>
    held([hash]).map((one) => ({
      ...one,
      entries: held(inside).filter(({ record }) => !isBlank(record.text)),
    }));
  const rooms = found.flatMap((room) =>
    place(room).map((one) => ({
      ...one,
      drawers: room.drawers.flatMap(place).sort((a, b) => byPlace(a.record, b.record)),
    })),
  );
  const one = async (id: MemoryId): Promise<Held | undefined> => {
    const entry = await loadEntry(reader, tip, scopeKey(scope), idKey(id));
    return entry && context.sight.seesRecord(entry.record) ? entry : undefined;
  };
  return {
    rooms: rooms.sort((a, b) => byPlace(a.record, b.record)),
    identity: await one(IDENTITY_ID),
    config: await one(CONFIG_ID),
  };
}

/** What people wrote into files and the gate did not take: it stays in the file, to be tried again. */
export interface Unsettled {
  readonly texts: Map<MemoryId, string>;
  readonly bodies: Map<MemoryId, string>;
  readonly loose: Map<MemoryId, string[]>;
}

export interface ShownFile {
  readonly text: string;
  /** What the base is to say of the things in the file. */
  readonly base: Pick<MirrorBase, "rooms" | "drawers" | "entries">;
}

/** The files of a palace, by path. A file keeps the name it has where that fits. */
export function showPalace(
  palace: HeldPalace,
  unsettled: Unsettled,
  old: MirrorBase,
  stems: ReadonlyMap<MemoryId, string>,
): { readonly files: Map<string, ShownFile>; readonly folders: Map<string, MirrorBase["rooms"]> } {
  const files = new Map<string, ShownFile>();
  const dirOf = named(palace.rooms, stems, []);
  // Rooms that have nothing to say in a file of their own.
  const folders = new Map<string, MirrorBase["rooms"]>();
  for (const room of palace.rooms) {
    const dir = `${ROOMS}/${dirOf.get(room.record.id)}`;
    const { text, body, entries } = showPlace(room, unsettled, old);
    const hasFile = body !== "" || room.entries.length > 0 || unsettled.loose.has(room.record.id);
    const { id } = room.record;
    const kept = {
      hash: room.hash,
      said: saidBy(body),
      name: nameOf(room.record),
      dir: dir.slice(ROOMS.length + 1),
      hasFile,
    };
    const said = unsettled.bodies.has(id) ? old.rooms[id]?.said : undefined;
    const rooms = { [id]: said === undefined ? kept : { ...kept, said, hash: old.rooms[id]!.hash } };
    if (hasFile) files.set(`${dir}/${README}.md`, { text, base: { rooms, drawers: {}, entries } });
    else folders.set(dir, rooms);
    const stemOf = named(room.drawers, stems, [README]);
    for (const drawer of room.drawers) {
      const shown = showPlace(drawer, unsettled, old);
      const path = `${dir}/${stemOf.get(drawer.record.id)}.md`;
      const row = {
        hash: drawer.hash,
        said: saidBy(shown.body),
        name: nameOf(drawer.record),
        path,
        room: id,
      };
      const before = old.drawers[drawer.record.id];
      const isOpen = unsettled.bodies.has(drawer.record.id) && before;
      const drawers = { [drawer.record.id]: isOpen ? { ...row, said: before.said, hash: before.hash } : row };
      files.set(path, { text: shown.text, base: { rooms: {}, drawers, entries: shown.entries } });
    }
  }
  return { files, folders };
}

function showPlace(place: HeldPlace, { texts, bodies, loose }: Unsettled, old: MirrorBase) {
  const { record } = place;
  const entries: Record<string, MirrorBase["entries"][string]> = {};
  const shown: ShownEntry[] = place.entries.map(({ record: entry, hash }) => {
    const { id } = entry;
    const other = texts.get(id);
    const before = old.entries[id];
    entries[id] =
      other !== undefined && before
        ? { ...before, home: record.id }
        : { hash, said: saidBy(asShown(entry.text)), home: record.id };
    return { id, text: other ?? entry.text, others: othersOf(entry) };
  });
  for (const text of loose.get(record.id) ?? []) shown.push({ text });
  const body = bodies.get(record.id) ?? descriptionOf(record);
  const text = renderDrawer(nameOf(record), { id: record.id, body, entries: shown });
  return { text, body: readBody(text, nameOf(record)), entries };
}

const othersOf = ({ contested, text }: MemoryRecord): string[] =>
  (contested?.text?.terms ?? []).flatMap(({ value, deleted }) =>
    deleted ? ["(deleted)"] : typeof value === "string" && value !== text ? [value] : [],
  );

function named(
  places: readonly Held[],
  stems: ReadonlyMap<MemoryId, string>,
  reserved: readonly string[],
): Map<string, string> {
  const things = places.map(({ record }) => ({ id: record.id as string, name: nameOf(record) }));
  const names = distinctStems(things, reserved);
  for (const { record } of places) {
    const own = stems.get(record.id);
    if (own !== undefined && stemKey(own) === stemKey(names.get(record.id) as string))
      names.set(record.id, own);
  }
  return names;
}

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

  /** What somebody changed or put in the way meanwhile is left as it is; what may not be written is reported. */
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
