import { PalimpsestError, quote } from "./errors.js";
import { type Hash, hashCanonical, hashValue } from "./hash.js";

/**
 * A pattern that is made when it is first asked for. It is written as text because the engine works out the sets of a
 * literal's `\p{…}` whenever the file is loaded, a third of a millisecond each, whether anybody uses them or not.
 */
export function latePattern(flags: string): (text: TemplateStringsArray) => () => RegExp {
  return ({ raw: [text] }) => {
    let made: RegExp | undefined;
    return () => (made ??= new RegExp(text!, flags));
  };
}

declare const scopeBrand: unique symbol;
declare const idBrand: unique symbol;
declare const branchBrand: unique symbol;
/** Who may see a memory: `shared` or `kind/name`. */
export type Scope = string & { readonly [scopeBrand]: true };
export type MemoryId = string & { readonly [idBrand]: true };
export type BranchName = string & { readonly [branchBrand]: true };

export const SHARED = "shared" as Scope;
export const MAIN = "main" as BranchName;

/** `shared/x` would look open to all and be seen by few, so `shared` is no kind. */
const KIND = /^(?!shared\/)[a-z]{1,32}\//;
const ASCII_NAME = /^[A-Za-z0-9._@+-]{1,128}$/;
const NAME = latePattern("u")`^[\p{L}\p{M}\p{N}._@+-]{1,128}$`;
const NOT_IN_NAMES = latePattern("gu")`[^\p{L}\p{M}\p{N}._@+-]+`;
const BRANCH = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
/** Windows opens a device, not a file, under these names, whatever extension follows. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

export function parseScope(text: unknown): Scope {
  if (typeof text === "string" && (text === SHARED || isNamedScope(text))) return text as Scope;
  throw new PalimpsestError("INVALID_SCOPE", `Not a scope: ${quote(text)}.`);
}

function isNamedScope(text: string): boolean {
  const [kind] = KIND.exec(text) ?? [];
  return kind !== undefined && isName(text.slice(kind.length));
}

/** Most names are of ASCII; the sets of Unicode are worked out for the others. */
const isName = (text: string): boolean =>
  ASCII_NAME.test(text) || (NAME().test(text) && text === text.normalize("NFC"));

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
  throw new PalimpsestError("INVALID_ID", `Not an id: ${quote(text)}.`);
}

/** Names of agents and sessions. */
export function parseName(text: unknown): string {
  if (typeof text === "string" && isName(text)) return text;
  throw new PalimpsestError("INVALID_NAME", `Not a name: ${quote(text)}.`);
}

/** What the doors do with a name from outside: other characters become `-`, so that no agent is locked out. */
export function toName(text: string): string {
  if (isName(text)) return text;
  const name = text.normalize("NFC").replace(NOT_IN_NAMES(), "-");
  // Cut by characters, as the limit counts them: half a surrogate pair would not be a name.
  return [...name.slice(0, 256)].slice(0, 128).join("") || "unnamed";
}

/** Branch names are safe as file names, URLs and diagram ids. */
export function parseBranch(text: unknown): BranchName {
  if (
    typeof text === "string" &&
    BRANCH.test(text) &&
    !DEVICE.test(text) &&
    !text.includes("..") &&
    !/\.(lock)?$/i.test(text)
  )
    return text as BranchName;
  throw new PalimpsestError("INVALID_NAME", `Not a branch name: ${quote(text)}.`, {
    hint: "A branch name is 1-100 ASCII letters, digits and . _ -, begins with a letter or digit, does not end with a dot or .lock, holds no .. and is no device name such as NUL.",
  });
}

/** Keys of the state: a memory is found under the pair of these hashes. */
export function scopeKey(scope: Scope): Hash {
  const known = scopeKeys.get(scope);
  if (known !== undefined) return known;
  const key = hashCanonical("scope", JSON.stringify(scope));
  if (scopeKeys.size < 1000) scopeKeys.set(scope, key);
  return key;
}
/** Scopes are few and each write asks for one. */
const scopeKeys = new Map<Scope, Hash>();
export const idKey = (id: MemoryId): Hash => hashCanonical("id", JSON.stringify(id));

/** Two writers that name one topic meet in one record, because the id follows from the topic alone. */
export const topicId = (topic: string): MemoryId =>
  `topic-${hashValue("topic", topic).slice(0, 32)}` as MemoryId;

export const isGeneratedId = (id: string): boolean =>
  /^mem-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);

/**
 * An id as it is shown: one that nobody chose by its end, because UUIDv7 prefixes are alike; one that we derived by its
 * beginning; one that somebody chose as it is.
 */
export function shortId(id: string): string {
  if (isUuid(id) || OF_A_CONVERSATION.test(id)) return id.slice(-8);
  return id.replace(/^((?:topic|obs)-[0-9a-f]{8})[0-9a-f]{24}$/, "$1");
}
const OF_A_CONVERSATION = /^(?:said-|(?:claude-code|codex)\/).*[0-9a-f]{12}$/;

/** Ids that we make from what they stand for. */
const isDerivedId = (id: string): boolean => /^(topic|obs)-[0-9a-f]{32}$/.test(id);

/** An id that we made is complete: no other begins or ends with it. */
export const isCompleteId = (id: string): boolean => isGeneratedId(id) || isDerivedId(id);

/** Ids that nobody chose, whichever system made them. */
const isUuid = (id: string): boolean =>
  /^(?:(?:mem|snap)-)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);

/** Can this be how an id that nobody chose is shown: the end of a UUID, or the beginning of a derived one? */
export const mayBeShortId = (given: string): boolean =>
  /^(?:[0-9a-f][0-9a-f-]{7,35}|(?:topic|obs)-[0-9a-f]{8,31})$/.test(given);

/** Is it the short form of this id? Never of one that a caller chose. */
export const isShortIdOf = (given: string, id: string): boolean =>
  mayBeShortId(given) && ((isUuid(id) && id.endsWith(given)) || (isDerivedId(id) && id.startsWith(given)));

const SIGHT = latePattern("u")`[^\p{White_Space}\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]`;

/** Nothing to see: no character, or blanks, zero-width and other characters that are drawn as nothing. */
export const isBlank = (text: string): boolean => !/[!-~]/.test(text) && !SIGHT().test(text);
