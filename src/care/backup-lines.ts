import { createHash } from "node:crypto";
import { type Hash, hashBytes, isHash, type JsonObject, PalimpsestError } from "../core/base/index.js";
import type { ObjectKind, Ref, StoredObject } from "../storage/index.js";

/** How a backup begins. An image of a store says the same and more, and can be restored as well. */
export const BACKUP_MAGIC = ";; Palimpsest backup 1";
const MAGICS: readonly string[] = [BACKUP_MAGIC, ";; Palimpsest image 1"];
const KINDS: readonly string[] = ["memory", "changeset", "commit", "note", "operation", "tombstone"];
/** No object of ours is near this long. */
const LONGEST = 32 * 1024 * 1024;

/** One line of a backup. */
export type BackupItem =
  | { readonly object: StoredObject }
  | { readonly ref: readonly [string, Ref] }
  | { readonly op: Hash };

/** Writes the lines of a backup: what it is, the items, and a digest of all before it. */
export class BackupWriter {
  readonly #digest = createHash("sha256");

  head(about: readonly string[]): string {
    return [BACKUP_MAGIC, ...about.map((text) => `;; ${text}`)].map((text) => this.#line(text)).join("");
  }

  item(item: BackupItem): string {
    if ("ref" in item) return this.#line(`ref ${JSON.stringify({ name: item.ref[0], ...item.ref[1] })}`);
    if ("op" in item) return this.#line(`op ${item.op}`);
    const { kind, hash, bytes } = item.object;
    return this.#line(`object ${kind} ${hash} ${Buffer.from(bytes).toString()}`);
  }

  end(): string {
    return `end ${this.#digest.digest("hex")}\n`;
  }

  #line(text: string): string {
    this.#digest.update(`${text}\n`);
    return `${text}\n`;
  }
}

/** Reads a backup as it comes in, and never holds more of it than a line. The first thing that is wrong ends it. */
export async function* readBackup(source: AsyncIterable<Uint8Array>): AsyncGenerator<BackupItem> {
  const digest = createHash("sha256");
  let at = 0;
  let isOver = false;
  for await (const line of linesOf(source)) {
    at++;
    if (isOver) throw broken(at, "something follows the end");
    const text = line.toString("latin1", 0, 5);
    if (at === 1 && !MAGICS.includes(line.toString()))
      throw new PalimpsestError("INVALID_FILE", "This is no backup of a store.", {
        hint: "A backup is made by `pal backup`.",
      });
    if (text.startsWith("end ")) {
      if (line.toString("latin1", 4) !== digest.digest("hex")) throw broken(at, "its digest differs");
      isOver = true;
      continue;
    }
    digest.update(line).update("\n");
    const item = itemIn(line, at);
    if (item) yield item;
  }
  if (!isOver) throw broken(at, "the end is missing");
}

function itemIn(line: Buffer, at: number): BackupItem | undefined {
  const space = line.indexOf(0x20);
  const word = line.toString("latin1", 0, Math.max(0, Math.min(space, 16)));
  const rest = line.subarray(space + 1);
  // What is derived is made again, so that nobody can lie about it.
  if (word === ";;" || word === "event") return undefined;
  if (word === "op") return { op: hashIn(rest.toString("latin1", 0, 80), at) };
  if (word === "ref") return { ref: refIn(rest, at) };
  if (word === "object") return { object: objectIn(rest, at) };
  throw broken(at, "nobody knows what it says");
}

function objectIn(rest: Buffer, at: number): StoredObject {
  const space = rest.indexOf(0x20);
  const kind = rest.toString("latin1", 0, Math.max(0, Math.min(space, 16)));
  const hash = hashIn(rest.toString("latin1", space + 1, space + 65), at);
  const bytes = rest.subarray(space + 66);
  if (!KINDS.includes(kind) || rest[space + 65] !== 0x20 || hashBytes(kind as ObjectKind, bytes) !== hash)
    throw broken(at, "an object does not match its hash");
  return { kind: kind as ObjectKind, hash, bytes };
}

/** Names of our own making only: what they lead to is checked with the whole. */
const REF_NAME = /^(heads|tags|snapshots|staging|checkouts|erased|remotes)\/\S{1,1024}$/u;
const REF_LENGTH = 64 * 1024;

function refIn(rest: Buffer, at: number): readonly [string, Ref] {
  if (rest.length > REF_LENGTH) throw broken(at, "it is no ref");
  let value: { name?: unknown; target?: unknown; meta?: unknown };
  try {
    value = JSON.parse(rest.toString()) as typeof value;
  } catch {
    throw broken(at, "it is no JSON");
  }
  const { name, target, meta } = value ?? {};
  const isMeta = meta === undefined || (typeof meta === "object" && meta !== null && !Array.isArray(meta));
  if (typeof name !== "string" || !REF_NAME.test(name) || !isHash(target) || !isMeta)
    throw broken(at, "it is no ref");
  return [name, { target, ...(meta !== undefined && { meta: meta as JsonObject }) }];
}

function hashIn(text: string, at: number): Hash {
  if (!isHash(text)) throw broken(at, "it is no hash");
  return text;
}

function broken(at: number, why: string): PalimpsestError {
  return new PalimpsestError("DAMAGED", `The backup is damaged at line ${at}: ${why}.`, {
    hint: "Nothing was restored. Use another backup, or the store it was made from.",
  });
}

/** Lines without their end, as bytes. */
async function* linesOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of source) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    let from = 0;
    for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, from)) {
      const last = bytes.subarray(from, end);
      yield parts.length === 0 ? last : Buffer.concat([...parts, last]);
      [parts, length, from] = [[], 0, end + 1];
    }
    if (from === bytes.length) continue;
    parts.push(bytes.subarray(from));
    length += bytes.length - from;
    if (length > LONGEST) throw broken(0, "a line is longer than anything we write");
  }
  if (length > 0) yield Buffer.concat(parts);
}
