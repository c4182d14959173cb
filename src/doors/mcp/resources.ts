import {
  type McpServer,
  type ReadResourceResult,
  ResourceNotFoundError,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { PalimpsestError } from "../../session/index.js";
import { safeJson } from "../cli/safe.js";
import type { Door } from "./door.js";
import { registerPalace } from "./palace-resources.js";
import { readUri, uriOf } from "./uris.js";

const JSON_TYPE = "application/json";
/** Offered when nothing, or too little, has been typed. */
const NEWEST = 50;
const BUDGET = 4_000;

/** A memory or a branch as JSON: exact, and with nothing hidden in it. */
export function registerResources(server: McpServer, door: Door): void {
  const { session } = door;
  server.registerResource(
    "memory",
    new ResourceTemplate("memory://memory/{id}", {
      list: undefined,
      complete: { id: (start) => idsLike(door, start) },
    }),
    { title: "One memory", description: "A memory with its fields, hashes and author.", mimeType: JSON_TYPE },
    async (uri) => {
      const memory = await session.get(nameIn(uri));
      if (!memory) throw new ResourceNotFoundError(uri.href);
      return json(uri, memory);
    },
  );
  server.registerResource(
    "branch",
    new ResourceTemplate("memory://branch/{name}", {
      list: async () => ({
        resources: (await session.branches()).map(({ name }) => ({
          ...{ uri: uriOf("branch", name), name, mimeType: JSON_TYPE },
        })),
      }),
      complete: { name: (start) => branchesLike(door, start) },
    }),
    { title: "A branch", description: "A branch, its head, and where its work stands.", mimeType: JSON_TYPE },
    async (uri) => {
      const named = nameIn(uri);
      const branch = (await session.branches()).find(({ name }) => name === named);
      if (!branch) throw new ResourceNotFoundError(uri.href);
      // The work of a branch that was never written to is nothing, not an error.
      const context = (await door.store.exists())
        ? await session.branchContext({ branch: branch.name, budget: BUDGET }).catch(() => undefined)
        : undefined;
      return json(uri, { ...branch, ...(context && { context: context.text }) });
    },
  );
  registerPalace(server, door);
  server.registerResource(
    "wake-up",
    "memory://wake-up",
    {
      title: "Wake-up",
      description: "Who I am, where the work stands, what is open.",
      mimeType: "text/markdown",
    },
    async (uri) => {
      const { text } = await session.wakeUp();
      return { contents: [{ uri: uri.href, mimeType: "text/markdown", text }] };
    },
  );
  const { watching } = door;
  server.server.setRequestHandler("resources/subscribe", async ({ params }) => {
    await watching.follow(params.uri);
    return {};
  });
  server.server.setRequestHandler("resources/unsubscribe", ({ params }) => {
    watching.unfollow(params.uri);
    return {};
  });
}

/** Ids that begin or end with what was typed; from 6 characters on all that the session sees are looked through. */
async function idsLike({ session }: Door, start: string): Promise<string[]> {
  if (start.length >= 6) {
    try {
      const memory = await session.get(start);
      return memory ? [memory.id] : [];
    } catch (error) {
      const { candidates } = ((error as PalimpsestError).data ?? {}) as { candidates?: unknown };
      if (error instanceof PalimpsestError && Array.isArray(candidates)) return candidates.map(String);
      if (error instanceof PalimpsestError) return [];
      throw error;
    }
  }
  const { items } = await session.view({ max: NEWEST });
  return items.map(({ id }) => id as string).filter((id) => id.startsWith(start) || id.endsWith(start));
}

export const branchesLike = async ({ session }: Door, start: string): Promise<string[]> =>
  (await session.branches()).map(({ name }) => name as string).filter((name) => name.startsWith(start));

function nameIn(uri: URL): string {
  const target = readUri(uri.href);
  if (!target) throw new ResourceNotFoundError(uri.href);
  return target.name;
}

const json = (uri: URL, value: unknown): ReadResourceResult => ({
  contents: [{ uri: uri.href, mimeType: JSON_TYPE, text: safeJson(value, 2) }],
});
