import type { MemoryId } from "../core/base/index.js";
import { byCodeUnit, type MemoryRecord } from "../core/ledger/index.js";
import { formatOf } from "./parse.js";
import { fileName } from "./source.js";

/** Where a link that is written in a note leads; `id` is absent when no note is meant, or none is there. */
export interface NoteLink {
  readonly target: string;
  readonly id?: MemoryId;
}

/** Relations between the notes of a scope, as their links say them. */
export class LinkGraph {
  readonly #records = new Map<MemoryId, MemoryRecord>();
  readonly #paths = new Map<string, MemoryId>();
  /** By name in lower case: documents by their file's name, documents and headlines by title. */
  readonly #names = new Map<string, MemoryRecord[]>();

  constructor(records: Iterable<MemoryRecord>) {
    for (const record of [...records].sort((a, b) => byCodeUnit(a.id, b.id))) {
      this.#records.set(record.id, record);
      const { path, TITLE, CUSTOM_ID } = record.attributes ?? {};
      if (record.type === "document" && typeof path === "string") {
        this.#paths.set(path, record.id);
        this.#name(fileName(path).replace(/\.[^.]*$/, ""), record);
      }
      if (typeof TITLE === "string") {
        this.#name(TITLE, record);
        if (slug(TITLE) !== TITLE.toLowerCase()) this.#name(slug(TITLE), record);
      }
      if (typeof CUSTOM_ID === "string") this.#name(`#${CUSTOM_ID}`, record);
    }
  }

  outgoing(record: MemoryRecord): NoteLink[] {
    const links = record.attributes?.LINKS;
    if (!Array.isArray(links)) return [];
    return links
      .filter((target) => typeof target === "string")
      .map((target) => {
        const id = this.#resolve(target, record);
        return { target, ...(id !== undefined && { id }) };
      });
  }

  /** Notes that link to one of these and are none of them. */
  incoming(ids: ReadonlySet<MemoryId>): { readonly id: MemoryId; readonly target: string }[] {
    return [...this.#records.values()]
      .filter(({ id }) => !ids.has(id))
      .flatMap((record) =>
        this.outgoing(record)
          .filter(({ id }) => id !== undefined && ids.has(id))
          .map(({ target }) => ({ id: record.id, target })),
      );
  }

  #resolve(target: string, from: MemoryRecord): MemoryId | undefined {
    const id = /^id:(.+)$/i.exec(target)?.[1];
    if (id !== undefined) return this.#records.get(id as MemoryId)?.id;
    const [file, part] = cut(target.replace(/^(?:file|attachment):/i, ""));
    const home = this.#documentOf(from);
    if (file === "") return part === undefined ? undefined : this.#part(part, home);
    const document = this.#file(file, home);
    if (document === undefined) return part === undefined ? this.#named(file, home) : undefined;
    return part === undefined ? document : this.#part(part, this.#records.get(document));
  }

  /** A path, relative to the note that names it. */
  #file(file: string, home: MemoryRecord | undefined): MemoryId | undefined {
    const base = typeof home?.attributes?.path === "string" ? home.attributes.path : "";
    const whole = file.startsWith("/") || file.startsWith("~") ? file : joined(base, file);
    const found = this.#paths.get(whole);
    if (found !== undefined || formatOf(file) !== undefined) return found;
    return this.#paths.get(`${whole}.md`) ?? this.#paths.get(`${whole}.org`);
  }

  #part(part: string, document: MemoryRecord | undefined): MemoryId | undefined {
    const name = part.replace(/^\*/, "").toLowerCase();
    const found = this.#names.get(name) ?? this.#names.get(`#${name.replace(/^#/, "")}`) ?? [];
    return found.find((record) => this.#documentOf(record)?.id === document?.id)?.id;
  }

  /** A name alone: of this document's headlines first, then of a document, then of any headline. */
  #named(name: string, home: MemoryRecord | undefined): MemoryId | undefined {
    const found = this.#names.get(name.replace(/^\*/, "").toLowerCase()) ?? [];
    const best =
      found.find((record) => record.type !== "document" && this.#documentOf(record)?.id === home?.id) ??
      found.find(({ type }) => type === "document") ??
      found[0];
    return best?.id;
  }

  #documentOf(record: MemoryRecord): MemoryRecord | undefined {
    const seen = new Set<MemoryId>();
    let at: MemoryRecord | undefined = record;
    while (at && at.type !== "document" && !seen.has(at.id)) {
      seen.add(at.id);
      at = at.parent === undefined ? undefined : this.#records.get(at.parent);
    }
    return at?.type === "document" ? at : undefined;
  }

  #name(given: string, record: MemoryRecord): void {
    const name = given.toLowerCase();
    const list = this.#names.get(name);
    if (!list) this.#names.set(name, [record]);
    else if (!list.includes(record)) list.push(record);
  }
}

/** `file::part` of Org, `file#part` of Markdown and wikis. */
function cut(target: string): [string, string | undefined] {
  const at = target.includes("::") ? target.indexOf("::") : target.indexOf("#");
  if (at < 0) return target.startsWith("*") ? ["", target] : [target, undefined];
  return [target.slice(0, at), target.slice(at + (target.includes("::") ? 2 : 1))];
}

/** A relative path below the folder of another, without `.` and `..`. */
function joined(base: string, path: string): string {
  const parts = base.split("/").slice(0, -1);
  for (const step of path.split("/")) {
    if (step === "..") parts.pop();
    else if (step !== ".") parts.push(step);
  }
  return parts.join("/");
}

/** A title as Markdown sites make it an anchor. */
const slug = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, "")
    .replace(/\s/gu, "-");
