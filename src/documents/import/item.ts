import type { Json, JsonObject } from "../../core/base/index.js";

/** One memory of another system's file, in our words; its fields are those that the gate takes. */
export interface ImportedMemory {
  readonly id: string;
  /** Its place in the file, if that names no id: nobody could find it by the one we made. */
  readonly where?: string;
  readonly text: string;
  /** A scope, or absent for wherever the reader's memories go. */
  readonly scope?: string;
  readonly type?: string;
  readonly triple?: { readonly subject: string; readonly predicate: string; readonly object: string };
  readonly attributes?: JsonObject;
  readonly category?: string;
  readonly tags?: readonly string[];
  readonly parent?: string;
  /** A room, or `room/drawer`, that is made if it is not there; instead of `parent`. */
  readonly in?: string;
  readonly position?: string;
  readonly tier?: "register" | "canon";
  readonly topic?: string;
  readonly lifetime?: "permanent" | "session" | "temporary";
  readonly expiresAt?: string;
  readonly confidence?: number;
  readonly sensitivity?: "normal" | "private" | "confidential";
  readonly source?: string;
  readonly evidence?: string;
  readonly uri?: string;
  readonly turn?: number;
  readonly speaker?: string;
  readonly conversation?: string;
  readonly valid?: { readonly from?: string; readonly to?: string };
  /** The branch it belongs to, one that the file described before; absent for the reader's own. */
  readonly branch?: string;
  /** When and by whom it was made, as the file says. */
  readonly made?: { readonly at: string; readonly by?: string };
}

/** A branch of memory that a file describes. */
export interface ImportedBranch {
  readonly name: string;
  readonly persona?: string;
  readonly purpose?: string;
  readonly status?: string;
  readonly created?: string;
}

/** What a file says: memories that live, ids that it says were deleted, and what could not be read. */
export interface Import {
  readonly branches?: readonly ImportedBranch[];
  readonly memories: readonly ImportedMemory[];
  readonly forgotten: readonly { readonly id: string; readonly scope?: string }[];
  readonly problems: readonly ImportProblem[];
}

/** What could not be read; what had `expired` could, and is only reported. */
export interface ImportProblem {
  readonly where: string;
  readonly reason: string;
  readonly expired?: true;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined;

/** An object without what is undefined or null, and without keys that no record can hold. */
export function defined(given: { readonly [name: string]: unknown }): JsonObject {
  return Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => value !== undefined && value !== null && name !== "__proto__",
    ),
  ) as { [name: string]: Json };
}

/** The other systems' word for an audience: `shared`, the name of an agent, or one of our scopes. */
export function audience(given: unknown): string | undefined {
  const name = textOf(given)?.trim();
  if (name === undefined || name === "shared" || name === "memex") return "shared";
  return name.includes("/") ? name : `agent/${name}`;
}

/** What a file holds, met one after the other. */
export type ImportEntry =
  | { readonly memory: ImportedMemory }
  | { readonly branch: ImportedBranch }
  | { readonly forgotten: { readonly id: string; readonly scope?: string } }
  | { readonly problem: ImportProblem }
  /** Said first: an image of the store that was exported follows. */
  | { readonly whole: true }
  /** A line of it. */
  | { readonly image: string };

/** A file that was read whole, as entries. */
export function* entriesOf({ branches = [], memories, forgotten, problems }: Import): Generator<ImportEntry> {
  for (const problem of problems) yield { problem };
  for (const branch of branches) yield { branch };
  for (const memory of memories) yield { memory };
  for (const one of forgotten) yield { forgotten: one };
}

/** A long text in pieces that a document may hold, cut where a line ends if it can be. */
export function piecesOf(text: string, most = 60_000): string[] {
  const pieces: string[] = [];
  for (let rest = text; rest !== ""; ) {
    const end = rest.length <= most ? rest.length : rest.lastIndexOf("\n", most) + 1 || most;
    // Never between the halves of a character.
    const at = /[\ud800-\udbff]/.test(rest[end - 1] as string) ? end - 1 : end;
    pieces.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  return pieces.filter((piece) => piece.trim() !== "");
}
