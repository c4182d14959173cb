import { describe, expect, it } from "vitest";
import {
  type AstNode,
  fileName,
  findHeadlineMissingId,
  headlinesMissingId,
  memoryStorage,
  openStore,
  type Session,
} from "../src/index.js";

/** The test cases that the documents name themselves, under their names, with their inputs. */
const empty = async (): Promise<Session> =>
  (await openStore(memoryStorage())).session({ agent: "memory-suite" });
const headline = (ID: string, TITLE: string, contents: AstNode[] = []): AstNode => ({
  type: "HEADLINE",
  properties: { ID, TITLE },
  contents,
});
const merkleOf = async (pal: Session, id: string) => (await pal.get(id))?.merkle;

describe("D80 memory-suite", () => {
  it("D80 merkle-hash-consistency", async () => {
    const [one, two] = [await empty(), await empty()];
    const first = await merkleOf(one, await one.ingestAst(headline("test-1", "Node 1")));
    const second = await merkleOf(two, await two.ingestAst(headline("test-1", "Node 1")));
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(second).toBe(first);
  });

  it("D80 merkle-hash-different", async () => {
    const pal = await empty();
    const alpha = await merkleOf(pal, await pal.ingestAst(headline("a", "Alpha")));
    const beta = await merkleOf(pal, await pal.ingestAst(headline("b", "Beta")));
    expect(alpha).not.toBe(beta);
  });

  it("D80 test-ingest-ast-returns-id", async () => {
    const pal = await empty();
    expect(await pal.ingestAst(headline("ingest-test", "Test Node"))).toBe("ingest-test");
  });

  it("D80 test-memory-object-get", async () => {
    const pal = await empty();
    const id = await pal.ingestAst(headline("get-test", "Retrieve Me"));
    const object = await pal.get(id);
    expect(object?.type).toBe("headline");
    expect(object?.attributes.TITLE).toBe("Retrieve Me");
    expect(await pal.get("no-such-object")).toBeUndefined();
  });

  it("D80 test-snapshot-and-rollback: what was before is kept, what came after is gone", async () => {
    const pal = await empty();
    await pal.ingestAst(headline("snap-a", "Pre-snapshot"));
    await pal.snapshot();
    await pal.ingestAst(headline("snap-b", "Post-snapshot"));
    await pal.rollback(0);
    expect(await pal.get("snap-a")).toBeDefined();
    expect(await pal.get("snap-b")).toBeUndefined();
  });

  it("D80 merkle-hash-cascading: a changed leaf changes the root, which is itself not rewritten", async () => {
    const pal = await empty();
    const root = await pal.ingestAst(headline("root", "Root", [headline("leaf", "Leaf")]));
    const before = await pal.get(root);
    await pal.ingestAst(headline("root", "Root", [headline("leaf", "Leaf Modified")]));
    const after = await pal.get(root);
    expect(after?.merkle).not.toBe(before?.merkle);
    expect(after?.hash).toBe(before?.hash);
    await pal.ingestAst(headline("root", "Root", [headline("leaf", "Leaf")]));
    expect(await merkleOf(pal, root)).toBe(before?.merkle);
  });

  it("D80 history-store-immutability", async () => {
    const pal = await empty();
    await pal.ingestAst(headline("test-node", "Version 1"));
    const v1 = (await pal.get("test-node"))?.hash;
    await pal.ingestAst(headline("test-node", "Version 2"));
    const v2 = (await pal.get("test-node"))?.hash;
    const history = await pal.history("test-node");
    expect(history.map(({ hash, text }) => [hash, text])).toEqual([
      [v1, "Version 1\n"],
      [v2, "Version 2\n"],
    ]);
  });

  it("D80 cow-snapshot-and-rollback: back to State A, State B still in history", async () => {
    const pal = await empty();
    await pal.ingestAst(headline("cow-node", "State A"));
    const [a] = [await pal.get("cow-node")];
    await pal.ingestAst(headline("cow-node", "State B"));
    const b = (await pal.get("cow-node"))?.hash;
    // Ingesting took a snapshot by itself.
    await pal.rollback();
    expect(await pal.get("cow-node")).toMatchObject({
      content: a?.content,
      merkle: a?.merkle,
      text: "State A\n",
    });
    expect((await pal.history("cow-node")).map(({ hash }) => hash)).toContain(b);
  });
});

describe("D81 object verbs", () => {
  it("D81 objects by type and by attribute, in a stable order", async () => {
    const pal = await empty();
    const plan = (id: string, TODO: string): AstNode => ({
      type: "HEADLINE",
      properties: { ID: id, TITLE: id, TODO },
    });
    await pal.ingestAst({
      type: "ORG-DATA",
      contents: [plan("c", "APPROVED"), plan("a", "TODO"), plan("b", "APPROVED")],
    });
    const approved = await pal.list({ attributes: { TODO: "APPROVED" } });
    expect(approved.map(({ id }) => id)).toEqual(["b", "c"]);
    expect(await pal.list({ attributes: { TODO: "APPROVED" } })).toEqual(approved);
    expect(await pal.list({ type: "headline" })).toHaveLength(3);
    expect(await pal.list({ type: "org-data" })).toHaveLength(1);
  });

  it("D82 find-headline-missing-id: the first, depth first, and all of them", () => {
    const deep: AstNode = { type: "HEADLINE", properties: { TITLE: "deep" } };
    const later: AstNode = { type: "HEADLINE", properties: {} };
    const tree = headline("root", "Root", [
      { type: "SECTION", contents: [headline("x", "X", [deep])] },
      later,
    ]);
    expect(findHeadlineMissingId(tree)).toBe(deep);
    expect([...headlinesMissingId(tree)]).toEqual([deep, later]);
    expect(findHeadlineMissingId(headline("a", "A"))).toBeUndefined();
  });

  it("D83 file-name-nondirectory", () => {
    expect(fileName("/home/x/notes.org")).toBe("notes.org");
    expect(fileName("notes.org")).toBe("notes.org");
    expect(fileName("dir/")).toBe("");
  });

  it("D84 a new id is unique, lower-case and sortable", async () => {
    const pal = await empty();
    const [a, b] = [pal.newId(), pal.newId()];
    expect(a).toMatch(/^mem-[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(a < b).toBe(true);
  });
});
