import type { FullRecord } from "../core/ledger/index.js";
import type { ExportedBranch } from "./export.js";
import { type Exported, fieldsOf } from "./exported-fields.js";

/** What a streamed export is made of; nothing of it is held as a whole. */
export interface ExportStream {
  readonly at: string;
  readonly branch: string;
  readonly branches: readonly ExportedBranch[];
  readonly memories: AsyncIterable<Exported>;
  /** Commits, newest first. */
  readonly history?: AsyncIterable<object>;
  /** The lines of an image of the store, from which an empty one becomes the same, root hash and all. */
  readonly store?: AsyncIterable<string>;
}

/** One object: exported_at, current_branch, branches, memories, and with history the commits and the store's image. */
export async function* jsonExport(given: ExportStream): AsyncGenerator<string> {
  const { at, branch, branches, memories, history, store } = given;
  const head = { exported_at: at, current_branch: branch, branches, ...(store && { whole: true }) };
  yield `${JSON.stringify(head, undefined, 2).slice(0, -2)},\n  "memories": `;
  yield* list(memories, (memory) =>
    JSON.stringify({
      ...fieldsOf(memory),
      ...(memory.triple ?? {}),
      version: memory.version,
      created_at: memory.createdAt,
      timestamp: memory.updatedAt,
    }),
  );
  if (history) yield ',\n  "history": ';
  if (history) yield* list(history, (commit) => JSON.stringify(commit));
  if (store) yield ',\n  "store": ';
  if (store) yield* list(store, (line) => JSON.stringify(line.trimEnd()));
  yield "\n}\n";
}

async function* list<T>(items: AsyncIterable<T>, write: (item: T) => string): AsyncGenerator<string> {
  let before = "[";
  for await (const item of items) {
    yield `${before}\n    ${write(item)}`;
    before = ",";
  }
  yield before === "[" ? "[]" : "\n  ]";
}

/** One memory per line, as they come; with history a first line that says so, and the image after the memories. */
export async function* jsonlExport({
  at,
  branch,
  memories,
  history,
  store,
}: Omit<ExportStream, "memories"> & {
  readonly memories: AsyncIterable<{ readonly memory: FullRecord }>;
}): AsyncGenerator<string> {
  const line = (value: object): string => `${JSON.stringify(value)}\n`;
  if (history || store)
    yield line({ export: { exported_at: at, current_branch: branch, ...(store && { whole: true }) } });
  for await (const { memory } of memories) yield line(fieldsOf(memory));
  if (history) for await (const commit of history) yield line({ commit });
  if (store) for await (const text of store) yield line({ store: text.trimEnd() });
}
