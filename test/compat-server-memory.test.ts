import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { escapeHidden, visible } from "../src/doors/cli/safe.js";
import { openStore, type Session } from "../src/index.js";
import { bare, connect, GENERATIONS, MAIN, type Place, place } from "./_mcp.js";
import { PATIENCE, TORTURE } from "./_processes.js";

const OFFICIAL = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-memory/dist/index.js");
const URI = "memory://knowledge-graph";

let at: Place;
let file: string;
let [ours, theirs]: Client[] = [];

async function start(args: readonly string[], env: Record<string, string>): Promise<Client> {
  const transport = new StdioClientTransport({
    ...{ command: process.execPath, args: [...args], cwd: at.work, env: { ...at.env, ...env } },
    stderr: "ignore",
  });
  const client = new Client({ name: "both", version: "1" });
  await client.connect(transport);
  return client;
}

beforeAll(async () => {
  at = place();
  file = join(at.home, "memory.jsonl");
  [ours, theirs] = await Promise.all([
    start([MAIN, "mcp", "--compat", "server-memory"], {}),
    start([OFFICIAL], { MEMORY_FILE_PATH: file }),
  ]);
});
afterAll(async () => {
  await Promise.all([ours?.close(), theirs?.close()]);
  at.remove();
});

const both = () => [ours as Client, theirs as Client] as const;

interface Result {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}
interface Call {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

/** Asks both; what the official server says, with hidden characters shown as we show them, is what we have to say. */
async function same(call: Call): Promise<Result> {
  const ask = async (client: Client) => (await client.callTool({ ...call })) as unknown as Result;
  const [mine, other] = await Promise.all([ask(ours as Client), ask(theirs as Client)]);
  const shown = other.isError ? visible : escapeHidden;
  expect(mine).toEqual({
    ...other,
    content: other.content.map((part) => ({ ...part, text: shown(part.text) })),
  });
  return mine;
}

const stored = async (): Promise<string> => {
  const store = await openStore(at.store);
  const text = await exported(store.session({ agent: "tester" }));
  await store.close();
  return text;
};

async function exported(session: Session): Promise<string> {
  let text = "";
  for await (const part of (await session.export({ format: "mcp-memory" })).parts) text += part;
  return text;
}

/** Few names, so that calls meet; some that are awkward for a store of texts. */
const NAMES = [
  "Alice",
  "alice",
  "Bob",
  "",
  " ",
  "\t",
  'a "b"',
  "line\nbreak",
  "Zoë 🦊",
  "\u200bhid\u202eden",
  "ΣΑΣ",
];
const text = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...NAMES) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 12 }) },
);
const name = text;
const relation = fc.record({ from: name, to: name, relationType: fc.constantFrom("knows", "", "likes") });
const some = <T>(one: fc.Arbitrary<T>) => fc.array(one, { maxLength: 4 });
const entity = fc.record({
  name,
  entityType: fc.constantFrom("person", "Place", ""),
  observations: some(text),
});
const calls: fc.Arbitrary<Call> = fc
  .oneof(
    fc.record({ name: fc.constant("create_entities"), arguments: fc.record({ entities: some(entity) }) }),
    fc.record({ name: fc.constant("create_relations"), arguments: fc.record({ relations: some(relation) }) }),
    fc.record({
      name: fc.constant("add_observations"),
      arguments: fc.record({ observations: some(fc.record({ entityName: name, contents: some(text) })) }),
    }),
    fc.record({ name: fc.constant("delete_entities"), arguments: fc.record({ entityNames: some(name) }) }),
    fc.record({
      name: fc.constant("delete_observations"),
      arguments: fc.record({ deletions: some(fc.record({ entityName: name, observations: some(text) })) }),
    }),
    fc.record({ name: fc.constant("delete_relations"), arguments: fc.record({ relations: some(relation) }) }),
    fc.record({ name: fc.constant("search_nodes"), arguments: fc.record({ query: text }) }),
    fc.record({ name: fc.constant("open_nodes"), arguments: fc.record({ names: some(name) }) }),
    fc.constant({ name: "read_graph", arguments: {} }),
  )
  .map((call) => call as Call);

async function emptied(): Promise<void> {
  const { structuredContent } = await same({ name: "read_graph", arguments: {} });
  const graph = structuredContent as { entities: { name: string }[]; relations: object[] };
  await same({ name: "delete_entities", arguments: { entityNames: graph.entities.map((one) => one.name) } });
  await same({ name: "delete_relations", arguments: { relations: graph.relations } });
}

