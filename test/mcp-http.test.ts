import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { request as send } from "node:http";
import { connect as connectTo } from "node:net";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rateLimit } from "../src/doors/mcp/http.js";
import { MAIN, type Place, place } from "./_mcp.js";

const SECRET = "a-secret-of-enough-length";
let at: Place;
let child: ChildProcess;
let url: URL;
let port: number;

beforeAll(async () => {
  at = place();
  writeFileSync(join(at.home, "token"), `${SECRET}\n`);
  child = spawn(process.execPath, [MAIN, "mcp", "--http", "0", "--token-file", join(at.home, "token")], {
    ...{ cwd: at.work, env: at.env },
  });
  url = new URL(await lineOf(child, /serving at (\S+)/));
  port = Number(url.port);
});
afterAll(async () => {
  const ended = new Promise((resolve) => child.on("close", resolve));
  if (child.kill("SIGTERM")) expect(await ended).toBe(0);
  at.remove();
});

const lineOf = (of: ChildProcess, pattern: RegExp): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = "";
    of.stderr?.on("data", (part) => {
      said += part;
      const found = pattern.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    of.on("close", () => reject(new Error(said)));
  });

const PING = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
type Headers = Record<string, string | string[]>;

/** A request as no browser and no client would send it: every header as given. */
const ask = (headers: Headers, { method = "POST", path = "/mcp", body = PING } = {}) =>
  new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>(
    (resolve, reject) => {
      const one = send({ host: "127.0.0.1", port, method, path, headers, setHost: false }, (response) => {
        let text = "";
        response.on("data", (part) => {
          text += part;
        });
        response.on("end", () =>
          resolve({ status: response.statusCode as number, headers: response.headers, text }),
        );
      });
      one.on("error", reject);
      one.end(method === "GET" || method === "HEAD" ? undefined : body);
    },
  );

const good = (): Headers => ({
  host: `127.0.0.1:${port}`,
  authorization: `Bearer ${SECRET}`,
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
});

