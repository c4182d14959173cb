import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Hash, hashBytes, hashCanonical } from "../base/hash.js";
import { canonical } from "../base/json.js";
import { idKey, parseId, parseScope, type Scope, scopeKey } from "../base/names.js";
import { applyChanges } from "./apply.js";
import { EMPTY_NODE, EMPTY_ROOT } from "./node.js";
import { type Proof, verifyProof } from "./proof.js";
import { isNeed, lookup, provePath } from "./walk.js";

const golden = JSON.parse(
  readFileSync(new URL("../../../test/golden/merkle-v1.json", import.meta.url), "utf8"),
) as { proofs: { name: string; proof: Proof }[] };

const SCOPE = parseScope("agent/orion");
const nodes = new Map<Hash, Uint8Array>();
const source = (hash: Hash): Uint8Array | undefined => nodes.get(hash);

function build(entries: Iterable<[Hash, Hash]>): Hash {
  const made = applyChanges(EMPTY_ROOT, new Map(entries), source);
  if (isNeed(made)) throw new Error("need");
  for (const [hash, node] of made.nodes) nodes.set(hash, node);
  return made.root;
}

const memoryOf = (id: string): string => canonical({ scope: SCOPE, id, type: "fact", text: `The ${id}` });
const recordOf = (id: string): Hash => hashCanonical("memory", memoryOf(id));
const IDS = Array.from({ length: 300 }, (_, n) => `memory/${n} é`);
const scopeRoot = build(IDS.map((id) => [idKey(parseId(id)), recordOf(id)]));
const smallRoot = build([[idKey(parseId("only")), recordOf("only")]]);
const stateRoot = build([
  [scopeKey(SCOPE), scopeRoot],
  ...Array.from({ length: 60 }, (_, n): [Hash, Hash] => [scopeKey(`user/${n}` as Scope), smallRoot]),
]);

function pathTo(root: Hash, key: Hash): string[] {
  const answer = provePath(root, key, source);
  if (isNeed(answer)) throw new Error("need");
  return answer.path.map((node) => Buffer.from(node).toString("base64"));
}

function prove(
  id: string,
  options: { root?: Hash; scope?: string; memory?: boolean; state?: boolean } = {},
): Proof {
  const { root = scopeRoot, scope = SCOPE, memory = false, state = false } = options;
  const key = idKey(parseId(id));
  const found = lookup(root, key, source);
  if (isNeed(found)) throw new Error("need");
  return {
    v: 1,
    root,
    scope,
    id,
    present: found.value !== undefined,
    ...(found.value && { record: found.value }),
    ...(found.value && memory && { memory: memoryOf(id) }),
    path: pathTo(root, key),
    ...(state && { state: { root: stateRoot, path: pathTo(stateRoot, scopeKey(parseScope(scope))) } }),
  };
}

const refused = (proof: unknown): void => {
  expect(verifyProof(proof)).toEqual({ ok: false, reason: expect.any(String) });
};