describe("beside the official memory server", () => {
  it("CP1 has its name, capabilities, tools and resource", async () => {
    const [mine, other] = both();
    expect(mine.getServerVersion()).toEqual(other.getServerVersion());
    expect(mine.getServerCapabilities()).toEqual(other.getServerCapabilities());
    expect(await mine.listTools()).toEqual(await other.listTools());
    expect(await mine.listResources()).toEqual(await other.listResources());
    expect(await mine.listResourceTemplates()).toEqual(await other.listResourceTemplates());
    expect(await mine.readResource({ uri: URI })).toEqual(await other.readResource({ uri: URI }));
    await expect(mine.listPrompts()).rejects.toThrow("-32601");
    await expect(mine.readResource({ uri: "memory://nothing" })).rejects.toThrow();
  });

  it.each([
    { name: "create_entities", arguments: { entities: [{ name: 1 }] } },
    { name: "create_entities", arguments: {} },
    { name: "add_observations", arguments: { observations: [{ entityName: "nobody", contents: ["x"] }] } },
    { name: "search_nodes", arguments: { query: ["x"] } },
    { name: "open_nodes", arguments: { names: "x", more: 1 } },
    { name: "no_such_tool", arguments: {} },
    { name: "read_graph", arguments: { more: 1 } },
    {
      name: "create_entities",
      arguments: { entities: [{ name: "x", entityType: "y", observations: [], z: 1 }] },
    },
  ])("CP2 answers mistakes and additions alike: $name $arguments", async (call) => {
    await same(call);
  });

  it(
    "CP3 answers every sequence of calls byte for byte, and the file is the same",
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(calls, { minLength: 1, maxLength: 30 }), async (sequence) => {
          await emptied();
          for (const call of sequence) await same(call);
          await same({ name: "read_graph", arguments: {} });
          expect(await stored()).toBe(readFileSync(file, "utf8"));
        }),
        { numRuns: TORTURE ? 500 : 25 },
      );
      const store = await openStore(at.store);
      expect(await store.verify()).toMatchObject({ ok: true });
      await store.close();
    },
    PATIENCE.timeout,
  );

  it("CP4 tells whoever follows the graph that it changed, by whichever process", async () => {
    const [mine] = both();
    const other = await start([MAIN, "mcp", "--compat", "server-memory"], {});
    let count = 0;
    mine.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
      if (params.uri === URI) count++;
    });
    await mine.subscribeResource({ uri: URI });
    for (const [at, client] of [mine, other].entries()) {
      const entities = [{ name: `n${at}`, entityType: "t", observations: [] }];
      await client.callTool({ name: "create_entities", arguments: { entities } });
      await expect.poll(() => count, { timeout: 10_000 }).toBe(at + 1);
    }
    await mine.unsubscribeResource({ uri: URI });
    await other.callTool({ name: "delete_entities", arguments: { entityNames: ["n0", "n1"] } });
    await other.close();
    expect(count).toBe(2);
  });
});

it(
  "CP5 several processes lose nothing of each other's observations",
  async () => {
    const here = place();
    const each = TORTURE ? 200 : 25;
    const clients = await Promise.all(
      [0, 1, 2].map(() => connect(here, { args: ["--compat", "server-memory"] })),
    );
    await clients[0]!.call("create_entities", {
      entities: [{ name: "e", entityType: "t", observations: [] }],
    });
    await Promise.all(
      clients.map(async ({ call }, who) => {
        for (let at = 0; at < each; at++) {
          const observations = [{ entityName: "e", contents: [`${who}-${at}`, "said by all"] }];
          expect((await call("add_observations", { observations })).isError).toBe(false);
        }
      }),
    );
    const { data } = await clients[1]!.call("open_nodes", { names: ["e"] });
    const [{ observations }] = data.entities;
    expect(observations).toHaveLength(3 * each + 1);
    expect(new Set(observations).size).toBe(3 * each + 1);
    await Promise.all(clients.map(({ client }) => client.close()));
    here.remove();
  },
  PATIENCE.timeout,
);

it("CP6 every change is one commit that says what it was, and can be undone", async () => {
  const here = place();
  const { call, client } = await connect(here, { args: ["--compat", "server-memory"] });
  await call("create_entities", {
    entities: [{ name: "Ada", entityType: "person", observations: ["wrote a program"] }],
  });
  await call("add_observations", { observations: [{ entityName: "Ada", contents: ["liked maths"] }] });
  await call("delete_entities", { entityNames: ["Ada"] });
  await client.close();
  const store = await openStore(here.store);
  const session = store.session({ agent: "tester" });
  expect((await session.log()).map(({ message }) => message)).toEqual([
    "delete entities",
    "add observations",
    "create entities",
  ]);
  await session.undo();
  const graph = await session.knowledgeGraph();
  expect(await graph.read()).toEqual({
    entities: [{ name: "Ada", entityType: "person", observations: ["wrote a program", "liked maths"] }],
    relations: [],
  });
  expect((await session.search("maths")).hits.map(({ text }) => text)).toEqual(["liked maths"]);
  await store.close();
  here.remove();
});

