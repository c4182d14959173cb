import {
  type Hash,
  idKey,
  type JsonObject,
  type MemoryId,
  PalimpsestError,
  parseId,
  parseScope,
  quote,
  type Scope,
  SHARED,
  scopeKey,
} from "../../core/base/index.js";
import { laneOf, type MemoryRecord, parentLink } from "../../core/ledger/index.js";
import type { MemoryChange, Verdict } from "../../gate/index.js";
import { forget, isScopeKnown, orderedChildren, remember, scopeTree, update } from "../../memories/index.js";
import type { Access, Draft, Job, WriteOptions } from "../../repo/index.js";
import { giveWay, isExpired, SnapshotBefore } from "../../repo/index.js";
import { embedNow, isMarked } from "../../search/index.js";
import { type AstNode, type DocNode, fromAst, preorder } from "../ast.js";
import { rootId } from "../derived-id.js";
import { idsOf, type Plan, planTree, type Step, saysSame } from "../match.js";
import type { IngestOptions } from "../options.js";

export interface IngestCounts {
  readonly added: number;
  readonly modified: number;
  readonly moved: number;
  readonly unchanged: number;
  readonly removed: number;
}

export interface Ingested extends IngestCounts {
  readonly root: MemoryId;
  /** Ids of the headlines in the order of the document. */
  readonly headlines: readonly MemoryId[];
  /** Versions written now that ask to be embedded when they come in. */
  readonly marked: readonly Hash[];
  /** The head that it was compared with. */
  readonly head: Hash;
}

export interface IngestJob extends IngestOptions {
  readonly tree: DocNode;
  readonly root: MemoryId;
  /** Where the document is found, kept as the origin of its nodes. */
  readonly uri?: string | undefined;
  /** Nodes that another document of the same run has: they move, they are not forgotten. */
  readonly elsewhere?: ReadonlySet<string> | undefined;
}

/** Sources of what came from documents. `document` is one that somebody vouched for. */
const SOURCES = { external: "ingest", trusted: "document" } as const;
/** Was it made by reading a document? */
export const isIngested = ({ origin }: MemoryRecord): boolean =>
  origin.source === SOURCES.external || origin.source === SOURCES.trusted;

/** The documents' word for what everybody sees, and the default of their call. */
const MEMEX = "memex";

/** Stores a syntax tree and answers with the id of its root. */
export async function ingestAst(
  access: Access,
  ast: AstNode,
  { scope, parent, trusted, ...options }: IngestOptions & WriteOptions,
): Promise<MemoryId> {
  const tree = fromAst(ast);
  const root = tree.id === undefined ? rootId(tree, parent ?? "") : parseId(tree.id);
  const file = { tree, root, scope: scope === MEMEX ? SHARED : scope, parent, trusted };
  const { value } = await ingestOne(access, file, options, new SnapshotBefore("ingest"));
  return value.root;
}

/** One document as one commit, and the vectors that it asks for. */
export async function ingestOne(
  access: Access,
  file: IngestJob,
  options: WriteOptions,
  snapshot: SnapshotBefore,
): Promise<{ readonly value: Ingested; readonly commit: Hash | undefined }> {
  const { value, tip } = await access.commit({
    ...{ verb: "ingest", options, snapshot, beside: true },
    run: (job) => ingest(job, file),
  });
  const { engine, branch } = access.context;
  if (tip) await embedNow(engine, branch, value.marked);
  return { value, commit: tip?.hash };
}

/**
 * Makes the stored tree say what a document says now, in one commit: what is the same is not touched, what is gone
 * is forgotten. If one node is refused, nothing is written.
 */
async function ingest(job: Job, file: IngestJob): Promise<Ingested> {
  const { context, draft } = job;
  const scope = file.scope === undefined ? context.home : parseScope(file.scope);
  const parent = file.parent === undefined ? undefined : parseId(file.parent);
  const plan = await planFor(job, { ...file, scope, parent });
  const counts = { added: 0, modified: 0, moved: 0, unchanged: 0, removed: 0 };
  const marked: Hash[] = [];
  for (const step of plan.steps) {
    const { done, hash } = await write(job, file, scope, step).catch((error: unknown) => {
      throw ofNode(step.id, error);
    });
    counts[done]++;
    await giveWay();
    if (hash !== undefined && isMarked(step.node)) marked.push(hash);
  }
  for (const { id } of plan.removed)
    if (!file.elsewhere?.has(id)) {
      accept(await forget(job, id, { scope }), id);
      await giveWay();
      counts.removed++;
    }
  const headlines = plan.steps.flatMap(({ id, node }) => (node.type === "headline" ? [id] : []));
  return { root: file.root, headlines, marked, head: draft.tip.hash, ...counts };
}

async function planFor(
  job: Job,
  { scope, root, tree, parent }: IngestJob & { readonly scope: Scope; readonly parent: MemoryId | undefined },
): Promise<Plan> {
  const top = await liveAt(job, scope, root);
  const stored = top ? await storedTree(job, top) : [];
  const list = preorder(tree);
  const known = new Set(stored.map(({ id }) => id));
  const elsewhere = new Map<MemoryId, MemoryRecord | undefined>();
  const lookUp = async (given: string): Promise<MemoryRecord | undefined> => {
    const id = parseId(given);
    if (!known.has(id) && !elsewhere.has(id)) elsewhere.set(id, await liveAt(job, scope, id));
    return elsewhere.get(id);
  };
  // What comes from another tree brings what lay below it there: this tree shows what is left of that.
  for (const { node } of list) {
    const record = node.id === undefined ? undefined : await lookUp(node.id);
    if (!record || known.has(record.id) || !isIngested(record)) continue;
    for (const one of await storedTree(job, record))
      if (!known.has(one.id)) {
        known.add(one.id);
        stored.push(one);
      }
  }
  const ids = await idsOf(list, root, stored);
  for (const id of ids) {
    await lookUp(id);
    await giveWay();
  }
  return planTree(list, ids, {
    // Without a parent named now, it stays where somebody may have hung it.
    parent: parent ?? top?.parent,
    stored,
    lookup: (id) => elsewhere.get(id),
    isOurs: isIngested,
  });
}

