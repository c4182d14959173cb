// What a host waits for, and what it costs a model and a disk: hooks, the first answer, tokens, the package. Beside the
// official memory server wherever it has the same.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { openStore, tokensOf } from "../dist/index.js";
import { facts } from "./_facts.mjs";
import { startServer } from "./_mcp-client.mjs";
import { heading, median, ms, report, temporary } from "./_measure.mjs";

const ROOT = join(import.meta.dirname, "..");
const MAIN = join(ROOT, "dist/doors/cli/main.js");
const OFFICIAL = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-memory/dist/index.js");
const ROUNDS = 9;
const TICKS = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
/** Says on its last line how much CPU a process and its threads have used. */
const COUNTED = `data:text/javascript,${encodeURIComponent(
  "process.on('exit',()=>{const{user,system}=process.cpuUsage();process.stderr.write('\\ncpu '+(user+system)/1000)})",
)}`;

export async function run({ sizes }) {
  for (const size of sizes.filter((one) => one <= 10_000)) await hooks(size);
  await firstAnswer();
  await tokens();
  await installed();
}

function cpuOf(args, env, input) {
  const { stderr, stdout } = spawnSync(process.execPath, ["--import", COUNTED, ...args], {
    ...{ env: { ...process.env, ...env }, input, encoding: "utf8" },
  });
  return { cpu: Number(/cpu ([\d.]+)$/.exec(stderr)?.[1]), stdout };
}

async function filled(directory, size) {
  const store = await openStore(directory);
  const session = store.session({ agent: "bench" });
  await session.rememberMany([...facts(size), "The staging database listens on port 6543."]);
  await session.search("warm");
  await store.close();
}

async function hooks(size) {
  heading(`Hooks, a store of ${size}: CPU above Node`);
  const place = temporary("hosts");
  const env = { PAL_HOME: join(place.directory, "store"), PAL_CACHE: join(place.directory, "cache") };
  await filled(env.PAL_HOME, size);
  const kinds = {
    "a prompt that is no question": ["UserPromptSubmit", { prompt: "Rename the button to Save" }, 250],
    "a question": ["UserPromptSubmit", { prompt: "Which port does the staging database listen on?" }, 400],
    "a start": ["SessionStart", {}, undefined],
  };
  const node = Array.from({ length: ROUNDS }, () => cpuOf(["-e", "0"], {}, "").cpu);
  for (const [name, [event, input, most]] of Object.entries(kinds)) {
    const runs = Array.from({ length: ROUNDS }, () =>
      cpuOf([MAIN, "hook", event, "--agent", "claude"], env, JSON.stringify(input)),
    );
    const above = median(runs.map(({ cpu }) => cpu)) - median(node);
    report(name, ms(above), ...(most === undefined ? [] : [`≤ ${most} ms`, above <= most]));
    const said = JSON.parse(runs[0].stdout).hookSpecificOutput?.additionalContext ?? "";
    if (said !== "") report(`  what it puts before the model`, `${tokensOf(said)} tokens`);
  }
  place.remove();
}

async function firstAnswer() {
  heading("The first answer of the server: CPU above Node");
  const place = temporary("hosts");
  const store = join(place.directory, "store");
  await filled(store, 100);
  const spent = { node: [], ours: [], theirs: [] };
  const used = (pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
    return ((Number(fields[11]) + Number(fields[12])) / TICKS) * 1000;
  };
  for (let round = 0; round < ROUNDS; round++) {
    spent.node.push(cpuOf(["-e", "0"], {}, "").cpu);
    for (const [who, script, env, args] of [
      ["ours", MAIN, { PAL_HOME: store }, ["mcp"]],
      ["theirs", OFFICIAL, { MEMORY_FILE_PATH: join(place.directory, "memory.jsonl") }, []],
    ]) {
      const server = await startServer(script, env, args);
      spent[who].push(used(server.pid));
      await server.close();
    }
  }
  const above = (who) => median(spent[who]) - median(spent.node);
  report("ours", ms(above("ours")), "≤ 200 ms", above("ours") <= 200);
  report("official server", ms(above("theirs")));
  place.remove();
}

/** 3.5 bytes a token, which is more than a tokenizer counts. */
async function tokens() {
  heading("Tokens of the list of tools");
  const place = temporary("hosts");
  for (const [who, script, env, args] of [
    ["ours", MAIN, { PAL_HOME: join(place.directory, "store") }, ["mcp"]],
    ["official server", OFFICIAL, { MEMORY_FILE_PATH: join(place.directory, "memory.jsonl") }, []],
  ]) {
    const server = await startServer(script, env, args);
    const { tools } = (await server.request("tools/list", {})).result;
    const seen = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    const [model, whole] = [seen, tools].map((one) => tokensOf(JSON.stringify(one)));
    const promise = who === "ours" ? ["≤ 1,000 before a model", model <= 1_000] : [];
    report(`${who}: before a model, whole`, `${model}, ${whole}`, ...promise);
    await server.close();
  }
  place.remove();
}

async function installed() {
  heading("The package");
  const place = temporary("hosts");
  const packed = JSON.parse(
    execFileSync(process.execPath, [join(ROOT, "scripts/pack.mjs"), place.directory, "--built"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }),
  );
  report("packed, unpacked, files", `${kb(packed.size)}, ${kb(packed.unpackedSize)}, ${packed.files}`);
  for (const [who, what] of [
    ["ours", packed.file],
    ["official server", "@modelcontextprotocol/server-memory@2026.8.31"],
  ]) {
    const folder = join(place.directory, who.slice(0, 4));
    mkdirSync(folder);
    const start = performance.now();
    const { status } = spawnSync(
      "npm",
      [
        "install",
        "--prefix",
        folder,
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--prefer-offline",
        what,
      ],
      { encoding: "utf8" },
    );
    const took = performance.now() - start;
    const size = execFileSync("du", ["-sk", folder], { encoding: "utf8" }).split("\t")[0];
    report(
      `${who}: installed, with what it needs`,
      status === 0 ? `${ms(took)}, ${kb(size * 1024)}` : "failed",
    );
  }
  place.remove();
}

const kb = (bytes) => `${Math.round(bytes / 1024).toLocaleString("en")} KB`;
