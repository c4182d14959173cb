import { PalimpsestError } from "./errors.js";
import { hashCanonical, type Hash } from "./hash.js";

declare const scopeBrand: unique symbol;
declare const idBrand: unique symbol;
declare const branchBrand: unique symbol;
/** Who may see a memory: `shared` or `kind/name`. */
export type Scope = string & { readonly [scopeBrand]: true };
export type MemoryId = string & { readonly [idBrand]: true };
export type BranchName = string & { readonly [branchBrand]: true };

export const SHARED = "shared" as Scope;
export const MAIN = "main" as BranchName;

const SCOPE = /^[a-z]+\/[\p{L}\p{M}\p{N}._@+-]{1,128}$/u;
const NAME = /^[\p{L}\p{M}\p{N}._@+-]{1,128}$/u;
const BRANCH = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

export function parseScope(text: unknown): Scope {
  if (typeof text === "string" && (text === SHARED || SCOPE.test(text)) && text === text.normalize("NFC"))
    return text as Scope;
  throw new PalimpsestError("INVALID_SCOPE", `Not a scope: ${show(text)}.`);
}

export function parseId(text: unknown): MemoryId {
  if (
    typeof text === "string" &&
    text.length > 0 &&
    text.isWellFormed() &&
    text.trim() === text &&
    !/\p{Cc}/u.test(text) &&
    Buffer.byteLength(text) <= 512
  )
    return text as MemoryId;
  throw new PalimpsestError("INVALID_ID", `Not an id: ${show(text)}.`);
}

/** Names of agents and sessions. */
export function parseName(text: unknown): string {
  if (typeof text === "string" && NAME.test(text) && text === text.normalize("NFC")) return text;
  throw new PalimpsestError("INVALID_NAME", `Not a name: ${show(text)}.`);
}

/** What the doors do with a name from outside: other characters become `-`, so that no agent is locked out. */
export const toName = (text: string): string =>
  text.normalize("NFC").replace(/[^\p{L}\p{M}\p{N}._@+-]+/gu, "-").slice(0, 128) || "unnamed";

/** Branch names are safe as file names, URLs and diagram ids. */
export function parseBranch(text: unknown): BranchName {
  if (typeof text === "string" && BRANCH.test(text) && !text.includes("..") && !/\.(lock)?$/.test(text))
    return text as BranchName;
  throw new PalimpsestError("INVALID_NAME", `Not a branch name: ${show(text)}.`, {
    hint: "A branch name is 1-100 ASCII letters, digits and . _ - and begins with a letter or digit.",
  });
}

/** Keys of the state: a memory is found under the pair of these hashes. */
export const scopeKey = (scope: Scope): Hash => hashCanonical("scope", JSON.stringify(scope));
export const idKey = (id: MemoryId): Hash => hashCanonical("id", JSON.stringify(id));

/** Two writers that name one topic meet in one record, because the id follows from the topic alone. */
export const topicId = (topic: string): MemoryId =>
  `topic-${hashCanonical("topic", JSON.stringify(topic)).slice(0, 32)}` as MemoryId;

export const isGeneratedId = (id: string): boolean => /^mem-[0-9a-f-]{36}$/.test(id);

/** UUIDv7 prefixes are alike, so a generated id is shown by its end. */
export const shortId = (id: string): string => (isGeneratedId(id) ? id.slice(-8) : id);

function show(text: unknown): string {
  const shown = typeof text === "string" ? JSON.stringify(text) : typeof text;
  return shown.length > 80 ? `${shown.slice(0, 80)}…` : shown;
}
