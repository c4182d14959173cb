/**
 * palimpsest/proof: checks that a memory is, or is not, in a state, and that one head rests on another, given nothing but
 * what was kept. The files proof*.ts import nothing else of Palimpsest on purpose: a second implementation, written from
 * the format alone, that can be read in one sitting, copied and ported.
 */
import { commitOf } from "./proof-commit.js";
import { demand, digest, type Fields, fieldsOf, hashOf, itemsOf, refusing, textOf } from "./proof-fields.js";
import { jsonOf } from "./proof-text.js";

export {
  type ConsistencyProof,
  type ConsistencyVerdict,
  type ExpectedHeads,
  MAX_COMMITS,
  verifyConsistency,
} from "./proof-chain.js";
export { MAX_PROOF_BYTES, readProof } from "./proof-text.js";

export interface Proof {
  /** Version 2 goes on to a commit. */
  v: 1 | 2;
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
  /** In version 2: the commit that has this state, as the canonical JSON that its hash is taken over. */
  commit?: string;
}

/** What was kept: a commit, the root of a whole state, or the root of a scope. */
export interface ExpectedRoot {
  root?: string;
  /** Needed for a proof of absence under a root: an id is absent from every state's trie, as a scope is from every scope's. */
  kind?: Anchor;
  /** The scope that the proof has to be about. To know whose a kept root of a scope is, it was kept with it. */
  scope?: string;
}

export type Anchor = "scope" | "state" | "commit";

/** Holds nothing but what hangs on the anchor: a field that is not hashed up to it is left out. */
export type ProofVerdict =
  | {
      ok: true;
      /** What all of it hangs on: what was expected, else the topmost of what the proof names. */
      anchor: Anchor;
      /** Was it given by who checks? Otherwise anybody can have invented it. */
      kept: boolean;
      commit?: string;
      state?: string;
      root: string;
      /** Left out where neither a state, nor the memory's own text, nor who checks says whose root it is. */
      scope?: string;
      id: string;
      present: boolean;
      record?: string;
      memory?: string;
    }
  | { ok: false; reason: string };

const FIELDS = ["v", "root", "scope", "id", "present", "record", "memory", "path", "state"];
/** The largest node is a full bucket of 2050 bytes. */
const MAX_NODE_TEXT = 2736;
/** A record nests at most 100 deep, and its attributes lie in it. */
const MAX_MEMORY_DEPTH = 104;

/** Never throws, whatever it is given. A field it does not know is refused: all that a proof says is checked. */
export function verifyProof(proof: unknown, expect: ExpectedRoot = {}): ProofVerdict {
  return refusing(() =>
    verify(fieldsOf(proof, [...FIELDS, "commit"]), fieldsOf(expect, ["root", "kind", "scope"])),
  );
}

function verify(proof: Fields, expect: Fields): ProofVerdict {
  const { present } = proof;
  demand(proof.v === 1 || proof.v === 2, "the proof is not of version 1 or 2");
  demand((proof.v === 2) === (proof.commit !== undefined), "a commit is what version 2 has, and needs");
  demand(typeof present === "boolean", "present is not true or false");
  const root = hashOf(proof.root, "root");
  const scope = textOf(proof.scope, "scope");
  const id = textOf(proof.id, "id");
  const state = proof.state === undefined ? undefined : fieldsOf(proof.state, ["root", "path"]);
  const stateRoot = state && hashOf(state.root, "state.root");
  const commit = proof.commit === undefined ? undefined : commitOf(proof.commit);
  demand(commit === undefined || commit.root === stateRoot, "the commit has another state");
  const anchor = anchorOf(expect, { scope: root, state: stateRoot, commit: commit?.hash }, present);

  const found = walk(root, pathOf(proof.path), digest("id", JSON.stringify(id)));
  const memory = proof.memory === undefined ? undefined : textOf(proof.memory, "memory");
  if (present) {
    demand(found !== undefined, "the id is not in the bucket");
    demand(found === hashOf(proof.record, "record"), "the bucket holds another record");
    if (memory !== undefined) checkMemory(memory, found, scope, id);
  } else {
    demand(found === undefined, "the id is there although the proof says absent");
    demand(proof.record === undefined && memory === undefined, "an absent id has no record");
  }
  if (state !== undefined && stateRoot !== undefined) {
    const scopeRoot = walk(stateRoot, pathOf(state.path), digest("scope", JSON.stringify(scope)));
    // A scope without ids has no entry in a state; its trie is then the empty one.
    demand((scopeRoot ?? EMPTY_ROOT) === root, "the state holds another root for the scope");
  }
  const { scope: asked } = expect;
  demand(asked === undefined || asked === scope, "the proof is about another scope than the expected one");
  const kept = expect.root !== undefined;
  const isScopeBound = anchor !== "scope" || memory !== undefined || (kept && asked !== undefined);
  return {
    ok: true,
    anchor,
    kept,
    ...(anchor === "commit" && commit && { commit: commit.hash }),
    ...(anchor !== "scope" && stateRoot !== undefined && { state: stateRoot }),
    root,
    ...(isScopeBound && { scope }),
    id,
    present,
    ...(found !== undefined && { record: found }),
    ...(memory !== undefined && { memory }),
  };
}

/** Where what was kept stands in the proof. What the proof puts above it is nobody's word. */
function anchorOf(
  expect: Fields,
  named: { readonly [A in Anchor]: string | undefined },
  present: boolean,
): Anchor {
  const { kind } = expect;
  demand(
    kind === undefined || kind === "scope" || kind === "state" || kind === "commit",
    "expected kind is not scope, state or commit",
  );
  const anchors = (["commit", "state", "scope"] as const).filter((anchor) => named[anchor] !== undefined);
  if (expect.root === undefined) {
    const top = anchors.find((anchor) => kind === undefined || kind === anchor);
    demand(top !== undefined, `the proof does not reach a ${String(kind)}`);
    return top;
  }
  const expected = hashOf(expect.root, "the expected root");
  const anchor = anchors.find((each) => named[each] === expected && (kind === undefined || kind === each));
  // A commit's hash is of another kind than a root's and cannot be taken for one.
  demand(
    present || kind !== undefined || anchor === "commit",
    "to prove absence, say if the expected root is of kind scope or state",
  );
  demand(anchor !== undefined, "the proof is about another root than the expected one");
  return anchor;
}

function checkMemory(memory: string, record: string, scope: string, id: string): void {
  demand(digest("memory", memory) === record, "the memory does not have the hash of the record");
  const parsed = jsonOf(memory, MAX_MEMORY_DEPTH);
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

const EMPTY_ROOT = digest("node", Buffer.from([0, 0]));

function pathOf(value: unknown): Buffer[] {
  return itemsOf(value, 65, "a path is not a list of at most 65 nodes").map((text) => {
    demand(typeof text === "string" && text.length <= MAX_NODE_TEXT, "a node is not base64 text");
    const node = Buffer.from(text, "base64");
    demand(node.toString("base64") === text, "a node is not strict base64");
    return node;
  });
}
