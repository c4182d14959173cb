import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Hash, hashCanonical } from "../base/hash.js";
import { canonical } from "../base/json.js";
import { idKey, parseId, type Scope, scopeKey } from "../base/names.js";
import { applyChanges } from "./apply.js";
import { EMPTY_ROOT } from "./node.js";
import {
  type ConsistencyProof,
  type ExpectedRoot,
  type Proof,
  type ProofVerdict,
  readProof,
  verifyConsistency,
  verifyProof,
} from "./proof.js";
import { isNeed, provePath } from "./walk.js";

const golden = JSON.parse(
  readFileSync(new URL("../../../test/golden/proofs-v2.json", import.meta.url), "utf8"),
) as {
  genesis: string;
  memories: { name: string; commit: string; proof: Proof }[];
  consistency: { name: string; proof: ConsistencyProof }[];
};

/** A world whose truth is known: what each scope holds, under one commit. */
const SCOPES = ["shared", "project/secret", "agent/orion"] as Scope[];
const held = (scope: Scope, id: string): boolean =>
  scope === "shared" ? /^m\d$/.test(id) : scope === "project/secret" ? /^[mn]\d\d?$/.test(id) : id === "m1";
const IDS = ["m1", "m2", "n1", "absent", "gone", ...Array.from({ length: 50 }, (_, n) => `n${n}`)];
const memoryOf = (scope: Scope, id: string): string =>
  canonical({ scope, id, type: "fact", text: `The ${id} of ${scope}`, attributes: { deep: [{ a: 1 }] } });
const recordOf = (scope: Scope, id: string): Hash => hashCanonical("memory", memoryOf(scope, id));

const nodes = new Map<Hash, Uint8Array>();
function build(entries: Iterable<[Hash, Hash]>): Hash {
  const made = applyChanges(EMPTY_ROOT, new Map(entries), (hash) => nodes.get(hash));
  if (isNeed(made)) throw new Error("need");
  for (const [hash, node] of made.nodes) nodes.set(hash, node);
  return made.root;
}
function pathTo(root: Hash, key: Hash): string[] {
  const answer = provePath(root, key, (hash) => nodes.get(hash));
  if (isNeed(answer)) throw new Error("need");
  return answer.path.map((node) => Buffer.from(node).toString("base64"));
}
const roots = new Map(
  SCOPES.map((scope) => [
    scope,
    build(IDS.filter((id) => held(scope, id)).map((id) => [idKey(parseId(id)), recordOf(scope, id)])),
  ]),
);
const rootOf = (scope: Scope): Hash => roots.get(scope) ?? EMPTY_ROOT;
const stateRoot = build(SCOPES.map((scope) => [scopeKey(scope), rootOf(scope)]));
const bodyOf = (root: string, more: object = {}): string =>
  canonical({
    v: 1,
    parents: ["ab".repeat(32)],
    root,
    changeset: "cd".repeat(32),
    generation: 7,
    time: "2026-03-01T12:00:00.000Z",
    author: { kind: "user", id: "ann" },
    branch: "main",
    ...more,
  });
const COMMIT = bodyOf(stateRoot);
const commit = hashCanonical("commit", COMMIT);

type Reach = "scope" | "state" | "commit";
function proofOf(scope: Scope, id: string, reach: Reach, withMemory: boolean): Proof {
  const root = rootOf(scope);
  const present = held(scope, id) && IDS.includes(id);
  return {
    v: reach === "commit" ? 2 : 1,
    root,
    scope,
    id,
    present,
    ...(present && { record: recordOf(scope, id) }),
    ...(present && withMemory && { memory: memoryOf(scope, id) }),
    path: pathTo(root, idKey(parseId(id))),
    ...(reach !== "scope" && { state: { root: stateRoot, path: pathTo(stateRoot, scopeKey(scope)) } }),
    ...(reach === "commit" && { commit: COMMIT }),
  };
}

/** Is what a verdict says true of this world? Whatever it does not say need not be. */
function isTrue(verdict: ProofVerdict & { ok: true }, kept: ExpectedRoot): boolean {
  const { anchor, id, present, record, memory, root, scope, state } = verdict;
  const own = [...roots].filter(([, each]) => each === root).map(([name]) => name);
  const where = scope === undefined ? own : [scope as Scope];
  return (
    (verdict.commit === undefined || (anchor === "commit" && verdict.commit === commit)) &&
    (state === undefined || (anchor !== "scope" && state === stateRoot)) &&
    (anchor === "scope" ? root === kept.root : kept.root === (anchor === "state" ? stateRoot : commit)) &&
    where.every((name) => rootOf(name) === root) &&
    where.every((name) => (held(name, id) && IDS.includes(id)) === present) &&
    (record === undefined || where.every((name) => recordOf(name, id) === record)) &&
    (memory === undefined || where.every((name) => memoryOf(name, id) === memory))
  );
}

