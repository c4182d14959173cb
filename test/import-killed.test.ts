import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openStore } from "../src/index.js";
import { env, inPipe, main } from "./_binary.js";

/** Two commits: it is killed after the first. */
const MEMORIES = 1_300;
let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "pal-import-killed-"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** As rivals have them: some texts twice, some without an id. */
const mem0 = () =>
  JSON.stringify({
    results: Array.from({ length: MEMORIES }, (_, at) => ({
      ...(at % 3 > 0 && { id: `m${at}` }),
      memory: `Ship ${at % 400 === 0 ? 7 : at} lies at berth ${at % 31}`,
    })),
  });
const graph = () => {
  const entity = (at: number) => ({
    ...{ type: "entity", name: `Ship ${at}`, entityType: "ship" },
    observations: [`lies at berth ${at}`],
  });
  const relation = (at: number) => ({
    ...{ type: "relation", from: `Ship ${at}`, to: `Ship ${(at * 7) % 600}`, relationType: "follows" },
  });
  const numbers = Array.from({ length: 600 }, (_, at) => at);
  return [...numbers.map(entity), ...numbers.map(relation)].map((line) => JSON.stringify(line)).join("\n");
};

it.each([
  ["mem0", "m.json", mem0],
  ["mcp-memory", "memory.jsonl", graph],
] as const)(
  "C445 an import of %s that was killed is finished by running it again: the same memories, none twice",
  async (format, name, make) => {
    writeFileSync(join(home, name), make());
    const place = (store: string) => ({ cwd: home, store: join(home, `${format}-${store}`) });
    const done = (await inPipe(place("whole"), ["import", name, "--json"])).json;
    expect(done).toMatchObject({ format, rejected: 0, quarantined: 0 });

    const cut = place("cut");
    const child = spawn(process.execPath, [main, "import", name], {
      env: env(cut),
      cwd: home,
      stdio: "ignore",
    });
    const ended = once(child, "close");
    const store = await openStore(cut.store, { embedder: "none" });
    const pal = store.session({ agent: "ann" });
    while ((await pal.log()).length === 0) await new Promise((next) => setTimeout(next, 5));
    child.kill("SIGKILL");
    await ended;
    const kept = (await pal.list()).length;
    const rest = (await inPipe(cut, ["import", name, "--json"])).json;
    expect(rest).toMatchObject({ format, rejected: 0, quarantined: 0, updated: 0 });
    expect([kept > 0, rest.accepted]).toEqual([true, done.accepted - kept]);
    const whole = await openStore(place("whole").store, { embedder: "none" });
    const { root } = await whole.verify();
    expect(await store.verify()).toMatchObject({ ok: true, root, memories: done.accepted });
    for (const one of [store, whole]) await one.close();
  },
);
