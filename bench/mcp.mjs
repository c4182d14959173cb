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
  // On a busy machine CPU time itself grows; these two grow with it.
  report("CPU of Node doing nothing, for comparison", ms(median(spent.node)));
  report("CPU until the official server's handshake", ms(median(spent.official)));
  report(
    "CPU until the handshake is answered",
    ms(median(spent.handshake)),
    "≤ 250 ms",
    median(spent.handshake) <= 250,
  );
  report("CPU until a first memory is stored", ms(median(spent.add)), "≤ 250 ms", median(spent.add) <= 250);
  report("CPU until a first search after that is answered", ms(median(spent.search)));
  place.remove();
}

/** The same three calls in turn on both servers, each holding `size` facts. */
async function beside(size) {
  heading(`Beside the official memory server, ${size} entities`);
  const place = temporary("mcp");
  const [ours, official] = [join(place.directory, "ours"), join(place.directory, "memory.jsonl")];
  await filled(ours, size);
  const pal = await startServer(MAIN, { PAL_HOME: ours }, ["mcp"]);
  const theirs = await startServer(OFFICIAL, { MEMORY_FILE_PATH: official });
  const entity = (at) => ({ name: `e${at}`, entityType: "fact", observations: [fact(at).text] });
  for (let at = 0; at < size; at += 1_000)
    await theirs.call("create_entities", {
      entities: Array.from({ length: Math.min(1_000, size - at) }, (_, next) => entity(at + next)),
    });
  const kinds = {
    "create one": [
      (at) => pal.call("memory_add", { text: fact(size + at).text }),
      (at) => theirs.call("create_entities", { entities: [entity(size + at)] }),
    ],
    "add to one that is there": [
      (at) => pal.call("memory_add", { text: `${fact(at).text} Again.`, topic: "one" }),
      (at) =>
        theirs.call("add_observations", { observations: [{ entityName: "e7", contents: [`Again ${at}`] }] }),
    ],
    search: [
      (at) => pal.call("memory_search", { query: `ticket ${(at * 7919) % 99991}` }),
      (at) => theirs.call("search_nodes", { query: `ticket ${(at * 7919) % 99991}` }),
    ],
  };
  for (const [name, calls] of Object.entries(kinds)) {
    const took = [[], []];
    for (let round = -2; round < ROUNDS; round++)
      for (const [who, call] of calls.entries()) {
        const start = performance.now();
        const { result, error } = await call(round + 2);
        if (error || result.isError) throw new Error(JSON.stringify(error ?? result));
        if (round >= 0) took[who].push(performance.now() - start);
      }
    const [mine, other] = took.map(median);
    const isPromised = size >= 10_000;
    report(
      `${name}: ours ${ms(mine)}, theirs ${ms(other)}`,
      times(other / mine),
      isPromised ? "≥ 10×" : "",
      isPromised ? other / mine >= 10 : undefined,
    );
  }
  await Promise.all([pal.close(), theirs.close()]);
  place.remove();
}