const keptOf = (scope: Scope, kind: Reach): ExpectedRoot => ({
  kind,
  root: kind === "scope" ? rootOf(scope) : kind === "state" ? stateRoot : commit,
});
const anyProof = fc
  .record({
    scope: fc.constantFrom(...SCOPES, "user/nobody" as Scope),
    id: fc.constantFrom(...IDS),
    reach: fc.constantFrom<Reach>("scope", "state", "commit"),
    withMemory: fc.boolean(),
  })
  .map(({ scope, id, reach, withMemory }) => ({
    scope,
    reach,
    proof: proofOf(scope, id, reach, withMemory),
  }));
const NAMES = ["v", "root", "scope", "id", "present", "record", "memory", "path", "state", "commit"] as const;

describe("what a proof hangs on", () => {
  it("M660 a scope that nothing binds is not said, renamed or not, of what is there and of what is not", () => {
    for (const id of ["m1", "absent"]) {
      const proof = proofOf("shared" as Scope, id, "scope", false);
      const kept = keptOf("shared" as Scope, "scope");
      const renamed = verifyProof({ ...proof, scope: "project/secret" }, kept);
      expect(renamed).toEqual(verifyProof(proof, kept));
      expect(renamed).toMatchObject({ ok: true, anchor: "scope", kept: true });
      expect(renamed).not.toHaveProperty("scope");
      // Whoever kept a root of a scope with its name says so, and then it is bound.
      expect(verifyProof(proof, { ...kept, scope: "shared" })).toMatchObject({ ok: true, scope: "shared" });
      expect(verifyProof({ ...proof, scope: "project/secret" }, { ...kept, scope: "shared" }).ok).toBe(false);
      expect(verifyProof(proof, { ...kept, scope: "project/secret" }).ok).toBe(false);
    }
  });

  it("M660 a state or a commit above the root that was kept is not said", () => {
    const scope = "shared" as Scope;
    const invented = build([
      [scopeKey(scope), rootOf(scope)],
      [scopeKey("user/x" as Scope), rootOf(scope)],
    ]);
    for (const id of ["m1", "absent"])
      for (const more of [{}, { commit: bodyOf(invented), v: 2 }]) {
        const proof = {
          ...proofOf(scope, id, "scope", false),
          state: { root: invented, path: pathTo(invented, scopeKey(scope)) },
          ...more,
        };
        for (const expected of [keptOf(scope, "scope"), { root: rootOf(scope), kind: "scope" as const }]) {
          const verdict = verifyProof(proof, expected);
          expect(verdict).toMatchObject({ ok: true, anchor: "scope", root: rootOf(scope) });
          expect(Object.keys(verdict)).not.toContain("state");
          expect(Object.keys(verdict)).not.toContain("commit");
          expect(Object.keys(verdict)).not.toContain("scope");
        }
        expect(verifyProof(proof, { root: stateRoot, kind: "state" }).ok).toBe(false);
        expect(verifyProof(proof, { root: commit }).ok).toBe(false);
        // Of the state itself, if that was kept, it may speak; of a commit above it not.
        const state = verifyProof(proof, { root: invented, kind: "state" });
        expect(state).toMatchObject({ ok: true, anchor: "state", state: invented, scope });
        expect(Object.keys(state)).not.toContain("commit");
      }
  });

  it("M660 without a root that was kept the verdict says so", () => {
    for (const reach of ["scope", "state", "commit"] as const)
      expect(verifyProof(proofOf("shared" as Scope, "m1", reach, true))).toMatchObject({
        ok: true,
        anchor: reach,
        kept: false,
        scope: "shared",
      });
  });

  it("M661 whatever is changed in a proof, it is refused or proves what is true of what was kept", () => {
    const text = fc.oneof(fc.constantFrom(...SCOPES, ...IDS, "user/7"), fc.string({ maxLength: 8 }));
    fc.assert(
      fc.property(
        anyProof,
        fc.constantFrom<Reach>("scope", "state", "commit"),
        fc.constantFrom(...NAMES),
        fc.oneof(text, fc.anything(), fc.constant(undefined), fc.nat(2)),
        ({ scope, proof }, kind, name, value) => {
          const kept = keptOf(scope, kind);
          const verdict = verifyProof({ ...proof, [name]: value }, kept);
          if (verdict.ok) expect(isTrue(verdict, kept), JSON.stringify(verdict)).toBe(true);
        },
      ),
      { numRuns: 1500 },
    );
  });

  it("M661 after a change of any character of its text too", () => {
    fc.assert(
      fc.property(
        anyProof,
        fc.constantFrom<Reach>("scope", "state", "commit"),
        fc.nat(),
        fc.constantFrom(...'0129af/m"{}[]:,\\ntru'),
        fc.nat(2),
        ({ scope, proof }, kind, place, letter, how) => {
          const whole = JSON.stringify(proof);
          const at = place % whole.length;
          const changed =
            whole.slice(0, at) + (how === 0 ? "" : letter) + whole.slice(how === 2 ? at : at + 1);
          const read = readProof(changed);
          if (!read.ok) return;
          const kept = keptOf(scope, kind);
          const verdict = verifyProof(read.proof, kept);
          if (verdict.ok) expect(isTrue(verdict, kept), JSON.stringify(verdict)).toBe(true);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it("M661 parts of several proofs put together never prove something else", () => {
    let proven = 0;
    fc.assert(
      fc.property(
        anyProof,
        anyProof,
        fc.subarray([...NAMES], { minLength: 1 }),
        fc.constantFrom<Reach>("scope", "state", "commit"),
        fc.constantFrom(undefined, ...SCOPES),
        ({ scope, proof }, other, taken, kind, asked) => {
          const mixed: Record<string, unknown> = { ...proof };
          for (const name of taken) mixed[name] = other.proof[name];
          for (const name of NAMES) if (mixed[name] === undefined) delete mixed[name];
          const kept = { ...keptOf(scope, kind), ...(asked !== undefined && { scope: asked }) };
          const verdict = verifyProof(mixed, kept);
          // Whoever says the wrong scope of a root has kept something else than what this world holds.
          if (!verdict.ok || (kind === "scope" && asked !== undefined && asked !== scope)) return;
          proven++;
          expect(isTrue(verdict, kept), JSON.stringify(verdict)).toBe(true);
        },
      ),
      { numRuns: 3000 },
    );
    expect(proven).toBeGreaterThan(100);
  });
});

describe("a proof that hangs on a commit", () => {
  it.each(golden.memories)("M662 its form is fixed: $name", ({ commit: kept, proof }) => {
    const { present, scope, id, state } = proof;
    for (const expected of [{ root: kept }, { root: kept, kind: "commit" as const }])
      expect(verifyProof(proof, expected)).toMatchObject({
        ok: true,
        anchor: "commit",
        kept: true,
        commit: kept,
        state: state?.root,
        scope,
        id,
        present,
      });
    expect(verifyProof(proof, { root: "0".repeat(64), kind: "commit" }).ok).toBe(false);
  });

  it("M662 version 1 knows no commit, version 2 needs one, and its state", () => {
    const two = proofOf("shared" as Scope, "m1", "commit", true);
    expect(verifyProof(two, { root: commit }).ok).toBe(true);
    const { state: _, ...stateless } = two;
    const { commit: __, ...headless } = two;
    for (const wrong of [{ ...two, v: 1 }, { ...two, v: 3 }, stateless, headless, { ...two, commit: "" }])
      expect(verifyProof(wrong).ok).toBe(false);
    expect(verifyProof({ ...two, commit: bodyOf(EMPTY_ROOT) }).ok).toBe(false);
  });

  it("M663 a commit that is not canonical is refused although it has the hash that was kept", () => {
    const spellings = [
      COMMIT.replace('"v":1', '"v":1,"v":1'),
      COMMIT.replace('"v":1', '"v":1,"why":"so"'),
      COMMIT.replace('{"author"', '{ "author"'),
      COMMIT.replace('"generation":7', '"generation":7.0'),
      COMMIT.replace('"parents"', '"par\\u0065nts"'),
      JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(COMMIT)).reverse())),
      COMMIT.replace('"kind":"user"', '"kind":"user","more":1'),
      bodyOf(stateRoot, { branch: "b".repeat(9000) }),
    ];
    for (const text of spellings) {
      expect(text).not.toBe(COMMIT);
      const kept = { root: hashCanonical("commit", text) };
      const proof = { ...proofOf("shared" as Scope, "m1", "commit", true), commit: text };
      expect(verifyProof(proof, kept).ok, text.slice(0, 200)).toBe(false);
    }
  });

  it("M664 a memory that says a field twice, or is nested without end, is refused although its hash is right", () => {
    const twice = '{"id":"a","id":"m1","scope":"project/secret","scope":"shared","text":"t","type":"fact"}';
    const deep = `{"attributes":${"[".repeat(200)}${"]".repeat(200)},"id":"m1","scope":"shared"}`;
    for (const memory of [twice, deep]) {
      const record = hashCanonical("memory", memory);
      const key = idKey(parseId("m1"));
      const root = build([[key, record]]);
      const proof = { v: 1, root, scope: "shared", id: "m1", present: true, record, path: pathTo(root, key) };
      expect(verifyProof(proof, { root }).ok).toBe(true);
      expect(verifyProof({ ...proof, memory }, { root }).ok).toBe(false);
    }
  });
});

describe("the text of a proof", () => {
  const proof = proofOf("project/secret" as Scope, "n7", "commit", true);
  const whole = JSON.stringify(proof);

  it("M665 every proof is read back as it is, spaced or not, as text or bytes", () => {
    for (const text of [whole, JSON.stringify(proof, undefined, 2), ` ${whole}\n`, Buffer.from(whole)])
      expect(readProof(text)).toEqual({ ok: true, proof });
  });

  it("M665 an object that says a field twice is refused, however it is spelled", () => {
    for (const text of [
      whole.replace('"v":2', '"v":2,"v":2'),
      whole.replace('"scope":"project/secret"', '"scope":"shared","scope":"project/secret"'),
      whole.replace('"id"', '"\\u0069d":"m1" , "id"'),
      whole.replace('"state":{', '"state":{"root":"x",'),
      '[{"a":1,"b":{"a":1},"a" \n :2}]',
    ])
      expect(readProof(text), text.slice(0, 60)).toMatchObject({
        ok: false,
        reason: expect.stringContaining("there twice"),
      });
    // One name in two objects, and a value that looks like a name, are no repetition.
    for (const value of [
      { a: { a: ["a", "a", { a: "a" }] }, b: '","a":"' },
      { 'a"': 1, "a\\": 2, a: 3 },
    ])
      expect(readProof(JSON.stringify(value))).toEqual({ ok: true, proof: value });
  });

  it("M665 what is too long, nested too deep, not UTF-8 or no JSON is refused", () => {
    const endless = "[".repeat(1_000_000);
    const bytes = Buffer.from(whole);
    bytes[20] = 0xff;
    for (const text of [
      endless,
      `${'{"a":'.repeat(9)}1${"}".repeat(9)}`,
      "",
      "{",
      whole.slice(1),
      `${whole}x`,
    ])
      expect(readProof(text).ok).toBe(false);
    expect(readProof(bytes).ok).toBe(false);
    expect(readProof(Buffer.alloc(33 * 1024 * 1024)).ok).toBe(false);
    expect(readProof(" ".repeat(33 * 1024 * 1024)).ok).toBe(false);
    for (const value of [undefined, null, 7, {}, []]) expect(readProof(value as never).ok).toBe(false);
  });

  it("M665 it reads what JSON reads, and throws for nothing", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        const value: unknown = JSON.parse(text);
        // A value that JSON itself can say again without loss names no field twice.
        if (JSON.stringify(value) === text) expect(readProof(text)).toEqual({ ok: true, proof: value });
        else readProof(text);
      }),
    );
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => typeof readProof(text).ok === "boolean"));
    fc.assert(fc.property(fc.uint8Array(), (bytes) => typeof readProof(bytes).ok === "boolean"));
  });
});

