import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Hash } from "../base/hash.js";
import { canonical } from "../base/json.js";
import { idKey, type MemoryId, type Scope, scopeKey } from "../base/names.js";
import { EMPTY_ROOT } from "../merkle/node.js";
import { isNeed } from "../merkle/walk.js";
import { GENESIS, GENESIS_CHANGESET, parentLink, topicLink } from "./commit.js";
import { decodeObject, encodeObject, type Kinds } from "./objects.js";
import { canonicalRecord, contentHash, treeHash } from "./record.js";
import { foldEvents } from "./state.js";
import type { MemoryRecord } from "./types.js";

/** Written once, by a program in another language; never by a test. */
interface Fixed {
  readonly name: string;
  readonly kind: string;
  readonly canonical: string;
  readonly hash: Hash;
}
const golden = JSON.parse(
  readFileSync(new URL("../../../test/golden/ledger-v1.json", import.meta.url), "utf8"),
) as {
  readonly objects: readonly (Fixed & { readonly kind: keyof Kinds; readonly value: unknown })[];
  readonly genesis: { readonly changeset: Fixed; readonly commit: Fixed };
  readonly derived: readonly Fixed[];
  readonly states: readonly {
    readonly name: string;
    readonly memories: readonly string[];
    readonly hashes: readonly Hash[];
    readonly root: Hash;
  }[];
};

const sha256 = (kind: string, text: string): string =>
  createHash("sha256").update(`palimpsest:${kind}:v1\n`).update(text).digest("hex");
const named = (name: string): Fixed => golden.derived.find((item) => item.name === name)!;
const record = (name: string): MemoryRecord =>
  canonicalRecord(golden.objects.find((item) => item.name === name)!.value as MemoryRecord);

describe("R14 the formats of version 1 are fixed byte for byte", () => {
  it("R14 every golden hash is the plain SHA-256 of tag and text", () => {
    const { objects, genesis, derived, states } = golden;
    for (const { name, kind, canonical: text, hash } of [
      ...objects,
      genesis.changeset,
      genesis.commit,
      ...derived,
    ])
      expect([name, sha256(kind, text)]).toEqual([name, hash]);
    for (const { memories, hashes } of states)
      expect(memories.map((text) => sha256("memory", text))).toEqual(hashes);
  });

  it.each(golden.objects)("R14 $name", ({ kind, value, canonical: text, hash }) => {
    const object = kind === "memory" ? canonicalRecord(value as MemoryRecord) : (value as Kinds[typeof kind]);
    const encoded = encodeObject(kind, object);
    expect(Buffer.from(encoded.bytes).toString("utf8")).toBe(text);
    expect(encoded.hash).toBe(hash);
    expect(canonical(decodeObject(kind, Buffer.from(text)))).toBe(text);
  });

  it("R14 a changeset has each operation, and a full record each field", () => {
    const changeset = golden.objects.find(({ kind }) => kind === "changeset")!;
    expect((changeset.value as Kinds["changeset"]).events.map(({ op }) => op).sort()).toEqual([
      "add",
      "forget",
      "modify",
      "observe",
    ]);
    expect(Object.keys(record("full record")).length).toBe(21);
    expect(Object.keys(record("full record").origin).length).toBe(10);
  });

  it("R14 the genesis commit and its changeset", () => {
    const { changeset, commit } = golden.genesis;
    expect(Buffer.from(GENESIS_CHANGESET.bytes).toString()).toBe(changeset.canonical);
    expect(GENESIS_CHANGESET.hash).toBe(changeset.hash);
    expect(Buffer.from(GENESIS.bytes).toString()).toBe(commit.canonical);
    expect(GENESIS.hash).toBe(commit.hash);
  });

  it("R14 links, content and trees", () => {
    const [minimal, full] = [record("minimal record"), record("full record")];
    expect(parentLink("shared" as Scope, "notes/2026" as MemoryId)).toBe(named("link to a parent").hash);
    expect(topicLink("agent/Zo\u00eb" as Scope, "employer")).toBe(named("link to a topic").hash);
    expect(contentHash(full)).toBe(named("content of the full record").hash);
    expect(contentHash(minimal)).toBe(named("content of the minimal record").hash);
    expect(contentHash(record("record without text"))).toBe(named("content of the record without text").hash);
    for (const name of ["tree of a leaf", "tree of two children"]) {
      const { content, children } = JSON.parse(named(name).canonical) as { content: Hash; children: Hash[] };
      expect(treeHash(content, children)).toBe(named(name).hash);
    }
  });

  it.each(golden.states)("E11 the root of $name is fixed", ({ memories, hashes, root }) => {
    const records = memories.map((text) => canonicalRecord(JSON.parse(text) as MemoryRecord));
    expect(records.map((item) => encodeObject("memory", item).hash)).toEqual(hashes);
    const events = records.map((item) => ({
      op: "add" as const,
      scope: scopeKey(item.scope),
      id: idKey(item.id),
      after: encodeObject("memory", item).hash,
    }));
    const folded = foldEvents(EMPTY_ROOT, events, () => undefined);
    expect(isNeed(folded) ? folded.need : folded.root).toBe(root);
  });
});
