import { type HashList, writeHash } from "../core/base/index.js";
import type { Doc } from "./document.js";
import { authorName, NONE } from "./frozen.js";

/** Columns of numbers of names, and those that hold what a memory says itself. */
export const NAMED = ["author", "session", "speaker", "role", "language"] as const;
export const PLAIN = [
  "version",
  "created",
  "updated",
  "expires",
  "turn",
  "said",
  "traits",
  "confidence",
  "length",
  "saying",
] as const satisfies readonly (keyof Doc)[];

export type DirectoryColumns = ReturnType<typeof emptyColumns>;

export const emptyColumns = (count: number) => ({
  hashes: new Uint8Array(count * 32),
  version: new Uint32Array(count),
  created: new Float64Array(count),
  updated: new Float64Array(count),
  commit: new Uint32Array(count),
  author: new Uint32Array(count),
  expires: new Float64Array(count),
  session: new Uint32Array(count),
  turn: new Float64Array(count),
  speaker: new Uint32Array(count),
  role: new Uint32Array(count),
  said: new Float64Array(count),
  language: new Uint32Array(count),
  traits: new Uint8Array(count),
  confidence: new Float32Array(count),
  length: new Uint32Array(count),
  saying: new Uint32Array(count),
});

/** Writes all of a memory but its id. */
export function writeDoc(
  doc: Doc,
  columns: DirectoryColumns,
  at: number,
  names: Names,
  commits: HashList,
): void {
  writeHash(doc.hash, columns.hashes, at * 32);
  columns.commit[at] = doc.commit === undefined ? NONE : commits.add(doc.commit);
  columns.author[at] = names.of(authorName(doc.author));
  columns.session[at] = names.of(doc.session);
  columns.speaker[at] = names.of(doc.speaker);
  columns.role[at] = names.of(doc.role);
  columns.language[at] = names.of(doc.language);
  for (const column of PLAIN) columns[column][at] = doc[column] ?? Number.NaN;
}

/** Gives each name a number, the same when it comes again. */
export class Names {
  readonly all: string[] = [];
  readonly #numbers = new Map<string, number>();

  of(name: string | undefined): number {
    if (name === undefined) return NONE;
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.all.length);
    return this.all.push(name) - 1;
  }
}
