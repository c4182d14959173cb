import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openStore } from "../src/index.js";
import { bare, connect, GENERATIONS, HELLO, type Place, place } from "./_mcp.js";
import { PATIENCE, TORTURE, tell } from "./_processes.js";

let at: Place;
beforeEach(() => {
  at = place();
});
afterEach(() => at.remove());

const add = (id: number, text: string) => ({
  ...{ id, method: "tools/call" },
  params: { name: "memory_add", arguments: { text } },
});

it("J2 stdout holds JSON-RPC only, whatever comes in; the rest is on stderr (B23)", async () => {
  const server = bare(at);
  server.send(...HELLO);
  server.child.stdin?.write('this is not JSON\n{"jsonrpc":"2.0"}\n[]\n\n{"id":');
  server.child.stdin?.write('7,"jsonrpc":"2.0","method":"no/such/method"}\n');
  server.send(add(1, "Likes tea"), { id: 2, method: "tools/call", params: { name: "no_such_tool" } });
  server.send({ id: 3, method: "tools/call", params: { name: "memory_add", arguments: { text: 7 } } });
  server.child.stdin?.end();
  expect(await server.ended).toBe(0);
  const answers = server
    .out()
    .split("\n")
    .slice(0, -1)
    .map((row) => JSON.parse(row));
  for (const answer of answers) expect(answer.jsonrpc).toBe("2.0");
  expect(answers.map(({ id }) => id).sort()).toEqual(expect.arrayContaining([0, 1, 2, 3, 7]));
  expect(server.err()).not.toBe("");
});

it(
  "J3 what was asked before stdin closed is answered, then the server is gone within 2 s, without children",
  async () => {
    const runs = TORTURE ? 100 : 3;
    for (let round = 0; round < runs; round++) {
      const server = bare(at);
      server.send(...HELLO, add(1, `Fact of round ${round}`));
      const before = childrenOf(server.child.pid as number);
      server.child.stdin?.end();
      const start = performance.now();
      expect(await server.ended).toBe(0);
      // A hang would be seconds; the machine may be busy.
      expect(performance.now() - start).toBeLessThan(TORTURE ? 2_000 : 10_000);
      expect(server.out()).toContain('"verdict":"accepted"');
      expect(before.filter(isAlive)).toEqual([]);
    }
    const store = await openStore(at.store);
    expect(await store.session({ agent: "tester" }).list()).toHaveLength(runs);
    await store.close();
  },
  PATIENCE.timeout,
);

it("J3 a client that is killed takes its server along (B23)", async () => {
  const { pid, client, call } = await connect(at);
  await call("memory_add", { text: "Likes tea" });
  expect(isAlive(pid as number)).toBe(true);
  await client.close();
  await expect.poll(() => isAlive(pid as number), { timeout: 10_000 }).toBe(false);
});

it(
  "J26 four clients at once write to one store, and every fact is there (B6)",
  async () => {
    const each = TORTURE ? 500 : 125;
    const clients = await Promise.all(
      [0, 1, 2, 3].map((index) =>
        connect(at, { generation: GENERATIONS[index % 3]!, args: ["--agent", `a${index}`] }),
      ),
    );
    const verdicts = await Promise.all(
      clients.map(async ({ call }, index) => {
        const said: string[] = [];
        for (let fact = 0; fact < each; fact += 25)
          said.push(
            ...(await Promise.all(
              Array.from({ length: 25 }, async (_, next) => {
                const { data } = await call("memory_add", { text: `Fact ${fact + next} of client ${index}` });
                return data.verdict as string;
              }),
            )),
          );
        return said;
      }),
    );
    expect(new Set(verdicts.flat())).toEqual(new Set(["accepted"]));
    const newest = await clients[0]!.call("memory_search", { query: `"Fact ${each - 1} of client 3"` });
    expect(newest.data.hits).toHaveLength(1);
    await Promise.all(clients.map(({ client }) => client.close()));
    const store = await openStore(at.store);
    const texts = (await store.session({ agent: "tester" }).list()).map(({ text }) => text);
    expect(new Set(texts).size).toBe(4 * each);
    expect(await store.verify()).toMatchObject({ ok: true });
    await store.close();
  },
  PATIENCE.timeout,
);

it.skipIf(process.platform !== "linux")(
  "J27 thousands of calls leave memory and descriptors flat (B23)",
  async () => {
    const calls = TORTURE ? 20_000 : 400;
    const { call: plain, client, pid, stderr } = await connect(at, { generation: "modern" });
    const call = (name: string, args: Record<string, unknown>) => plain(name, args, PATIENCE);
    const strange: Error[] = [];
    client.onerror = (error) => strange.push(error);
    const one = async (index: number) => {
      const { data } = await call("memory_add", {
        text: `Fact ${index % 80}`,
        topic: `topic-${index % 80}`,
      });
      if (index % 5 === 1) await call("memory_search", { query: `fact ${index % 80}`, limit: 3 });
      if (index % 5 === 2) await call("memory_update", { id: data.id, confidence: (index % 90) / 100 });
      if (index % 50 === 3) await client.readResource({ uri: `memory://memory/${data.id}` });
      if (index % 50 === 4) await call("memory_update", { id: "no-such-id", text: "x" });
    };
    const warm = Math.floor(calls / 3);
    for (let index = 0; index < warm; index++) await one(index);
    const before = figures(pid as number);
    for (let index = warm; index < calls; index++) await one(index);
    const after = figures(pid as number);
    tell(
      `${calls} rounds: rss ${before.rss} -> ${after.rss} MB, descriptors ${before.files} -> ${after.files}`,
    );
    expect(after.files).toBeLessThanOrEqual(before.files + 2);
    // In a short run the collector has not settled; a leak of one answer per call would still be seen.
    expect(after.rss).toBeLessThan(before.rss * (TORTURE ? 1.1 : 1.4));
    expect(stderr()).toBe("");
    // The client complains of every line that is no message.
    expect(strange).toEqual([]);
    await client.close();
  },
  PATIENCE.timeout,
);

const figures = (pid: number) => ({
  files: readdirSync(`/proc/${pid}/fd`).length,
  rss: Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024),
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function childrenOf(pid: number): number[] {
  try {
    return execFileSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" })
      .split("\n")
      .map(Number)
      .filter((one) => one > 0);
  } catch {
    return [];
  }
}
