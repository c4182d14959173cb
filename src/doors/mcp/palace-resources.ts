import {
  type McpServer,
  type ReadResourceResult,
  ResourceNotFoundError,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { safeJson } from "../cli/safe.js";
import type { Door } from "./door.js";

const JSON_TYPE = "application/json";
const PALACE = "memory://palace";

const uriOf = (...names: readonly string[]): string => [PALACE, ...names.map(encodeURIComponent)].join("/");

/** Who the agent is, and the rooms and drawers with what lies in them. As JSON, with the origin of every item. */
export function registerPalace(server: McpServer, { session, store }: Door): void {
  server.registerResource(
    "identity",
    "memory://identity",
    { title: "Identity", description: "Who the agent is, and who says so.", mimeType: JSON_TYPE },
    async (uri) => {
      // What is listed can be read: hosts attach all of it.
      const found = await session.identity();
      return json(
        uri,
        found ?? { text: null, hint: "No identity is set; a person sets it with `pal identity`." },
      );
    },
  );
  server.registerResource(
    "palace",
    PALACE,
    {
      title: "Palace",
      description: "The rooms and drawers, and how much lies in them.",
      mimeType: JSON_TYPE,
    },
    async (uri) => json(uri, await session.rooms()),
  );
  const list = async () => {
    const rooms = (await store.exists()) ? await session.rooms() : [];
    return {
      resources: rooms.flatMap(({ name, drawers }) =>
        drawers.map((drawer) => ({
          uri: uriOf(name, drawer.name),
          name: `${name}/${drawer.name}`,
          mimeType: JSON_TYPE,
        })),
      ),
    };
  };
  const read = async (uri: URL): Promise<ReadResourceResult> => {
    const names = uri.href
      .slice(PALACE.length + 1)
      .split("/")
      .map(decoded);
    const [room = "", drawer] = names;
    const known = (await session.rooms()).find(({ name }) => name === room);
    const isThere = drawer === undefined || known?.drawers.some(({ name }) => name === drawer);
    if (!known || !isThere || names.length > 2) throw new ResourceNotFoundError(uri.href);
    const memories = await session.list({ in: names.join("/") });
    return json(uri, { ...known, memories: memories.filter(({ type }) => type !== "drawer") });
  };
  const about = { title: "A place", description: "What lies in a room or drawer.", mimeType: JSON_TYPE };
  server.registerResource("room", new ResourceTemplate(`${PALACE}/{room}`, { list: undefined }), about, read);
  server.registerResource("drawer", new ResourceTemplate(`${PALACE}/{room}/{drawer}`, { list }), about, read);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const json = (uri: URL, value: unknown): ReadResourceResult => ({
  contents: [{ uri: uri.href, mimeType: JSON_TYPE, text: safeJson(value, 2) }],
});
