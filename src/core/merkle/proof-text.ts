import { demand, refusing } from "./proof-fields.js";

/** No proof that is made is longer; more than this is refused before it is looked at. */
export const MAX_PROOF_BYTES = 32 * 1024 * 1024;
/** Objects and lists within each other in a proof. */
const MAX_DEPTH = 8;

/**
 * A proof from its text. Refused are what is too long, nested too deep, not UTF-8, not JSON, and an object that says one
 * thing twice: of two readers one would believe the first and one the second.
 */
export function readProof(
  text: string | Uint8Array,
): { ok: true; proof: unknown } | { ok: false; reason: string } {
  return refusing(() => {
    demand(typeof text === "string" || text instanceof Uint8Array, "a proof is text or bytes");
    demand(text.length <= MAX_PROOF_BYTES, `a proof is at most ${MAX_PROOF_BYTES} bytes long`);
    return { ok: true, proof: jsonOf(typeof text === "string" ? text : decoded(text), MAX_DEPTH) } as const;
  });
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return demand(false, "the proof is not UTF-8 text") as never;
  }
}

/** JSON in which every object names each of its fields once. */
export function jsonOf(text: string, depth: number): unknown {
  checkKeys(text, depth);
  try {
    return JSON.parse(text);
  } catch {
    return demand(false, "not JSON") as never;
  }
}

/** Sees depth and keys before anything is built. What is no JSON may pass: the parser finds that out. */
function checkKeys(text: string, depth: number): void {
  /** Of each open object its keys so far, of each open list nothing. */
  const open: (Set<string> | undefined)[] = [];
  const next = /[{}[\]"]/g;
  for (let found = next.exec(text); found; found = next.exec(text)) {
    const at = found.index;
    if (found[0] === "{" || found[0] === "[") {
      demand(open.length < depth, "nested too deep");
      open.push(found[0] === "{" ? new Set() : undefined);
    } else if (found[0] === '"') {
      const end = endOfString(text, at);
      next.lastIndex = end;
      const keys = open.at(-1);
      if (keys && isKey(text, end)) addKey(keys, text.slice(at, end));
    } else open.pop();
  }
}

/** One key can be spelled in several ways: with and without escapes. */
function addKey(keys: Set<string>, spelled: string): void {
  const key: unknown = spelled.includes("\\") ? parsedKey(spelled) : spelled.slice(1, -1);
  demand(typeof key === "string" && !keys.has(key), `the field ${spelled.slice(0, 80)} is there twice`);
  keys.add(key);
}

function parsedKey(spelled: string): unknown {
  try {
    return JSON.parse(spelled);
  } catch {
    return demand(false, "not JSON") as never;
  }
}

function isKey(text: string, end: number): boolean {
  const after = /[ \t\r\n]*:/y;
  after.lastIndex = end;
  return after.test(text);
}

/** Behind the closing quote: the first one with an even number of backslashes before it. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote > 0; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (text[quote - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) return quote + 1;
  }
  return demand(false, "not JSON") as never;
}