it("CP7 secrets are cut out, and the answer shows what was kept", async () => {
  const here = place();
  const { call, client } = await connect(here, { args: ["--compat", "server-memory"] });
  const secret = `AKIA${"Z7Q2M5XW9RT4LK8P"}`;
  const { text } = await call("create_entities", {
    entities: [{ name: "aws", entityType: "account", observations: [`key ${secret}`] }],
  });
  expect(text).toContain("[redacted:secret]");
  expect(text + (await call("read_graph")).text).not.toContain(secret);
  await client.close();
  here.remove();
});

it("CP8 what the store cannot hold is refused as a whole and changes nothing", async () => {
  const here = place();
  const { call, client } = await connect(here, { args: ["--compat", "server-memory"] });
  const entities = [
    { name: "fine", entityType: "t", observations: [] },
    { name: "half \ud800", entityType: "t", observations: [] },
  ];
  expect((await call("create_entities", { entities })).isError).toBe(true);
  expect((await call("read_graph")).data).toEqual({ entities: [], relations: [] });
  await client.close();
  here.remove();
});

it("CP9 the official server's file comes in and goes out the same, and coming in twice changes nothing", async () => {
  const here = place();
  mkdirSync(here.store, { recursive: true });
  const path = join(here.home, "graph.jsonl");
  const lines = [
    { type: "entity", name: "Ada", entityType: "person", observations: ["a", "a", "", "b\nc"] },
    { type: "entity", name: "Ada", entityType: "again", observations: [] },
    { type: "relation", from: "Ada", to: "Nobody", relationType: "knows" },
  ];
  const text = lines.map((line) => JSON.stringify(line)).join("\n");
  writeFileSync(path, `${text}\n{"broken\n`);
  const store = await openStore(here.store);
  const session = store.session({ agent: "tester" });
  expect(await session.import(path)).toMatchObject({
    format: "mcp-memory",
    accepted: 7,
    problems: [{ where: "line 4" }],
  });
  expect(await exported(session)).toBe(text);
  expect(await session.import(path)).toMatchObject({ accepted: 0, updated: 0, duplicate: 7 });
  await store.close();
  here.remove();
});

it.each(GENERATIONS)("CP1 serves clients of every generation: %s", async (generation) => {
  const here = place();
  const { call, client, onUpdate } = await connect(here, { generation, args: ["--compat", "server-memory"] });
  expect((await client.listTools()).tools).toHaveLength(9);
  const entities = [{ name: "Ada", entityType: "person", observations: ["wrote a program"] }];
  expect((await call("create_entities", { entities })).data).toEqual({ entities });
  expect((await call("search_nodes", { query: "PROGRAM" })).data).toEqual({ entities, relations: [] });
  const { contents } = await client.readResource({ uri: URI });
  expect(JSON.parse((contents[0] as { text: string }).text)).toEqual({ entities, relations: [] });
  const news: string[] = [];
  onUpdate((uri) => news.push(uri));
  if (generation === "modern") await client.listen({ resourceSubscriptions: [URI] });
  else await client.subscribeResource({ uri: URI });
  await call("delete_entities", { entityNames: ["Ada"] });
  await expect.poll(() => news, { timeout: 10_000 }).toEqual([URI]);
  await client.close();
  here.remove();
});

it("CP1 serves over HTTP too", async () => {
  const here = place();
  const token = "a-token-of-some-length";
  writeFileSync(join(here.home, "token"), token);
  const server = bare(here, [
    "--compat",
    "server-memory",
    "--http",
    "0",
    "--token-file",
    join(here.home, "token"),
  ]);
  await expect.poll(() => server.err(), { timeout: 30_000 }).toMatch(/serving at \S+\n/);
  const [, url = ""] = /serving at (\S+)/.exec(server.err()) ?? [];
  const ask = async (method: string, params: object) => {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        ...{ authorization: `Bearer ${token}`, "content-type": "application/json" },
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    return response.text();
  };
  expect(await ask("tools/list", {})).toContain("open_nodes");
  const entities = [{ name: "Ada", entityType: "person", observations: [] }];
  expect(await ask("tools/call", { name: "create_entities", arguments: { entities } })).toContain("Ada");
  server.child.kill();
  await server.ended;
  here.remove();
});
