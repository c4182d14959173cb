import { type Sensitivity, type Store, toName } from "../../../session/index.js";
import type { DoorOptions } from "../open-door.js";
import type { Following, Serving } from "../serving.js";
import { GRAPH_URI, makeGraphServer } from "./graph-server.js";

/** An observation is as long as somebody makes it; the official server has no limit at all. */
const LONGEST = 1_000_000;

/**
 * Serves the knowledge graph of one scope in place of the official memory server: `shared` unless another is named, because
 * that server has one graph wherever it is started.
 */
export async function openGraph(
  store: Store,
  {
    globals,
    io,
    clearance,
    log,
  }: Omit<DoorOptions, "version" | "tools" | "layers"> & { clearance: Sensitivity },
): Promise<Serving & { close(): Promise<void> }> {
  const scope = globals.scopes?.find((name) => !name.includes("*")) ?? "shared";
  const branch = globals.branch ?? (io.env.PAL_BRANCH || undefined);
  const session = store.session({
    agent: toName(globals.agent ?? (io.env.PAL_AGENT || io.user())),
    ...{ scopes: [scope], home: scope, channel: "mcp", trust: "agent" },
    clearance: globals.clearance ?? clearance,
    gate: { limits: { document: LONGEST } },
    ...(branch !== undefined && { branch }),
  });
  const graph = await session.knowledgeGraph();
  const watching = new GraphFollowing(store, GRAPH_URI, () => session.branch);
  const file = io.env.MEMORY_FILE_PATH;
  if (file)
    log(`MEMORY_FILE_PATH is not read; \`pal import ${file} --format mcp-memory\` brings it over once.`);
  return {
    ...{ watching, log },
    make: () => makeGraphServer(graph, watching, log),
    close: async () => watching.end(),
  };
}

/** Tells a client that follows the graph when its branch moved, by whichever process. */
class GraphFollowing implements Following {
  readonly #store: Store;
  readonly #uri: string;
  readonly #branch: () => string;
  #end: (() => void) | undefined;
  updated: (uri: string) => void = () => undefined;
  listed: () => void = () => undefined;

  constructor(store: Store, uri: string, branch: () => string) {
    this.#store = store;
    this.#uri = uri;
    this.#branch = branch;
  }

  async follow(uri: string): Promise<void> {
    if (uri !== this.#uri) return;
    this.#end ??= this.#store.on("change", ({ branch }) => {
      if (branch === this.#branch()) this.updated(this.#uri);
    });
  }

  unfollow(uri: string): void {
    if (uri === this.#uri) this.end();
  }

  end(): void {
    this.#end?.();
    this.#end = undefined;
  }
}
