// Many writers: several processes on one store, beside raw SQLite with as many, and beside the official MCP memory
// server with as many server processes on one file. What each has kept is counted afterwards.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { openStore } from "../dist/index.js";
import { fact } from "./_facts.mjs";
import { startServer } from "./_mcp-client.mjs";
import { heading, ms, report, temporary, timed } from "./_measure.mjs";

const WRITES = 800;

export async function run() {
  for (const processes of [1, 2, 4, 8]) {
    heading(
      `${processes} ${processes === 1 ? "process" : "processes"}, ${WRITES} writes together, one at a time each`,
    );
    for (const [name, contender] of Object.entries(CONTENDERS)) {
      const place = temporary("many");
      const { wall, acknowledged, waits, kept } = await contender(place.directory, processes);
      waits.sort((a, b) => a - b);
      const [p99, worst] = [waits[Math.floor(waits.length * 0.99)], waits.at(-1)];
      const isOurs = name === "palimpsest";
      report(`${name}: writes per second`, Math.round((WRITES / wall) * 1000));
      report(
        `  wait p99, worst`,
        `${ms(p99)}, ${ms(worst)}`,
        isOurs ? "p99 < 2 s" : "",
        isOurs ? p99 < 2_000 : undefined,
      );
      report(
        `  kept of acknowledged`,
        `${kept} of ${acknowledged}`,
        isOurs ? "all" : "",
        isOurs ? kept === WRITES && acknowledged === WRITES : undefined,
      );
      place.remove();
    }
  }
}

const CONTENDERS = {
  palimpsest: async (directory, processes) => {
    // The others find their store there, so ours is too.
    const store = await openStore(directory);
    const pal = store.session({ agent: "reader" });
    await pal.remember("Before the others", { id: "before" });
    await store.settle();
    const outcome = await writers("palimpsest", directory, processes);
    const kept = (await pal.list()).length - 1;
    const isWhole = (await store.verify()).ok;
    await store.close();
    return { ...outcome, kept: isWhole ? kept : 0 };
  },
  "raw SQLite": async (directory, processes) => {
    const { DatabaseSync } =
      process.getBuiltinModule?.("node:sqlite") ?? (await import("@photostructure/sqlite"));
    const db = new DatabaseSync(join(directory, "raw.db"));
    db.exec(
      "PRAGMA journal_mode=WAL; CREATE TABLE facts (seq INTEGER PRIMARY KEY, id TEXT UNIQUE, body TEXT)",
    );
    const outcome = await writers("sqlite", directory, processes);
    const { kept } = db.prepare("SELECT count(*) AS kept FROM facts").get();
    db.close();
    return { ...outcome, kept };
  },
  "MCP memory server": async (directory, processes) => {
    const file = join(directory, "memory.jsonl");
    const script = createRequire(import.meta.url).resolve(
      "@modelcontextprotocol/server-memory/dist/index.js",
    );
    const servers = await Promise.all(
      Array.from({ length: processes }, () => startServer(script, { MEMORY_FILE_PATH: file })),
    );
    const waits = [];
    let acknowledged = 0;
    const feed = async (server, number) => {
      for (let at = 0; at < WRITES / processes; at++) {
        const { text } = fact(number * 1_000_000 + at);
        const entity = { name: `${number}-${at}`, entityType: "fact", observations: [text] };
        const asked = performance.now();
        const { result, error } = await server.call("create_entities", { entities: [entity] });
        waits.push(performance.now() - asked);
        if (!error && !result.isError) acknowledged++;
      }
    };
    const { wall } = await timed(() => Promise.all(servers.map(feed)));
    await Promise.all(servers.map((server) => server.close()));
    const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
    return { wall, acknowledged, waits, kept: lines.length };
  },
};

/** Starts the processes, lets them all begin at once, and waits for the last. */
export async function writers(kind, directory, processes, writes = WRITES) {
  const script = join(import.meta.dirname, "_many-writer.mjs");
  const children = await Promise.all(
    Array.from({ length: processes }, async (_, number) => {
      const args = [script, kind, directory, number, writes / processes].map(String);
      const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
      child.lines = lines(child.stdout);
      await child.lines.next();
      return child;
    }),
  );
  const { wall, value } = await timed(() =>
    Promise.all(
      children.map(async (child) => {
        child.stdin.write("go\n");
        return JSON.parse((await child.lines.next()).value);
      }),
    ),
  );
  await Promise.all(
    children.map(
      (child) => new Promise((resolve) => (child.exitCode === null ? child.on("close", resolve) : resolve())),
    ),
  );
  return {
    wall,
    acknowledged: value.reduce((sum, { acknowledged }) => sum + acknowledged, 0),
    waits: value.flatMap(({ waits }) => waits),
  };
}

async function* lines(stream) {
  let text = "";
  for await (const part of stream) {
    text += part;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
      yield text.slice(0, end);
      text = text.slice(end + 1);
    }
  }
}
