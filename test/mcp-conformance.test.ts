import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bare, place } from "./_mcp.js";
import { PATIENCE, ROOT } from "./_processes.js";
import { tokenProxy } from "./_token-proxy.js";

const SUITE = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/dist/index.js");
const EXPECTED = join(ROOT, "test/conformance-expected.yml");

async function suite(url: string, cwd: string): Promise<{ said: string; code: number | null }> {
  const child = spawn(process.execPath, [SUITE, "server", "--url", url, "--expected-failures", EXPECTED], {
    cwd,
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part) => {
      said += part;
    });
  const code = await new Promise<number | null>((ended) => child.on("close", ended));
  return { said, code };
}

it(
  "J40 the official conformance suite passes, but for scenarios that need its own fixtures",
  async () => {
    const at = place();
    const server = bare(at, ["--http", "0"]);
    await expect.poll(() => server.err(), { timeout: 30_000 }).toMatch(/Bearer \S+\n/);
    const [, url = ""] = /serving at (\S+)/.exec(server.err()) ?? [];
    const [, token = ""] = /Bearer (\S+)/.exec(server.err()) ?? [];
    const proxy = await tokenProxy(new URL(url), token);
    const { said, code } = await suite(proxy.url, at.work);
    await proxy.close();
    server.child.kill();
    await server.ended;
    at.remove();
    expect(code, said).toBe(0);
  },
  PATIENCE.timeout,
);
