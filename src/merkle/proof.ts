/**
 * palimpsest/proof: checks that a memory is, or is not, in a state, given nothing but a root that was kept.
 * It imports nothing of Palimpsest on purpose: a second implementation, written from the format alone, that
 * can be read in one sitting, copied and ported.
 */
import { createHash } from "node:crypto";

export interface Proof {
  v: 1;
  /** Root of the scope's trie. */
  root: string;
  scope: string;
  id: string;
  present: boolean;
  /** Hash of the record, if present. */
  record?: string;
  /** The record itself as canonical JSON. */
  memory?: string;
  /** Base64 nodes from the scope's root down. */
  path: string[];
  /** An operator's proof goes on: the scope's root under the root of a commit. */
  state?: { root: string; path: string[] };
}

/** A root that was kept, and whether it is that of a scope or of a whole state (a commit). */
export interface ExpectedRoot {
  root?: string;
  /** Needed for a proof of absence: an id is absent from every state's trie, as a scope is from every scope's. */
  kind?: "scope" | "state";
}

export type ProofVerdict =
  | { ok: true; root: string; present: boolean; state?: string }
  | { ok: false; reason: string };

type Fields = Record<string, unknown>;
const FIELDS = ["v", "root", "scope", "id", "present", "record", "memory", "path", "state"];

/** Never throws, whatever it is given. A field it does not know is refused: all that a proof says is proven. */
export function verifyProof(proof: unknown, expect: ExpectedRoot = {}): ProofVerdict {
  try {
    return verify(fieldsOf(proof, FIELDS), fieldsOf(expect, ["root", "kind"]));
  } catch (error) {
    return { ok: false, reason: error instanceof Refusal ? error.message : "the proof cannot be read" };
  }
}

class Refusal extends Error {}

function demand(condition: boolean, reason: string): asserts condition {
  if (!condition) throw new Refusal(reason);
}

function verify(proof: Fields, expect: Fields): ProofVerdict {
  const { present } = proof;
  demand(proof.v === 1, "the proof is not of version 1");
  demand(typeof present === "boolean", "present is not true or false");
  const root = hashOf(proof.root, "root");
  const scope = textOf(proof.scope, "scope");
  const id = textOf(proof.id, "id");
  const state = proof.state === undefined ? undefined : fieldsOf(proof.state, ["root", "path"]);
  const stateRoot = state && hashOf(state.root, "state.root");
  checkExpected(expect, root, stateRoot, present);

  const found = walk(root, pathOf(proof.path), digest("id", JSON.stringify(id)));
  if (present) {
    demand(found !== undefined, "the id is not in the bucket");
    demand(found === hashOf(proof.record, "record"), "the bucket holds another record");
    if (proof.memory !== undefined) checkMemory(textOf(proof.memory, "memory"), found, scope, id);
  } else {
    demand(found === undefined, "the id is there although the proof says absent");
    demand(proof.record === undefined && proof.memory === undefined, "an absent id has no record");
  }
  if (state === undefined || stateRoot === undefined) return { ok: true, root, present };

  const scopeRoot = walk(stateRoot, pathOf(state.path), digest("scope", JSON.stringify(scope)));
  // A scope without ids has no entry in a state; its trie is then the empty one.
  demand((scopeRoot ?? EMPTY_ROOT) === root, "the state holds another root for the scope");
  return { ok: true, root, present, state: stateRoot };
}

function checkExpected(expect: Fields, root: string, state: string | undefined, present: boolean): void {
  const { kind } = expect;
  demand(kind === undefined || kind === "scope" || kind === "state", "expected kind is not scope or state");
  if (expect.root === undefined) return;
  const expected = hashOf(expect.root, "the expected root");
  demand(
    present || kind !== undefined,
    "to prove absence, say if the expected root is of kind scope or state",
  );
  const fits = (kind !== "state" && expected === root) || (kind !== "scope" && expected === state);
  demand(fits, "the proof is about another root than the expected one");
}

function checkMemory(memory: string, record: string, scope: string, id: string): void {
  demand(digest("memory", memory) === record, "the memory does not have the hash of the record");
  const parsed: unknown = JSON.parse(memory);
  demand(typeof parsed === "object" && parsed !== null, "the memory is not a record");
  const named = parsed as Fields;
  demand(named.id === id && named.scope === scope, "the memory is of another id or scope");
}

/** Follows the key from the root; the value it leads to, or undefined if it provably leads nowhere. */
function walk(root: string, path: Buffer[], key: string): string | undefined {
  let expected: string | undefined = root;
  for (const [depth, node] of path.entries()) {
    demand(digest("node", node) === expected, `node ${depth} is not the one that was named`);
    if (node[0] === 0) {
      demand(depth === path.length - 1, "the path goes on after a bucket");
      return entriesOf(node, key.slice(0, depth)).get(key);
    }
    expected = childOf(node, depth, Number.parseInt(key.charAt(depth), 16));
  }
  demand(path.length > 0 && expected === undefined, "the path ends too early");
  return undefined;
}

function entriesOf(node: Buffer, prefix: string): Map<string, string> {
  const count = node.length < 2 ? -1 : node.readUInt8(1);
  demand(count <= 32 && node.length === 2 + 64 * count, "a bucket of a wrong size");
  demand(count > 0 || prefix === "", "an empty bucket below the root");
  const entries = new Map<string, string>();
  let last = "";
  for (let at = 2; at < node.length; at += 64) {
    const key = node.toString("hex", at, at + 32);
    demand(key > last && key.startsWith(prefix), "a bucket with a key out of place");
    entries.set(key, node.toString("hex", at + 32, at + 64));
    last = key;
  }
  return entries;
}

function childOf(node: Buffer, depth: number, nibble: number): string | undefined {
  demand(node[0] === 1 && node.length >= 9 && depth < 64, "neither a bucket nor a branch");
  const bits = [...Array(16).keys()].filter((bit) => (node.readUInt16BE(1) >> bit) & 1);
  demand(bits.length > 0 && node.length === 9 + 32 * bits.length, "a branch of a wrong size");
  demand(node.readUIntBE(3, 6) > 32, "a branch that should be a bucket");
  const at = 9 + 32 * bits.indexOf(nibble);
  return bits.includes(nibble) ? node.toString("hex", at, at + 32) : undefined;
}

function digest(kind: string, content: string | Buffer): string {
  return createHash("sha256").update(`palimpsest:${kind}:v1\n`).update(content).digest("hex");
}

const EMPTY_ROOT = digest("node", Buffer.from([0, 0]));

function fieldsOf(value: unknown, names: readonly string[]): Fields {
  demand(typeof value === "object" && value !== null && !Array.isArray(value), "not an object");
  // Each field is read once and from the object itself, so that what is checked is what is used.
  const fields: Fields = { ...value };
  for (const name of Object.keys(fields))
    demand(names.includes(name), `unknown field ${JSON.stringify(name)}`);
  return fields;
}

function hashOf(value: unknown, name: string): string {
  demand(typeof value === "string" && /^[0-9a-f]{64}$/.test(value), `${name} is not a whole hash`);
  return value;
}

function textOf(value: unknown, name: string): string {
  demand(typeof value === "string" && value.isWellFormed(), `${name} is not well-formed text`);
  return value;
}

function pathOf(value: unknown): Buffer[] {
  demand(Array.isArray(value) && value.length <= 65, "a path is not a list of at most 65 nodes");
  return Array.from(value, (text: unknown) => {
    demand(typeof text === "string", "a node is not base64 text");
    const node = Buffer.from(text, "base64");
    demand(node.toString("base64") === text, "a node is not strict base64");
    return node;
  });
}