describe("proofs", () => {
  it.each(golden.proofs)("M15 the path of a key proves presence and absence: $name", ({ proof }) => {
    const { root, present, state } = proof;
    expect(verifyProof(proof)).toMatchObject({
      ok: true,
      root,
      present,
      ...(state && { state: state.root }),
    });
  });

  it("M15 the path of a key proves presence and absence, of any id", () => {
    const id = fc.oneof(fc.constantFrom(...IDS), fc.stringMatching(/^[a-z]{1,12}$/));
    fc.assert(
      fc.property(
        id,
        fc.boolean(),
        fc.boolean(),
        fc.constantFrom(scopeRoot, smallRoot),
        (id, memory, state, root) => {
          const proof = prove(id, { memory, root, state: state && root === scopeRoot });
          const present = root === scopeRoot ? IDS.includes(id) : id === "only";
          expect(verifyProof(proof)).toMatchObject({ ok: true, root, present });
        },
      ),
      { numRuns: 60 },
    );
  });

  it("M16 a proof is refused after any single bit flip or truncation of any node of any path", () => {
    const proofs = [prove(IDS[5]!, { memory: true, state: true }), prove("absent", { state: true })];
    for (const proof of proofs) {
      expect(verifyProof(proof).ok).toBe(true);
      const withNode = (inState: boolean, at: number, node: Uint8Array): Proof => {
        const replace = (path: string[]): string[] => path.with(at, Buffer.from(node).toString("base64"));
        return inState
          ? { ...proof, state: { ...proof.state!, path: replace(proof.state!.path) } }
          : { ...proof, path: replace(proof.path) };
      };
      let refusals = 0;
      for (const inState of [false, true]) {
        const path = inState ? proof.state!.path : proof.path;
        for (const [at, text] of path.entries()) {
          const node = Buffer.from(text, "base64");
          for (let byte = 0; byte < node.length; byte++) {
            const flipped = Buffer.from(node);
            flipped[byte]! ^= 1 << (byte % 8);
            if (!verifyProof(withNode(inState, at, flipped)).ok) refusals++;
            if (!verifyProof(withNode(inState, at, node.subarray(0, byte))).ok) refusals++;
          }
          refusals -= 2 * node.length;
          refused(withNode(inState, at, Buffer.concat([node, Buffer.of(0)])));
        }
      }
      expect(refusals).toBe(0);
    }
  });

  it("M16 a proof is refused after any change of id, scope, record, memory, roots, claim or path", () => {
    const proof = prove(IDS[5]!, { memory: true, state: true });
    const absent = prove("absent", { state: true });
    const { record, memory, path, state, ...rest } = proof;
    const other = recordOf(IDS[6]!);
    const flippedHash = (hash: string): string => (hash[0] === "0" ? "1" : "0") + hash.slice(1);
    const changed: unknown[] = [
      { ...proof, id: IDS[6] },
      { ...proof, id: "absent" },
      { ...proof, id: `${IDS[5]}\ud800` },
      { ...proof, scope: "shared" },
      { ...rest, record, path, scope: "shared", state },
      { ...proof, record: other },
      { ...proof, record: record!.toUpperCase() },
      { ...proof, memory: memoryOf(IDS[6]!) },
      { ...proof, memory: ` ${memory}` },
      { ...proof, root: flippedHash(proof.root) },
      { ...proof, root: smallRoot },
      { ...proof, state: { ...state, root: flippedHash(stateRoot) } },
      { ...proof, state: { root: scopeRoot, path } },
      { ...proof, present: false },
      { ...rest, path, present: false },
      { ...rest, path },
      { ...proof, v: 2 },
      { ...proof, path: [...path, path.at(-1)!] },
      { ...proof, path: path.slice(0, -1) },
      { ...proof, path: [] },
      { ...proof, path: path.toReversed() },
      { ...proof, path: path.map((node) => `${node}\n`) },
      { ...proof, path: absent.path },
      { ...absent, present: true },
      { ...absent, present: true, record },
      { ...absent, record },
      { ...absent, memory },
      { ...absent, id: IDS[5] },
      { ...absent, path: [...absent.path, pathTo(EMPTY_ROOT, EMPTY_ROOT)[0]] },
      { ...absent, path: absent.path.slice(0, -1) },
    ];
    for (const wrong of changed) refused(wrong);
  });

  it("M16 a memory that hashes well but names another id or scope is refused", () => {
    for (const text of [
      canonical({ scope: "shared", id: "a" }),
      canonical({ scope: SCOPE, id: "b" }),
      "null",
      "{",
    ]) {
      const record = hashCanonical("memory", text);
      const key = idKey(parseId("a"));
      const root = build([[key, record]]);
      const proof = { v: 1, root, scope: SCOPE, id: "a", present: true, record, path: pathTo(root, key) };
      expect(verifyProof(proof).ok).toBe(true);
      refused({ ...proof, memory: text });
    }
  });

  it("M16 a well-hashed node that no trie can hold is refused", () => {
    const key = idKey(parseId("a"));
    const record = recordOf("a");
    const entry = Buffer.from(key + record, "hex");
    const keyed = (node: Buffer): Hash => hashBytes("node", node);
    const small = Buffer.concat([Buffer.of(0, 1), entry]);
    const child = Buffer.from(keyed(small), "hex");
    const nibble = 1 << Number.parseInt(key[0]!, 16);
    const branch = (bits: number, count: number, ...children: Buffer[]): Buffer =>
      Buffer.concat([Buffer.of(1, bits >> 8, bits & 255, 0, 0, 0, 0, 0, count), ...children]);
    const claim = { v: 1, scope: SCOPE, id: "a", present: true, record };
    const proofOf = (...path: Buffer[]): object => ({
      ...claim,
      root: keyed(path[0]!),
      path: path.map((node) => node.toString("base64")),
    });
    expect(verifyProof(proofOf(small)).ok).toBe(true);
    expect(verifyProof(proofOf(branch(nibble, 33, child), small)).ok).toBe(true);
    refused(proofOf(branch(nibble, 32, child), small));
    refused(proofOf(branch(nibble, 33, child, child), small));
    refused(proofOf(Buffer.concat([Buffer.of(0, 2), entry, entry])));
    const many = [key, ...IDS.slice(0, 32).map(recordOf)]
      .sort()
      .map((each) => Buffer.from(each + record, "hex"));
    refused(proofOf(Buffer.concat([Buffer.of(0, 33), ...many])));
    refused(proofOf(Buffer.concat([Buffer.of(2, 1), entry])));
    const stranger = Buffer.concat([Buffer.of(0, 1), Buffer.from(recordOf("b") + record, "hex")]);
    const misplaced = branch(nibble, 33, Buffer.from(keyed(stranger), "hex"));
    const { record: _, ...absent } = { ...proofOf(misplaced, stranger), present: false, record };
    expect(recordOf("b")[0]).not.toBe(key[0]);
    refused(absent);
    const hollow = branch(nibble, 33, Buffer.from(EMPTY_ROOT, "hex"));
    refused({
      ...absent,
      root: keyed(hollow),
      path: [hollow, EMPTY_NODE].map((node) => Buffer.from(node).toString("base64")),
    });
    refused({ ...absent, root: keyed(branch(0, 33)), path: [branch(0, 33).toString("base64")] });
  });

  it("M16 text that is not well-formed has no hash of its own and is refused", () => {
    const id = "half a character \ud83d";
    const key = hashCanonical("id", JSON.stringify(id));
    const root = build([[key, recordOf("a")]]);
    refused({ v: 1, root, scope: SCOPE, id, present: true, record: recordOf("a"), path: pathTo(root, key) });
  });

  it("M17 verifying never throws, whatever it is given (B10)", () => {
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("no");
        },
      },
    );
    for (const value of [undefined, null, 0, "", [], hostile, { v: 1 }, Object.create(null)]) refused(value);
    const good = prove(IDS[5]!, { memory: true, state: true });
    expect(verifyProof(good, null as never).ok).toBe(false);
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(good)), fc.anything(), (field, value) => {
        const changed = { ...good, [field]: value };
        const same =
          Object.is(value, good[field as keyof Proof]) ||
          (value === undefined && ["memory", "state"].includes(field));
        expect(verifyProof(changed).ok).toBe(same);
      }),
    );
    fc.assert(fc.property(fc.anything(), (value) => verifyProof(value).ok === false));
  });

  it("M17 a proof with a field unknown to its version is refused", () => {
    refused({ ...prove(IDS[5]!), author: "somebody" });
  });
});

