import { type MemoryId, PalimpsestError, type Scope } from "../core/base/index.js";
import { byCodeUnit, type MemoryRecord } from "../core/ledger/index.js";
import { cleanText, type Kind } from "../gate/index.js";
import { Followed, forgetOrRefuse, remember } from "../memories/index.js";
import { type Access, action, checkGiven, text as isText, type Job } from "../repo/index.js";
import { derivedId } from "./derived-id.js";
import { exactText } from "./graph.js";

const FILE = "memory-file";
const FOLDER = "memory-folder";

/** What lies at a path: a text, or the names of what is in a folder. */
export type FileOrFolder =
  | { readonly kind: "file"; readonly text: string }
  | { readonly kind: "folder"; readonly names: readonly string[] };

/** What may be done in one change. Paths are relative, without empty, `.` or `..` parts; the root is "". */
export interface FileChanges {
  at(path: string): FileOrFolder | undefined;
  /** Makes the folders above it too. Answers with the kinds of what was cut out because it must not be kept. */
  write(path: string, text: string): Promise<readonly Kind[]>;
  /** With everything below it. */
  remove(path: string): Promise<void>;
  /** With everything below it; the folders above the new place are made. */
  move(from: string, to: string): Promise<void>;
}

/**
 * A tree of text files that are memories of one scope. There is no disk below it: a path is a name and leads nowhere else.
 * Every change is one commit, made on the head it was decided on.
 */
export class FileTree {
  readonly #access: Access;
  readonly #scope: Scope;
  readonly #files = new Map<string, MemoryRecord>();
  /** Names by folder. */
  readonly #names = new Map<string, Set<string>>();
  readonly #followed: Followed;

  constructor(access: Access, scope: Scope) {
    this.#access = access;
    this.#scope = scope;
    this.#followed = new Followed(access.context.sight, scope, [FILE, FOLDER], (was, is) => {
      if (was) this.#drop(pathOf(was));
      if (is) this.#put(is);
    });
  }

  /** Looks at the newest state; `at` is good until the next wait. */
  async look<T>(run: (at: (path: string) => FileOrFolder | undefined) => T): Promise<T> {
    checkGiven("look", { function: run }, { function: action });
    return this.#access.look(undefined, async ({ reader, tip }) => {
      await this.#followed.follow(reader, tip);
      return run((path) => this.#at(path));
    });
  }

  /** Several changes as one commit. `run` decides on what it sees, and runs again if somebody else was faster. */
  async change<T>(message: string, run: (changes: FileChanges) => Promise<T>): Promise<T> {
    checkGiven("change", { message, function: run }, { message: isText, function: action });
    const { value } = await this.#access.commit({
      ...{ verb: "files", options: { message }, alone: true },
      run: async (job) => {
        await this.#followed.follow(job.draft.reader, job.draft.tip);
        return run(this.#changes(job));
      },
    });
    return value;
  }

  #changes(job: Job): FileChanges {
    return {
      at: (path) => this.#at(path),
      write: async (path, text) => {
        checkGiven("write", { path, text }, { path: isText, text: isText });
        return this.#write(job, path, text);
      },
      remove: async (path) => {
        checkGiven("remove", { path }, { path: isText });
        return this.#remove(job, path);
      },
      move: async (from, to) => {
        checkGiven("move", { from, to }, { from: isText, to: isText });
        return this.#move(job, from, to);
      },
    };
  }

  #at(path: string): FileOrFolder | undefined {
    const record = this.#files.get(path);
    if (record?.type === FILE) return { kind: "file", text: exactText(record) };
    const names = this.#names.get(path);
    if (path !== "" && !record && !names) return undefined;
    return { kind: "folder", names: [...(names ?? [])].sort(byCodeUnit) };
  }

  #put(record: MemoryRecord): void {
    const path = pathOf(record);
    this.#files.set(path, record);
    for (const [folder, name] of above(path)) {
      const names = this.#names.get(folder);
      if (names) names.add(name);
      else this.#names.set(folder, new Set([name]));
    }
  }

  #drop(path: string): void {
    this.#files.delete(path);
    for (const [folder, name] of above(path).reverse()) {
      const inside = folder === "" ? name : `${folder}/${name}`;
      if (this.#files.has(inside) || this.#names.has(inside)) return;
      const names = this.#names.get(folder);
      names?.delete(name);
      if (names?.size === 0) this.#names.delete(folder);
    }
  }

  async #write(job: Job, path: string, text: string): Promise<readonly Kind[]> {
    for (const [folder] of above(path))
      if (folder !== "" && !this.#files.has(folder)) await this.#keep(job, FOLDER, folder, folder, undefined);
    return this.#keep(job, FILE, path, text, this.#files.get(path));
  }

  async #keep(
    job: Job,
    type: string,
    path: string,
    text: string,
    known: MemoryRecord | undefined,
    from?: MemoryRecord,
  ): Promise<readonly Kind[]> {
    const { context } = job;
    if (cleanText(path, context.rules.modes.document) !== path)
      throw new PalimpsestError("REFUSED", "This path holds something that must not be kept.");
    const isOld = known?.attributes?.exact !== undefined;
    const input = {
      ...{ id: idOf(type, path), scope: this.#scope, type, text },
      attributes: { path, ...(isOld && { exact: null }) },
      ...(from && { evidence: `Moved from ${pathOf(from)}` }),
    };
    const verdict = await remember(job, input, "add", true);
    if (verdict.verdict === "rejected" || verdict.verdict === "quarantined")
      throw new PalimpsestError("REFUSED", verdict.reason ?? "The memory does not take this.");
    const modes = context.rules.modes.document;
    return (verdict.found ?? []).filter((kind) => modes[kind] !== "allow");
  }

  async #remove(job: Job, path: string): Promise<void> {
    for (const record of this.#below(path)) {
      const entry = await job.draft.entry(record.scope, record.id);
      if (entry) await forgetOrRefuse(job, entry);
    }
  }

  async #move(job: Job, from: string, to: string): Promise<void> {
    const moved = this.#below(from);
    for (const [folder] of above(to))
      if (folder !== "" && !this.#files.has(folder)) await this.#keep(job, FOLDER, folder, folder, undefined);
    await this.#remove(job, from);
    for (const record of moved) {
      const path = to + pathOf(record).slice(from.length);
      const text = record.type === FILE ? exactText(record) : path;
      await this.#keep(job, record.type, path, text, this.#files.get(path), record);
    }
  }

  #below(path: string): MemoryRecord[] {
    return [...this.#files.values()].filter((record) => {
      const own = pathOf(record);
      return own === path || own.startsWith(`${path}/`);
    });
  }
}

const idOf = (type: string, path: string): MemoryId => derivedId("files", type, path, 0);
const pathOf = ({ attributes }: MemoryRecord): string => String(attributes?.path ?? "");

/** The folders above a path, the root first, each with the name that leads on. */
function above(path: string): [folder: string, name: string][] {
  const parts = path.split("/");
  return parts.map((name, at) => [parts.slice(0, at).join("/"), name]);
}