describe("consistency", () => {
  const every = golden.consistency.map(({ proof }) => proof);

  it.each(golden.consistency)("M666 its form is fixed: $name", ({ proof }) => {
    const { old, new: newer, commits } = proof;
    expect(verifyConsistency(proof, { old, new: newer })).toEqual({
      ok: true,
      old,
      new: newer,
      steps: commits.length - 1,
      oldState: JSON.parse(commits.at(-1)!).root,
      newState: JSON.parse(commits[0]!).root,
      kept: true,
    });
    for (const expected of [{}, { old }, { new: newer }])
      expect(verifyConsistency(proof, expected)).toMatchObject({ ok: true, kept: false });
    for (const expected of [{ old: "0".repeat(64) }, { new: golden.genesis }, { old: old.slice(0, 7) }])
      if (expected.new !== newer) expect(verifyConsistency(proof, expected).ok).toBe(false);
  });

  it("M666 it is refused after any change, of a character or a field, or of the order", () => {
    const long = every.at(-1)!;
    const { old, new: newer, commits } = long;
    const kept = { old, new: newer };
    expect(commits.length).toBe(4);
    const changed: unknown[] = [
      { ...long, commits: commits.slice(1) },
      { ...long, commits: commits.slice(0, -1) },
      { ...long, commits: [] },
      { ...long, commits: commits.toReversed() },
      { ...long, commits: [...commits, commits[0]] },
      { ...long, commits: [commits[0], commits[0], ...commits.slice(1)] },
      { ...long, commits: [commits[0], ...commits.slice(2)] },
      { ...long, commits: commits.map((text) => JSON.parse(text)) },
      { ...long, old: newer, new: old },
      { ...long, v: 2 },
      { ...long, kind: "memory" },
      { ...long, by: "me" },
    ];
    for (const wrong of changed) expect(verifyConsistency(wrong, kept).ok).toBe(false);
    fc.assert(
      fc.property(
        fc.constantFrom(...every),
        fc.nat(),
        fc.constantFrom(...'0af:,"{}z'),
        (proof, place, letter) => {
          const text = JSON.stringify(proof);
          const at = place % text.length;
          if (text[at] === letter) return;
          const read = readProof(text.slice(0, at) + letter + text.slice(at + 1));
          const expected = { old: proof.old, new: proof.new };
          if (read.ok) expect(verifyConsistency(read.proof, expected).ok).toBe(false);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("M666 of commits put together in any way only those hold in which each names the next", () => {
    const texts = [...new Set(every.flatMap(({ commits }) => commits))];
    const hashes = new Map(texts.map((text) => [text, hashCanonical("commit", text)]));
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...texts), { minLength: 1, maxLength: 4 }), (commits) => {
        const proof = {
          v: 1,
          kind: "consistency",
          old: hashes.get(commits.at(-1)!),
          new: hashes.get(commits[0]!),
          commits,
        };
        const holds = commits.every(
          (text, at) => at === 0 || JSON.parse(commits[at - 1]!).parents.includes(hashes.get(text)),
        );
        expect(verifyConsistency(proof).ok).toBe(holds);
      }),
      { numRuns: 500 },
    );
  });

  it("M666 a generation that does not grow and a time that runs back are refused although the hashes are right", () => {
    const parent = bodyOf(EMPTY_ROOT);
    const chain = (more: object) => {
      const child = bodyOf(EMPTY_ROOT, {
        parents: [hashCanonical("commit", parent)],
        generation: 8,
        ...more,
      });
      return {
        v: 1,
        kind: "consistency",
        old: hashCanonical("commit", parent),
        new: hashCanonical("commit", child),
        commits: [child, parent],
      };
    };
    expect(verifyConsistency(chain({})).ok).toBe(true);
    for (const wrong of [{ generation: 7 }, { time: "2026-03-01T11:59:59.999Z" }, { generation: -1 }])
      expect(verifyConsistency(chain(wrong)).ok).toBe(false);
  });

  it("M666 verifying never throws, whatever it is given, and one kind of proof is no other", () => {
    for (const value of [undefined, null, 0, "", [], { v: 1, kind: "consistency" }])
      expect(verifyConsistency(value).ok).toBe(false);
    fc.assert(fc.property(fc.anything(), (value) => verifyConsistency(value).ok === false));
    fc.assert(
      fc.property(fc.constantFrom("v", "kind", "old", "new", "commits"), fc.anything(), (name, value) => {
        const proof = every[0] as unknown as Record<string, unknown>;
        if (!Object.is(proof[name], value))
          expect(verifyConsistency({ ...proof, [name]: value }).ok).toBe(false);
      }),
    );
    expect(verifyConsistency(golden.memories[0]?.proof).ok).toBe(false);
    expect(verifyProof(every[0]).ok).toBe(false);
    expect(verifyConsistency(every[0], null as never).ok).toBe(false);
  });
});
