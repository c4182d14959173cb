import { execFile } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bare, MAIN, type Place, place } from "./_mcp.js";
import { PATIENCE } from "./_processes.js";
import { toolOf } from "./_tools.js";

const INSPECTOR = toolOf("@modelcontextprotocol/inspector/clients/launcher/build/index.js");
let at: Place;
beforeAll(() => {
  at = place();
});
afterAll(() => at.remove());

/** One call of the official inspector's command line. */
async function inspect(target: readonly string[], method: string, ...more: readonly string[]) {
  const args = [INSPECTOR as string, "--cli", ...target, "--method", method, ...more];
  // Its own settings must not be those of whoever runs the tests.
  const env = { ...at.env, HOME: at.home, MCP_CATALOG_PATH: `${at.home}/catalog.json` };
  return new Promise<{ code: number; out: string; err: string }>((done) =>
    execFile(process.execPath, args, { env, cwd: at.work }, (error, out, err) =>
      done({ code: Number(error?.code ?? 0), out, err }),
    ),
  );
}

describe.skipIf(INSPECTOR === undefined)("J45 the official inspector", () => {
  const started = () => ["-e", `PAL_HOME=${at.store}`, process.execPath, MAIN, "mcp"];

  it(
    "J45 lists tools without a complaint, calls them, reads resources and prompts over stdio",
    async () => {
      const full = await inspect([...started(), "--tools", "full"], "tools/list", "--strict");
      expect(full, full.err).toMatchObject({ code: 0 });
      expect(JSON.parse(full.out).tools.length).toBeGreaterThan(20);
      const tool = (name: string, ...args: string[]) => [
        ...["--tool-name", name],
        ...args.flatMap((arg) => ["--tool-arg", arg]),
      ];
      const stored = await inspect(started(), "tools/call", ...tool("memory_add", "text=Likes green tea"));
      const { id } = JSON.parse(stored.out).structuredContent;
      const found = await inspect(started(), "tools/call", ...tool("memory_search", "query=tea", "limit=3"));
      expect(found.err).toBe("");
      expect(JSON.parse(found.out).structuredContent.hits).toMatchObject([{ id }]);
      const read = await inspect(started(), "resources/read", "--uri", `memory://memory/${id}`);
      expect(JSON.parse(JSON.parse(read.out).contents[0].text)).toMatchObject({ text: "Likes green tea" });
      const named = await inspect(started(), "resources/templates/list");
      expect(named.out).toContain("memory://branch/{name}");
      const asked = await inspect(
        ...([started(), "prompts/get", "--prompt-name", "recall", "--prompt-args", "about=tea"] as const),
      );
      expect(asked.out).toContain(id);
      expect((await inspect(started(), "tools/call", ...tool("no_such_tool"))).code).not.toBe(0);
    },
    PATIENCE.timeout,
  );

  it(
    "J45 calls tools over HTTP with the token, and nothing without",
    async () => {
      const server = bare(at, ["--http", "0"]);
      await expect.poll(() => server.err(), { timeout: 30_000 }).toMatch(/Bearer \S+\n/);
      const [, url = ""] = /serving at (\S+)/.exec(server.err()) ?? [];
      const [, token = ""] = /Bearer (\S+)/.exec(server.err()) ?? [];
      const target = [url, "--transport", "http"];
      const args = ["--tool-name", "memory_add", "--tool-arg", "text=Rides a bicycle to work"];
      const told = await inspect(
        ...([[...target, "--header", `Authorization: Bearer ${token}`], "tools/call", ...args] as const),
      );
      expect(JSON.parse(told.out).structuredContent.verdict).toBe("accepted");
      const refused = await inspect([...target, "--stored-auth-only"], "tools/call", ...args);
      expect(refused.code).not.toBe(0);
      server.child.kill();
      await server.ended;
    },
    PATIENCE.timeout,
  );
});