describe("the expected root", () => {
  it("M18 an expected root is a whole hash, of the scope or of the state", () => {
    const proof = prove(IDS[5]!, { state: true });
    for (const expected of [
      {},
      { root: scopeRoot },
      { root: stateRoot },
      { root: scopeRoot, kind: "scope" as const },
    ])
      expect(verifyProof(proof, expected).ok).toBe(true);
    for (const expected of [
      { root: smallRoot },
      { root: scopeRoot.slice(0, 12) },
      { root: "" },
      { root: scopeRoot, kind: "state" as const },
      { root: stateRoot, kind: "scope" as const },
    ])
      expect(verifyProof(proof, expected).ok).toBe(false);
    expect(verifyProof(prove(IDS[5]!), { root: stateRoot }).ok).toBe(false);
  });

  it("M18 for absence its kind must be said, because an id is absent from every state's trie", () => {
    const honest = prove("absent", { state: true });
    expect(verifyProof(honest, { root: scopeRoot, kind: "scope" }).ok).toBe(true);
    expect(verifyProof(honest, { root: stateRoot, kind: "state" }).ok).toBe(true);
    expect(verifyProof(honest, { root: stateRoot }).ok).toBe(false);
    // Both deny an id that is there, by passing off a trie of one kind as the other.
    const asScope = prove(IDS[5]!, { root: stateRoot });
    const key = scopeKey(SCOPE);
    const asState = {
      ...prove(IDS[5]!, { root: EMPTY_ROOT }),
      state: { root: scopeRoot, path: pathTo(scopeRoot, key) },
    };
    expect(verifyProof(asScope, { root: stateRoot }).ok).toBe(false);
    expect(verifyProof(asScope, { root: stateRoot, kind: "state" }).ok).toBe(false);
    expect(verifyProof(asState, { root: scopeRoot }).ok).toBe(false);
    expect(verifyProof(asState, { root: scopeRoot, kind: "scope" }).ok).toBe(false);
  });

  it("M19 a scope that is absent from a state proves an absent id with the empty root and bucket alone", () => {
    const proof = prove("anything", { root: EMPTY_ROOT, scope: "user/nobody", state: true });
    expect(proof.path).toEqual(["AAA="]);
    expect(verifyProof(proof)).toMatchObject({
      ok: true,
      root: EMPTY_ROOT,
      present: false,
      state: stateRoot,
    });
    refused({ ...proof, scope: "user/7" });
    refused({ ...proof, scope: SCOPE });
    refused({ ...prove("anything", { root: smallRoot }), scope: "user/nobody", state: proof.state });
    refused({ ...proof, path: [] });
  });

  it("M20 the verifier stands alone: it imports node:crypto, files of its own, and nothing else", () => {
    const folder = new URL("./", import.meta.url);
    const own = readdirSync(folder).filter((name) => /^proof(-[a-z]+)*\.ts$/.test(name));
    expect(own).toContain("proof.ts");
    const named = own.flatMap((name) => [
      ...readFileSync(new URL(name, folder), "utf8").matchAll(/\bfrom "([^"]*)"|\bimport\(|\brequire\(/g),
    ]);
    for (const [whole, from] of named)
      expect(from === "node:crypto" || own.includes(`${from?.slice(2, -3)}.ts`), whole).toBe(true);
  });
});
