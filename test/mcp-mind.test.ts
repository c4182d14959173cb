import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { CreateMessageRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openStore } from "../src/index.js";
import { connect, MAIN, type Place, place } from "./_mcp.js";

let at: Place;
const open: { close(): Promise<void> }[] = [];
beforeEach(() => {
  at = place();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
  at.remove();
});
const messages = [
  { role: "user", content: "I live in Graz." },
  { role: "assistant", content: "You like tea." },
];

it("MI95 process_conversation of the full set stages facts with their words; nothing is believed before it is accepted", async () => {
  const { client, call } = await connect(at, { args: ["--tools", "full"] });
  open.push(client);
  const { data } = await call("process_conversation", { messages, session_id: "s1" });
  expect(data).toMatchObject({
    facts: [
      { op: "add", subject: "user", object: "Graz", evidence: "I live in Graz.", turn: 0, accepted: false },
    ],
    proposals: [{ kind: "extraction", accepted: false }],
    by: "rules",
  });
  expect((await call("memory_search", { query: "Graz" })).data.hits).toEqual([]);
});

it("MI96 where the client offers its model and $PAL_MODEL is host, that model is asked", async () => {
  const asked: string[] = [];
  const client = new Client({ name: "sampler", version: "1" }, { capabilities: { sampling: {} } });
  client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => {
    asked.push(JSON.stringify(params.messages));
    const event = {
      ...{
        type: "add",
        subject: "user",
        predicate: "lives_in",
        object: "Graz",
        text: "The user lives in Graz.",
      },
      ...{ lifetime: "permanent", confidence: 0.9, sensitivity: "normal", quote: "I live in Graz", turn: 0 },
    };
    return {
      model: "m",
      role: "assistant" as const,
      content: { type: "text" as const, text: JSON.stringify({ events: [event] }) },
    };
  });
  const env = { ...at.env, PAL_MODEL: "host" };
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, "mcp", "--tools", "full"],
      cwd: at.work,
      env,
    }),
  );
  open.push(client);
  const result = await client.callTool({ name: "process_conversation", arguments: { messages } });
  expect(result.structuredContent).toMatchObject({ by: "host/sampler", facts: [{ object: "Graz" }] });
  expect(asked).toHaveLength(1);
});

it("MI97 a running server consolidates by itself, unless HEARTBEAT.md holds no task", async () => {
  const store = await openStore(at.store);
  await store.session({ agent: "tester" }).remember("Marta may like tea", { confidence: 0.1 });
  const waiting = async () => (await store.session({ agent: "tester" }).review()).length;
  at.env.PAL_HEARTBEAT_MINUTES = "0.002";
  try {
    writeFileSync(join(at.work, "HEARTBEAT.md"), "# Heartbeat\n\n- [x] done\n");
    const { client } = await connect(at);
    open.push(client);
    await new Promise((done) => setTimeout(done, 1_000));
    expect(await waiting()).toBe(0);
    writeFileSync(join(at.work, "HEARTBEAT.md"), "# Heartbeat\n\n- [ ] consolidate\n");
    await expect.poll(waiting, { timeout: 20_000, interval: 200 }).toBe(1);
  } finally {
    await store.close();
  }
});
