import { createHash } from "node:crypto";
import {
  type Hash,
  hashBytes,
  isHash,
  type Json,
  type JsonObject,
  PalimpsestError,
} from "../core/base/index.js";
import type { Touch } from "../core/ledger/index.js";

/** What an image holds besides derived nodes, which readers make again. */
export type ImageKind = "memory" | "changeset" | "commit" | "note" | "operation" | "tombstone";
const KINDS: ReadonlySet<string> = new Set([
  "memory",
  "changeset",
  "commit",
  "note",
  "operation",
  "tombstone",
]);

export interface ImageObject {
  readonly kind: ImageKind;
  readonly hash: Hash;
  readonly bytes: Uint8Array;
}

export interface ImageRef {
  readonly target: Hash;
  readonly meta?: JsonObject;
}

export interface Image {
  readonly created: string;
  readonly refs: ReadonlyMap<string, ImageRef>;
  /** The operation log, oldest first. */
  readonly ops: readonly Hash[];
}

/** What one line of an image adds to a store: an object, or an event as readers want it, derived from the objects. */
export type ImageItem = { readonly object: ImageObject } | { readonly event: Touch };

/** How an image begins. */
export const IMAGE_MAGIC = ";; Palimpsest image 1";

/** Where an image comes from; objects and events are read while it is written. */
export interface ImageSource extends Image {
  readonly counts: { readonly objects: number; readonly memories: number };
  readonly objects: AsyncIterable<ImageObject>;
  readonly touch: AsyncIterable<Touch>;
}

/**
 * The lines of an image file: a header for people, then one line each for refs, the operation log, objects and
 * events, and last a digest of everything above it.
 */
export async function* imageLines(image: ImageSource): AsyncGenerator<string> {
  const digest = createHash("sha256");
  const line = (text: string): string => {
    digest.update(`${text}\n`);
    return `${text}\n`;
  };
  const { objects, memories } = image.counts;
  yield line(IMAGE_MAGIC);
  yield line(`;; Created: ${image.created}`);
  yield line(`;; ${objects} objects (${memories} versions of memories), ${image.refs.size} refs`);
  for (const [name, { target }] of image.refs) yield line(`;; ${name} ${target}`);
  for (const [name, ref] of image.refs) yield line(`ref ${JSON.stringify({ name, ...ref })}`);
  for (const hash of image.ops) yield line(`op ${hash}`);
  for await (const { kind, hash, bytes } of image.objects)
    yield line(`object ${kind} ${hash} ${Buffer.from(bytes).toString("utf8")}`);
  for await (const row of image.touch) yield line(`event ${JSON.stringify(row)}`);
  yield `end ${digest.digest("hex")}\n`;
}

/**
 * Reads an image line by line and holds only its refs and operations. Every object is hashed again and the digest must be
 * there: a cut or changed file is refused.
 */
export class ImageReader {
  readonly #digest = createHash("sha256");
  readonly #refs = new Map<string, ImageRef>();
  readonly #ops: Hash[] = [];
  #created = "";
  #lines = 0;
  #isDone = false;

  add(line: string): ImageItem | undefined {
    const index = this.#lines++;
    if (index === 0 && line !== IMAGE_MAGIC)
      throw new PalimpsestError("INVALID_FILE", "This is no image of a store.", {
        hint: "An image is made by `pal export --format image`.",
      });
    if (this.#isDone && line !== "") fail(index, "there is something after the end");
    if (this.#isDone) return undefined;
    const space = line.indexOf(" ");
    const [word, rest] = [line.slice(0, space), line.slice(space + 1)];
    if (word === "end") {
      this.#isDone = this.#digest.digest("hex") === rest || fail(index, "its digest differs");
      return undefined;
    }
    this.#digest.update(`${line}\n`);
    if (word === "object") return { object: readObject(rest, index) };
    if (word === "event") return { event: parsed(rest, index) as unknown as Touch };
    if (word === ";;") this.#created ||= /^Created: (.*)$/.exec(rest)?.[1] ?? "";
    else if (word === "ref") readRef(this.#refs, rest, index);
    else if (word === "op") this.#ops.push(isHash(rest) ? rest : fail(index, "it is no hash"));
    else fail(index, "nobody knows what it says");
    return undefined;
  }

  done(): Image {
    if (!this.#isDone) fail(this.#lines, "the end is missing");
    return { created: this.#created, refs: this.#refs, ops: this.#ops };
  }
}

function fail(index: number, why: string): never {
  throw new PalimpsestError("DAMAGED", `The image is damaged at line ${index + 1}: ${why}.`, {
    hint: "Nothing was loaded. Use an earlier image, or the store it was made from.",
  });
}

function readObject(rest: string, index: number): ImageObject {
  const [kind = "", hash = ""] = rest.split(" ", 2);
  const bytes = Buffer.from(rest.slice(kind.length + hash.length + 2));
  if (!KINDS.has(kind) || !isHash(hash) || hashBytes(kind as ImageKind, bytes) !== hash)
    return fail(index, "an object does not match its hash");
  return { kind: kind as ImageKind, hash, bytes };
}

function readRef(refs: Map<string, ImageRef>, rest: string, index: number): void {
  const { name, target, meta } = parsed(rest, index) as Record<string, Json>;
  if (typeof name !== "string" || !isHash(target)) fail(index, "it is no ref");
  else refs.set(name, { target, ...(meta !== undefined && { meta: meta as JsonObject }) });
}

function parsed(text: string, index: number): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return fail(index, "it is no JSON");
  }
}