async function liveAt(
  { context, draft }: Job,
  scope: Scope,
  id: MemoryId,
): Promise<MemoryRecord | undefined> {
  const entry = await draft.entry(scope, id);
  return entry && context.sight.seesRecord(entry.record) && !isExpired(entry, draft.now)
    ? entry.record
    : undefined;
}

/** Beyond this many nodes it is cheaper to read the scope once than to look for the children of each. */
const FEW = 200;

/** A stored tree, parents first. A small one costs what it holds, however much else there is in its scope. */
async function storedTree(job: Job, top: MemoryRecord): Promise<MemoryRecord[]> {
  const { context, draft } = job;
  const { scope } = top;
  const whole = async () => (await scopeTree(context, scope, draft.start, draft.now)).below(top.id);
  if (isScopeKnown(context, scope)) return whole();
  const found: MemoryRecord[] = [];
  const seen = new Set<MemoryId>();
  const waiting = [top];
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    if (seen.has(at.id)) continue;
    seen.add(at.id);
    const rows = await draft.reader.storage.touchLinked(parentLink(scope, at.id), FEW + 1);
    if (found.push(at) + waiting.length + rows.length > FEW) return whole();
    const children = await orderedChildren(job, scope, at.id);
    for (const child of children.toReversed()) if (!isExpired(child, draft.now)) waiting.push(child.record);
  }
  return found;
}

async function write(
  job: Job,
  file: IngestJob,
  scope: string,
  { id, node, parent, position, before, isMoved, ...step }: Step,
): Promise<{ done: "added" | "modified" | "moved" | "unchanged"; hash?: Hash | undefined }> {
  const { draft } = job;
  const origin = {
    source: file.trusted ? SOURCES.trusted : SOURCES.external,
    ...(file.uri !== undefined && { uri: file.uri }),
  };
  const place = { ...(parent !== undefined && { parent }), ...(position !== undefined && { position }) };
  const { type, text, attributes, tags } = node;
  if (!before) {
    const input = { id, scope, type, text, attributes, tags, ...place, ...origin };
    const added = await remember(job, input, "add", true);
    accept(added, id);
    return { done: "added", hash: added.hash };
  }
  if (laneOf(before.type) !== laneOf(type))
    throw new PalimpsestError(
      "INVALID_ID",
      `The id ${JSON.stringify(id)} belongs to a memory of type "${before.type}", which is no document.`,
      { hint: "Give the headline another :ID:, or read the document into another scope." },
    );
  const isChanged = step.isChanged && !(await isEditOfSame(draft, before, node));
  if (!isChanged && !isMoved) return { done: "unchanged" };
  const change: MemoryChange = {
    ...(isChanged && { type, text, tags, attributes: attributeChange(before.attributes, attributes) }),
    ...(isMoved && { parent: null, ...place }),
    ...origin,
  };
  const verdict = await update(job, id, change, { scope }, true);
  accept(verdict, id);
  // What the gate left as it was (a secret it took out again) is no change.
  if (verdict.verdict === "duplicate") return { done: "unchanged" };
  return { done: isChanged ? "modified" : "moved", hash: verdict.hash };
}

/** Somebody changed the memory and the document is as it was when it was last read: then the change stands. */
async function isEditOfSame(draft: Draft, before: MemoryRecord, node: DocNode): Promise<boolean> {
  if (isIngested(before)) return false;
  const rows = await draft.reader.storage.touchOf(scopeKey(before.scope), idKey(before.id));
  for (const { record: hash } of rows.toReversed()) {
    const record = hash && (await draft.reader.record(hash));
    if (record && isIngested(record)) return saysSame(record, node);
  }
  return false;
}

/** All attributes of the new version, and null for those that are gone. */
function attributeChange(before: JsonObject | undefined, after: JsonObject): JsonObject {
  const gone = Object.keys(before ?? {}).filter((name) => !Object.hasOwn(after, name));
  return { ...Object.fromEntries(gone.map((name) => [name, null])), ...after };
}

/** Of many nodes the one that has something malformed is named. */
function ofNode(id: MemoryId, error: unknown): unknown {
  if (!(error instanceof PalimpsestError) || !/^INVALID_(?:TEXT|FIELD|VALUE)$/.test(error.code)) return error;
  const { code, message, hint, data } = error;
  return new PalimpsestError(code, `The node ${quote(id)}: ${message}`, { hint, data, cause: error });
}

/** A document comes in whole or not at all. */
function accept(verdict: Verdict, id: MemoryId): void {
  if (verdict.verdict !== "rejected" && verdict.verdict !== "quarantined") return;
  throw new PalimpsestError(
    "REFUSED",
    `The node ${JSON.stringify(id)} was ${verdict.verdict}: ${verdict.reason}`,
    {
      ...(verdict.hint !== undefined && { hint: verdict.hint }),
      data: { id, verdict: verdict.verdict, code: verdict.code, check: verdict.check },
    },
  );
}