/** The rate is meant for one honest client; this test is many dishonest ones. */
const patiently = async (...args: Parameters<typeof ask>): ReturnType<typeof ask> => {
  for (;;) {
    const answer = await ask(...args);
    if (answer.status !== 429) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

/** What the clients of this file share with the dishonest ones: they wait when they are told to. */
const waitingFetch: typeof fetch = async (...args) => {
  for (;;) {
    const answer = await fetch(...args);
    if (answer.status !== 429) return answer;
    await answer.body?.cancel();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

describe("J30 who is let in (B16)", () => {
  it("combinations of host, origin, token and site: only this server's own names with the token", async () => {
    const p = port;
    const hosts = [
      ...[`127.0.0.1:${p}`, `localhost:${p}`, `[::1]:${p}`],
      ...[
        `evil.example`,
        `localhost.evil:${p}`,
        `127.0.0.1.nip.io:${p}`,
        `127.0.0.1.:${p}`,
        `localhost.:${p}`,
      ],
      ...[
        `0.0.0.0:${p}`,
        `[::]:${p}`,
        `[::ffff:127.0.0.1]:${p}`,
        "127.0.0.1",
        `127.1:${p}`,
        `2130706433:${p}`,
        "",
      ],
    ];
    const origins = [
      ...[undefined, `http://127.0.0.1:${p}`, `http://localhost:${p}`],
      ...[
        "null",
        "https://evil.example",
        `http://localhost.evil:${p}`,
        `https://127.0.0.1:${p}`,
        "http://127.0.0.1",
      ],
      ...[`http://127.0.0.1:${p}/`, `http://evil@127.0.0.1:${p}`],
    ];
    const tokens = [`Bearer ${SECRET}`, undefined, "Bearer wrong", `Basic ${SECRET}`, SECRET];
    let tried = 0;
    for (const [h, host] of hosts.entries())
      for (const [o, origin] of origins.entries())
        for (const [t, authorization] of tokens.entries()) {
          const headers: Headers = {
            ...{ host, "content-type": "application/json", accept: "application/json, text/event-stream" },
            ...(origin !== undefined && { origin }),
            ...(authorization !== undefined && { authorization }),
          };
          const { status, headers: sent } = await patiently(headers);
          const expected = h > 2 || o > 2 ? 403 : t > 0 ? 401 : 200;
          expect([status, host, origin, authorization]).toEqual([expected, host, origin, authorization]);
          expect(sent["access-control-allow-origin"]).toBeUndefined();
          tried++;
        }
    expect(tried).toBeGreaterThanOrEqual(500);
  });

  it("J783 what is nested deeper than the stack is turned away, and the next request is served", async () => {
    for (const [open, close] of [
      ["[", "]"],
      ['{"a":', "}"],
    ] as const)
      for (const depth of [201, 10_000, 170_000]) {
        const deep = `${open.repeat(depth)}1${close.repeat(depth)}`;
        for (const body of [
          deep,
          `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"memory_add","arguments":{"text":${deep}}}}`,
          `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${deep}}`,
        ])
          expect((await patiently(good(), { body })).status).toBe(400);
      }
    expect((await patiently(good())).status).toBe(200);
  });

  it("two hosts, two origins or two tokens are as bad as a wrong one; other sites are turned away", async () => {
    const raw = (...more: string[]) =>
      new Promise<number>((resolve) => {
        const socket = connectTo({ host: "127.0.0.1", port });
        socket.once("data", (data) => resolve(Number(/^HTTP\/1.1 (\d+)/.exec(String(data))?.[1])));
        const lines = [`Host: 127.0.0.1:${port}`, `Authorization: Bearer ${SECRET}`, ...more];
        socket.end(
          `POST /mcp HTTP/1.1\r\n${lines.join("\r\n")}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${PING.length}\r\n\r\n${PING}`,
        );
      });
    await expect.poll(() => raw()).toBe(200);
    expect(await raw("Host: evil.example")).toBe(403);
    expect(await raw("Authorization: Bearer wrong")).toBe(401);
    expect(await raw(`Origin: http://localhost:${port}`, "Origin: https://evil.example")).toBe(403);
    for (const site of ["cross-site", "same-site"])
      expect((await patiently({ ...good(), "sec-fetch-site": site })).status).toBe(403);
    expect((await patiently({ ...good(), "sec-fetch-site": "same-origin" })).status).toBe(200);
  });

  it("J31 method, path, type, length and upgrade", async () => {
    for (const method of ["GET", "DELETE", "PUT", "OPTIONS", "HEAD", "PATCH"])
      expect((await patiently({ ...good(), accept: "application/json" }, { method })).status).toBe(405);
    for (const path of ["/", "/mcp/", "/mcp?token=x", "/../mcp", "/health"])
      expect((await patiently(good(), { path })).status).toBe(404);
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""])
      expect((await patiently({ ...good(), "content-type": type })).status).toBe(415);
    expect((await patiently({ ...good(), connection: "upgrade", upgrade: "websocket" })).status).toBe(400);
    expect((await patiently(good(), { body: "{ no json" })).status).toBe(400);
    expect(
      (
        await patiently({ ...good(), "content-length": "99999999" }, { body: "" }).catch(() => ({
          status: 413,
        }))
      ).status,
    ).toBe(413);
    const long = await patiently(good(), { body: JSON.stringify({ text: "x".repeat(2_000_000) }) }).catch(
      () => undefined,
    );
    expect(long === undefined || long.status === 413).toBe(true);
    const preflight = await patiently(
      { ...good(), origin: `http://localhost:${port}` },
      { method: "OPTIONS" },
    );
    expect(Object.keys(preflight.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  it("J32 a new token counts at once, the old no longer, and without a readable one nobody gets in", async () => {
    const rotated = "another-secret-of-enough-length";
    writeFileSync(join(at.home, "token"), rotated);
    expect((await patiently(good())).status).toBe(401);
    expect((await patiently({ ...good(), authorization: `Bearer ${rotated}` })).status).toBe(200);
    writeFileSync(join(at.home, "token"), "");
    expect((await patiently({ ...good(), authorization: "Bearer " })).status).toBe(401);
    expect((await patiently({ ...good(), authorization: `Bearer ${rotated}` })).status).toBe(401);
    writeFileSync(join(at.home, "token"), SECRET);
    expect((await patiently(good())).status).toBe(200);
  });
});

it("J33 listens on the loopback address only", async () => {
  const { networkInterfaces } = await import("node:os");
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((one) => one !== undefined && !one.internal && one.family === "IPv4");
  if (!outside) return;
  const reached = await new Promise<boolean>((resolve) => {
    const socket = connectTo({ host: outside.address, port, timeout: 2_000 }, () => resolve(true));
    socket.on("error", () => resolve(false));
    socket.on("timeout", () => resolve(false));
  });
  expect(reached).toBe(false);
});

it("J34 a client asks so much at once and so much a second, no more", () => {
  let now = 0;
  const allows = rateLimit(3, 2, () => now);
  expect([allows(), allows(), allows(), allows()]).toEqual([true, true, true, false]);
  now += 500;
  expect([allows(), allows()]).toEqual([true, false]);
  now += 60_000;
  expect([allows(), allows(), allows(), allows()]).toEqual([true, true, true, false]);
});

it("J34 too many requests are told to wait", async () => {
  const statuses = await Promise.all(
    Array.from({ length: 400 }, async () => (await ask(good(), { method: "PUT" })).status),
  );
  expect(statuses).toContain(429);
  await new Promise((resolve) => setTimeout(resolve, 500));
});

it("J35 serves clients of both generations, with a clearance of normal", async () => {
  const requestInit = { headers: { authorization: `Bearer ${SECRET}` } };
  const modern = new Client({ name: "modern", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await modern.connect(new StreamableHTTPClientTransport(url, { requestInit, fetch: waitingFetch }));
  const added = await modern.callTool({ name: "memory_add", arguments: { text: "Likes tea" } });
  const { id } = added.structuredContent as { id: string };
  expect(
    (await modern.callTool({ name: "memory_add", arguments: { text: "Hush", sensitivity: "private" } }))
      .structuredContent,
  ).toMatchObject({ verdict: expect.any(String) });
  const told: string[] = [];
  modern.setNotificationHandler(
    "notifications/resources/updated",
    ({ params }) => void told.push(params.uri),
  );
  await modern.listen({ resourceSubscriptions: [`memory://memory/${id}`] });

  const first = new OldClient({ name: "first", version: "1" });
  await first.connect(new OldTransport(url, { requestInit, fetch: waitingFetch }) as never);
  const found = (await first.callTool({ name: "memory_search", arguments: {} })) as {
    structuredContent?: { hits: { text: string }[] };
  };
  expect(found.structuredContent?.hits.map(({ text }) => text)).toEqual(["Likes tea"]);
  await first.callTool({ name: "memory_update", arguments: { id, text: "Likes coffee" } });
  await expect.poll(() => told, { timeout: 20_000 }).toEqual([`memory://memory/${id}`]);
  await first.close();
  await modern.close();
});

it("J48 clients of the older protocol are told of changes too, over a connection of their own", async () => {
  const requestInit = { headers: { authorization: `Bearer ${SECRET}` } };
  const client = new OldClient({ name: "older", version: "1" });
  const told: string[] = [];
  client.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }) => void told.push(params.uri),
  );
  await client.connect(new OldTransport(url, { requestInit, fetch: waitingFetch }) as never);
  const added = (await client.callTool({
    ...{ name: "memory_add", arguments: { text: "Cycles to the office" } },
  })) as { structuredContent?: { id: string } };
  const uri = `memory://memory/${added.structuredContent?.id}`;
  await client.subscribeResource({ uri });
  await client.callTool({
    ...{ name: "memory_update", arguments: { id: added.structuredContent?.id, text: "Walks to the office" } },
  });
  await expect.poll(() => told, { timeout: 20_000 }).toEqual([uri]);
  await client.close();
});

it("J48 nobody is told without the token, and only so many connections are kept", async () => {
  const headers = { ...good(), accept: "text/event-stream" };
  expect((await patiently({ ...headers, authorization: "Bearer other" }, { method: "GET" })).status).toBe(
    401,
  );
  expect((await patiently({ ...headers, origin: "http://example.com" }, { method: "GET" })).status).toBe(403);
  const open = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const one = send({ host: "127.0.0.1", port, method: "GET", path: "/mcp", headers, setHost: false });
      one.end();
      const status = await new Promise((resolve) => one.on("response", (got) => resolve(got.statusCode)));
      return { one, status };
    }),
  );
  expect(open.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(32);
  expect(open.some(({ status }) => status === 200)).toBe(true);
  expect(open.some(({ status }) => status === 429)).toBe(true);
  for (const { one } of open) one.destroy();
});

it.each(["auto", "legacy"] as const)(
  "J47 reports progress, cancels, completes and prompts (%s)",
  async (mode) => {
    const requestInit = { headers: { authorization: `Bearer ${SECRET}` } };
    const client = new Client({ name: mode, version: "1" }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit, fetch: waitingFetch }));
    const report = { name: "memory_consolidate", arguments: {} };
    const steps: number[] = [];
    await client.callTool(report, { onprogress: ({ progress }) => void steps.push(progress) });
    expect(steps.length).toBeGreaterThan(0);
    const unwanted = new AbortController();
    const call = client.callTool(report, { signal: unwanted.signal });
    unwanted.abort(new Error("no longer wanted"));
    await expect(call).rejects.toThrow("no longer wanted");
    const branch = { ref: { type: "ref/resource" as const, uri: "memory://branch/{name}" } };
    const { completion } = await client.complete({ ...branch, argument: { name: "name", value: "ma" } });
    expect(completion.values).toEqual(["main"]);
    const { messages } = await client.getPrompt({ name: "take_over", arguments: { branch: "main" } });
    expect(messages).toHaveLength(1);
    await client.close();
  },
);

it("J36 without a token one is made and told on stderr; one that is too short is refused", async () => {
  const own = spawn(process.execPath, [MAIN, "mcp", "--http", "0"], { cwd: at.work, env: at.env });
  expect(await lineOf(own, /Bearer (\S+)/)).toMatch(/^[\w-]{43}$/);
  const ended = new Promise((resolve) => own.on("close", resolve));
  own.kill("SIGINT");
  expect(await ended).toBe(0);
  const short = spawn(process.execPath, [MAIN, "mcp", "--http", "0"], {
    ...{ cwd: at.work, env: { ...at.env, PAL_MCP_TOKEN: "short" } },
  });
  expect(await new Promise((resolve) => short.on("close", resolve))).toBe(2);
});
