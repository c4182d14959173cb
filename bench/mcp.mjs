// The server over its real pipe: CPU from the start to the first answer, and single calls beside the official memory
// server with as many entities.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { openStore } from "../dist/index.js";
import { fact, facts } from "./_facts.mjs";
import { startServer } from "./_mcp-client.mjs";
import { heading, median, ms, report, temporary, times } from "./_measure.mjs";

const MAIN = join(import.meta.dirname, "../dist/doors/cli/main.js");
const OFFICIAL = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-memory/dist/index.js");
const ROUNDS = 15;
/** A clock tick of /proc is the hundredth part of a second nearly everywhere. */
const TICKS = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

export async function run({ sizes }) {
  const most = Math.max(...sizes);
  await firstAnswer(most);
  for (const size of sizes.filter((one) => one <= 10_000)) await beside(size);
}

/** CPU milliseconds a process has used so far, its threads included. */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return ((Number(fields[11]) + Number(fields[12])) / TICKS) * 1000;
}

function bareNode() {
  const script = "const { user, system } = process.cpuUsage(); console.log((user + system) / 1000)";
  return Number(execFileSync(process.execPath, ["-e", script], { encoding: "utf8" }));
}

async function filled(directory, size) {
  const store = await openStore(directory);
  const session = store.session({ agent: "bench" });
  await session.rememberMany(facts(size));
  await session.search("warm");
  await store.close();
}

async function firstAnswer(size) {
  heading(`From start to first answer, a store of ${size}`);
  const place = temporary("mcp");
  await filled(place.directory, size);
  const spent = { node: [], official: [], handshake: [], search: [], add: [] };
  for (let round = 0; round < 5; round++) {
    spent.node.push(bareNode());
    const official = await startServer(OFFICIAL, { MEMORY_FILE_PATH: join(place.directory, "none.jsonl") });
    spent.official.push(cpuOf(official.pid));
    await official.close();
    const server = await startServer(MAIN, { PAL_HOME: place.directory }, ["mcp"]);
    spent.handshake.push(cpuOf(server.pid));
    await server.call("memory_add", { text: `Noted in round ${round}` });
    spent.add.push(cpuOf(server.pid));
    await server.call("memory_search", { query: "Lisbon office" });
    spent.search.push(cpuOf(server.pid));
    await server.close();
  }
  // On a busy machine CPU time itself grows, and that of Node doing nothing with it: what counts is what comes on top.
  const bare = median(spent.node);
  report("CPU of Node doing nothing", ms(bare));
  const onTop = (what, values, target) => {
    const spentOnTop = median(values) - bare;
    const promise = target === undefined ? [] : [`≤ ${target} ms`, spentOnTop <= target];
    report(`CPU on top of that until ${what}`, ms(spentOnTop), ...promise);
  };
  onTop("the official server's handshake", spent.official);
  onTop("the handshake is answered", spent.handshake, 250);
  onTop("a first memory is stored", spent.add, 250);
  onTop("a first search after that is answered", spent.search);
  place.remove();
}

const entity = (at) => ({
  name: `e${at}`,
  entityType: "fact",
  observations: [fact(at).text, `Number ${at}`],
});
const ticket = (at) => `ticket ${(at * 7919) % 99991}`;

/** The same calls in turn on both servers with the official one's tools, then our own tools on as many facts. */
async function beside(size) {
  heading(`Beside the official memory server, ${size} entities`);
  const place = temporary("mcp");
  const [graph, own, official] = ["graph", "own", "memory.jsonl"].map((name) => join(place.directory, name));
  await filled(own, size);
  const compat = await startServer(MAIN, { PAL_HOME: graph }, ["mcp", "--compat", "server-memory"]);
  const pal = await startServer(MAIN, { PAL_HOME: own }, ["mcp"]);
  const theirs = await startServer(OFFICIAL, { MEMORY_FILE_PATH: official });
  const both = (name, argsOf) => [compat, theirs].map((server) => (at) => server.call(name, argsOf(at)));
  const filling = [0, 0];
  for (let at = 0; at < size; at += 1_000) {
    const entities = Array.from({ length: Math.min(1_000, size - at) }, (_, next) => entity(at + next));
    for (const [who, call] of both("create_entities", () => ({ entities })).entries())
      filling[who] += await timed(() => call(0));
  }
  report(
    `create all, 1,000 a call: ours ${ms(filling[0])}, theirs ${ms(filling[1])}`,
    times(filling[1] / filling[0]),
  );
  const kinds = {
    "create one": both("create_entities", (at) => ({ entities: [entity(size + at)] })),
    "add to one": both("add_observations", (at) => ({
      observations: [{ entityName: "e7", contents: [`Again ${at}`] }],
    })),
    search: both("search_nodes", (at) => ({ query: ticket(at) })),
    "open one": both("open_nodes", (at) => ({ names: [`e${at * 31}`] })),
    "read all": both("read_graph", () => ({})),
    "our memory_add beside their add": [
      (at) => pal.call("memory_add", { text: `${fact(at).text} Again.`, topic: "one" }),
      (at) =>
        theirs.call("add_observations", { observations: [{ entityName: "e8", contents: [`Again ${at}`] }] }),
    ],
    "our memory_search beside their search": [
      (at) => pal.call("memory_search", { query: ticket(at) }),
      (at) => theirs.call("search_nodes", { query: ticket(at) }),
    ],
  };
  const promised = new Set(size >= 10_000 ? ["create one", "add to one", "search"] : []);
  for (const [name, calls] of Object.entries(kinds)) {
    const took = [[], []];
    for (let round = -2; round < ROUNDS; round++)
      for (const [who, call] of calls.entries()) {
        const spent = await timed(() => call(round + 2));
        if (round >= 0) took[who].push(spent);
      }
    const [mine, other] = took.map(median);
    const isPromised = promised.has(name);
    report(
      `${name}: ours ${ms(mine)}, theirs ${ms(other)}`,
      times(other / mine),
      isPromised ? "≥ 10×" : "",
      isPromised ? other / mine >= 10 : undefined,
    );
  }
  await Promise.all([compat.close(), pal.close(), theirs.close()]);
  place.remove();
}

async function timed(call) {
  const start = performance.now();
  const { result, error } = await call();
  if (error || result.isError) throw new Error(JSON.stringify(error ?? result).slice(0, 500));
  return performance.now() - start;
}
