import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import type { McpServer } from "@modelcontextprotocol/server";
import { afterAll, describe, expect, it } from "vitest";
import { openDoor } from "../src/doors/mcp/open-door.js";
import type { MemoryInput } from "../src/index.js";
import { removeCallFiles } from "./_calls.js";
import { PROMPTS, RESOURCES, TOOL_CALLS } from "./_mcp-calls.js";
import { difference, versionsIn, withoutTokens } from "./_told.js";
import { buildWorld, SIGHTS, type Sight, type World, withVectors } from "./_twins.js";

afterAll(removeCallFiles);
const TORTURE = process.env.PAL_TORTURE === "1";

/** The real server with all tools on a world, and a real client. */
async function serve(world: World, { session }: Sight) {
  const opened = await openDoor(world.store, {
    globals: {
      ...{ agent: session.agent, scopes: session.scopes, clearance: session.clearance },
      ...{ branch: undefined, session: session.sessionId },
    },
    io: { env: {}, cwd: "/", user: () => "low" },
    ...{ version: "0", tools: "full", layers: [], clearance: "normal", log: () => undefined },
  });
  const [here, there] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "twin", version: "1" });
  const server = opened.make() as McpServer;
  const updated: string[] = [];
  // As the door to a pipe does it.
  opened.watching.updated = (uri) => void server.server.sendResourceUpdated({ uri });
  client.setNotificationHandler(
    "notifications/resources/updated",
    ({ params }) => void updated.push(params.uri),
  );
  await Promise.all([server.connect(there as never), client.connect(here)]);
  const ask = async (run: () => Promise<unknown>): Promise<unknown> => {
    world.clock.now += 1_000;
    world.clock.seed = 99;
    return run().catch(({ code, message, data }: { code?: unknown; message: string; data?: unknown }) => ({
      code,
      message,
      data,
    }));
  };
  return { client, updated, ask, close: () => Promise.all([client.close(), opened.close()]) };
}

describe.each(SIGHTS.filter(({ name }) => TORTURE || name === "both"))(
  "a client of the MCP server that $name hide things from",
  (sight) => {
    it("N753 is told by every tool, resource, prompt and completion what it would be told if what is hidden were not there (B11, B12)", async () => {
      const worlds = [await buildWorld(sight, true), await buildWorld(sight, false)] as const;
      for (const world of worlds) await withVectors(world);
      const [all, left] = [await versionsIn(worlds[0]), await versionsIn(worlds[1])];
      const known = new Set([...left].filter((hash) => all.has(hash)));
      const doors = [await serve(worlds[0], sight), await serve(worlds[1], sight)] as const;
      const { names } = worlds[0];
      const differ: string[] = [];
      const same = async (what: string, run: (client: Client) => Promise<unknown>) => {
        const [whole, reduced] = [
          withoutTokens(await doors[0].ask(() => run(doors[0].client)), known),
          withoutTokens(await doors[1].ask(() => run(doors[1].client)), known),
        ];
        if (JSON.stringify(whole) === JSON.stringify(reduced)) return;
        differ.push(`${what}: ${difference(whole, reduced)}`);
      };
      const { tools } = await doors[0].client.listTools();
      expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(TOOL_CALLS).sort());
      await same("tools/list", (client) => client.listTools());
      await same("resources/list", (client) => client.listResources());
      await same("resources/templates/list", (client) => client.listResourceTemplates());
      for (const uri of RESOURCES(names)) await same(uri, (client) => client.readResource({ uri }));
      for (const [name, args] of PROMPTS)
        await same(`${name} ${JSON.stringify(args)}`, (client) =>
          client.getPrompt({ name, arguments: { ...args } }),
        );
      for (const value of ["c", "code-", "gat", "key-1", "obs-", "019", ""])
        await same(`complete ${value}`, (client) =>
          client.complete({
            ref: { type: "ref/resource", uri: "memory://memory/{id}" },
            argument: { name: "id", value },
          }),
        );
      for (const [name, calls] of Object.entries(TOOL_CALLS))
        for (const args of calls(names))
          await same(`${name} ${JSON.stringify(args)}`, (client) =>
            client.callTool({ name, arguments: { ...args } }),
          );
      for (const door of doors) await door.close();
      for (const { store } of worlds) await store.close();
      expect(differ).toEqual([]);
    });

    it("N753 is told of no change that it does not see", async () => {
      const world = await buildWorld(sight, true);
      const { client, updated, close } = await serve(world, sight);
      const uris = [
        "memory://memory/gate",
        "memory://memory/code-1",
        "memory://memory/key-1",
        "memory://branch/main",
        "memory://branch/dark",
      ];
      for (const uri of uris) await client.subscribeResource({ uri });
      const high = (branch: string) =>
        world.store.session({
          agent: "high",
          scopes: ["*"],
          clearance: "confidential",
          trust: "user",
          branch,
        });
      const isAbove = sight.hides.includes("clearance");
      const hide: MemoryInput = isAbove ? { sensitivity: "confidential" } : { scope: "agent/bob" };
      await high("main").remember("Nobody is told of this", hide);
      await high("dark").remember("Nor of this", hide);
      await high("main").update(isAbove ? "code-1" : "key-1", { tags: ["told"] });
      const seen = world.store.session({ agent: "ann", clearance: "normal", trust: "user" });
      await seen.update("gate", { tags: ["told"] });
      await expect.poll(() => [...updated].sort()).toEqual(["memory://branch/main", "memory://memory/gate"]);
      await close();
      await world.store.close();
    });
  },
);
