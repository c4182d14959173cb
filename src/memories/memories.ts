import { type Hash, type MemoryId, type Timestamp, timestamp } from "../core/base/index.js";
import { contentHash, type MemoryRecord, type StateChange, treeHash } from "../core/ledger/index.js";
import { type Doc, facet, Scene, select, type View } from "../index/index.js";
import { type Context, type Entry, type Reader, rowSight } from "../repo/index.js";
import { type Memory, toMemory, treeHashes } from "./memory.js";
import { inOrder } from "./placing.js";

/** A memory that was found in a view, and everything below it that is seen, parents first. */
export type Found = Memory | readonly [Branch, ...Branch[]];

interface Branch {
  readonly doc: Doc;
  readonly children: readonly Doc[];
}

/** Leaves are the same for everybody who sees them, so they are made once; by the numbers of their view. */
interface Leaves {
  readonly numbering: object;
  readonly made: Map<number, Memory>;
  /** Those that were looked at since the view last changed: nothing has come below them. */
  readonly sure: Set<number>;
  version: number;
}
const LEAVES = new WeakMap<View, Leaves>();
const MOST_LEAVES = 20_000;

function leavesOf(view: View): Leaves {
  let leaves = LEAVES.get(view);
  if (leaves?.numbering !== view.numbering || leaves.made.size >= MOST_LEAVES) {
    leaves = { numbering: view.numbering, made: new Map(), sure: new Set(), version: view.version };
    LEAVES.set(view, leaves);
  }
  if (leaves.version !== view.version) leaves.sure.clear();
  leaves.version = view.version;
  return leaves;
}

/** What has to be read for some memories of a view. Synchronous, as the view moves on. */
export function gather(view: View, docs: readonly number[], { sight }: Context, now: number) {
  const { made, sure } = leavesOf(view);
  const scenes = new Map<string, Scene>();
  const childrenOf = ({ scope, id }: Pick<Doc, "scope" | "id">): Doc[] => {
    const term = facet.byParent(id);
    if (!view.mayHold(term)) return [];
    const scene = scenes.get(scope) ?? new Scene(view, sight, now, scope);
    scenes.set(scope, scene);
    return select(scene, [term]).map((doc) => view.doc(doc));
  };
  const found = docs.map((number): Found => {
    const leaf = made.get(number);
    if (leaf && (sure.has(number) || !view.mayHold(facet.byParent(leaf.id)))) {
      sure.add(number);
      return leaf;
    }
    const doc = view.doc(number);
    const tree: [Branch, ...Branch[]] = [{ doc, children: childrenOf(doc) }];
    const seen = new Set<MemoryId>([doc.id]);
    for (let at = 0; at < tree.length; at++)
      for (const child of tree[at]!.children)
        if (!seen.has(child.id)) {
          seen.add(child.id);
          tree.push({ doc: child, children: childrenOf(child) });
        }
    return tree;
  });
  const keep = (at: number, memory: Memory): void => {
    if (memory.children.length === 0) made.set(docs[at]!, memory);
  };
  return { found, keep };
}

/** Reads what was gathered. A memory that cannot be read is left out and noted as damaged. */
export async function memoriesOf(
  reader: Reader,
  { found, keep }: ReturnType<typeof gather>,
): Promise<Memory[]> {
  const hashes = found.flatMap((one) => (isTree(one) ? one.map(({ doc }) => doc.hash) : []));
  const records = hashes.length === 0 ? undefined : await reader.values("memory", hashes);
  const memories: Memory[] = [];
  const missing = new Set<Hash>();
  for (const [at, one] of found.entries()) {
    if (!isTree(one)) memories.push(one);
    else {
      const memory = memoryOf(one, (doc) => {
        const record = records?.get(doc.hash);
        if (!record) missing.add(doc.hash);
        return record;
      });
      if (memory) keep(at, memory);
      if (memory) memories.push(memory);
    }
  }
  for (const hash of missing) await reader.missed(hash);
  return memories;
}

const isTree = (found: Found): found is readonly [Branch, ...Branch[]] => Array.isArray(found);

function memoryOf(
  tree: readonly [Branch, ...Branch[]],
  recordOf: (doc: Doc) => MemoryRecord | undefined,
): Memory | undefined {
  const held = (doc: Doc): { readonly record: MemoryRecord }[] => {
    const record = recordOf(doc);
    return record ? [{ record }] : [];
  };
  const [top] = tree;
  const record = recordOf(top.doc);
  if (!record) return undefined;
  const content = contentHash(record);
  const entry = entryOf(top.doc, record);
  if (top.children.length === 0) return toMemory(entry, [], treeHash(content, []), content);
  const order = tree.flatMap(({ doc, children }) =>
    held(doc).map((one) => ({ entry: one, children: inOrder(children.flatMap(held)) })),
  );
  return toMemory(entry, order[0]!.children, treeHashes(order).get(record.id)!, content);
}

const entryOf = (doc: Doc, record: MemoryRecord): Entry => ({
  record,
  hash: doc.hash,
  version: doc.version,
  created: timeOf(doc.created),
  updated: timeOf(doc.updated),
  commit: doc.commit,
  author: doc.author,
});

export const timeOf = (milliseconds: number): Timestamp => timestamp(milliseconds);

/** How many memories were left out because they were erased; absent when there are none. */
export interface LeftOut {
  readonly erased?: number;
}

/** Counts the changes of which a version in question was erased, as far as the session may know of it. */
export async function erasedAmong(
  context: Context,
  changes: readonly StateChange[],
  inQuestion: (change: StateChange) => readonly (Hash | undefined)[] = ({ after }) => [after],
): Promise<LeftOut> {
  const { reader } = context.engine;
  const gone = await reader.erased();
  if (gone.isEmpty) return {};
  const visible = rowSight(context);
  let erased = 0;
  for (const change of changes) {
    const hashes = inQuestion(change).filter((hash) => hash !== undefined && gone.has(hash));
    if (hashes.length === 0) continue;
    const rows = await reader.storage.touchOf(change.scope, change.id);
    const row = rows.find(({ record }) => hashes.includes(record));
    if (row && (await visible(row))) erased++;
  }
  return erased > 0 ? { erased } : {};
}
