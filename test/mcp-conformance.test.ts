import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bare, place } from "./_mcp.js";
import { PATIENCE, ROOT } from "./_processes.js";
import { tokenProxy } from "./_token-proxy.js";
import { toolOf } from "./_tools.js";

const SUITE = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/dist/index.js");
/** The suite of the newest protocol, an alpha of the same package under a name of its own. */
const NEWEST = toolOf("mcp-conformance-next/dist/index.js");
const SHIM = join(ROOT, "test/_glob-shim.mjs");
const listed = (name: string): string[] => ["--expected-failures", join(ROOT, "test", name)];

/** What the suite says of a fresh server over HTTP. */
async function suite(program: readonly string[], args: readonly string[]) {
  const at = place();
  const server = bare(at, ["--http", "0"]);
  await expect.poll(() => server.err(), { timeout: 30_000 }).toMatch(/Bearer \S+\n/);
  const [, url = ""] = /serving at (\S+)/.exec(server.err()) ?? [];
  const [, token = ""] = /Bearer (\S+)/.exec(server.err()) ?? [];
  const proxy = await tokenProxy(new URL(url), token);
  const child = spawn(process.execPath, [...program, "server", "--url", proxy.url, ...args], {
    cwd: at.work,
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part) => {
      said += part;
    });
  const code = await new Promise<number | null>((ended) => child.on("close", ended));
  await proxy.close();
  server.child.kill();
  await server.ended;
  at.remove();
  return { said, code };
}

it(
  "J40 the official conformance suite passes, but for scenarios that need its own fixtures",
  async () => {
    const { said, code } = await suite([SUITE], listed("conformance-expected.yml"));
    expect(code, said).toBe(0);
  },
  PATIENCE.timeout,
);

it.skipIf(NEWEST === undefined)(
  "J42 so does the suite of the newest protocol, where it is installed",
  async () => {
    const args = ["--requirements", "2026-07-28", ...listed("conformance-expected-2026-07-28.yml")];
    const { said, code } = await suite(["--import", SHIM, NEWEST as string], args);
    expect(code, said).toBe(0);
  },
  PATIENCE.timeout,
);
