import { existsSync } from "node:fs";
import { join } from "node:path";
import type { HealthProblem, HealthReport, Store, StoreUsage } from "../../../session/index.js";
import { readPlainSync } from "../../../session/opening.js";
import type { Call, Command } from "../command.js";
import { configPath, isClosed, problemOf, readConfig } from "../config-file.js";
import { AGENT_NAMES, agentsWith } from "../connect/agents.js";
import { fixFor, typedPath } from "../fixes.js";
import { type Line, line, oneLine, type Paint } from "../line.js";
import { locationOf, withStore } from "../open.js";
import { progressBar } from "../progress.js";
import { ago, findingsOf, plural } from "../show.js";

/** A damaged file can have a problem per row; a person reads the first of them, --json has them all. */
const SHOWN = 20;

type Finding = HealthProblem & { readonly fix: string };

interface Examination extends Omit<HealthReport, "problems"> {
  readonly problems: readonly Finding[];
  readonly node: string;
  readonly index?: StoreUsage["index"];
  readonly embedding?: StoreUsage["embedding"];
  readonly agents: readonly AgentState[];
}

export const command: Command = {
  name: "doctor",
  summary: "how is everything? what stands in the way, and the command that mends it",
  noPast: [
    "doctor looks at the store as it is.",
    "Leave --at out; `pal status --at <point>` tells how it stood then.",
  ],
  examples: ["pal doctor"],
  async run(call) {
    const found = await examine(call);
    await call.out.answer(found, (paint) => lines(found, paint));
    if (!found.canRead || !found.canWrite) return 3;
    return found.ok && found.exists ? 0 : 1;
  },
};

async function examine(call: Call): Promise<Examination> {
  const { io } = call;
  const location = await locationOf(call);
  const path = configPath(io, location);
  // Who may not enter the directory is told so of the store in it.
  const isOpen = path !== join(location, "config.yaml") || !isClosed(location);
  const config = isOpen ? await readConfig(path) : { problems: [] };
  // A file of settings that cannot be used is a finding here, and must not keep the store from being looked at.
  const isCalm = isOpen && config.problems.length === 0;
  const calm: Call = isCalm ? call : { ...call, io: withoutConfig(call) };
  // A store that is not there is an answer too: could it be created?
  const [health, usage] = await withStore(calm, "creatable", async (store) => {
    // It looks at every page of the file, and nobody knows how long that takes.
    const bar = progressBar(io, call.out.quiet, "examining the store");
    bar.show(0);
    const report = await store.health({ budgetMs: Number.POSITIVE_INFINITY });
    const isReadable = report.exists && report.canRead;
    // Whole files can hold a history of which something is missing: only who reads all of it may say that all is well.
    const damage = isReadable ? await damageIn(store, (done, of) => bar.show(done, of && done / of)) : [];
    await bar.clear();
    const problems = [...report.problems, ...damage.filter((found) => !isAmong(report.problems, found))];
    return [{ ...report, problems }, isReadable ? await store.usage().catch(() => undefined) : undefined];
  });
  const { isDerived } = await import("../../../session/index.js");
  const own = [
    ...config.problems.map(({ key, problem, fix }) => ({
      ...finding("config-invalid", "error", key, problem, "Until it is mended, no command uses the store."),
      fix,
    })),
    ...surroundings(call).map((problem) => ({
      ...problem,
      fix: fixFor(problem.problem, location, problem.object),
    })),
  ];
  const problems = [
    ...health.problems.map((problem) => ({
      ...problem,
      fix: fixFor(problem.problem, location, problem.object, isDerived(problem)),
    })),
    ...own,
  ];
  return {
    ...health,
    ok: problems.length === 0,
    problems,
    node: process.version,
    ...(usage && { index: usage.index, ...(usage.embedding && { embedding: usage.embedding }) }),
    agents: agentStates(call),
  };
}

/** What `verify` finds; what it cannot even begin to read is a finding too. */
async function damageIn(
  store: Store,
  onProgress: (done: number, of: number | undefined) => void,
): Promise<HealthProblem[]> {
  try {
    const { problems } = await store.verify({ onProgress });
    return problems.flatMap(({ problem, severity, object, meaning = "" }) =>
      severity === "note" ? [] : [finding(problem, severity, object, meaning, VERIFY)],
    );
  } catch (error) {
    const { PalimpsestError } = await import("../../../session/index.js");
    if (!(error instanceof PalimpsestError)) throw error;
    return [
      finding(error.code, "error", error.message, "What was written cannot be read through.", error.hint),
    ];
  }
}

const isAmong = (problems: readonly HealthProblem[], { problem, object }: HealthProblem): boolean =>
  problems.some((other) => other.problem === problem && other.object === object);

const withoutConfig = ({ io }: Call): Call["io"] => ({ ...io, env: { ...io.env, PAL_CONFIG: "/dev/null" } });

const VERIFY = "`pal verify` shows all of it.";

const finding = (
  problem: string,
  severity: HealthProblem["severity"],
  object: string,
  meaning: string,
  next: string,
): HealthProblem => ({ problem, severity, object, meaning, next });

/** What lies outside the store. */
function surroundings({ io }: Call): HealthProblem[] {
  const embedder = io.env.PAL_EMBEDDER;
  return [
    ...(embedder && problemOf("embedder", embedder) !== undefined
      ? [
          finding(
            "embedder-unknown",
            "warning",
            `$PAL_EMBEDDER is ${embedder}`,
            "Search by meaning does not work.",
            "Choose minilm, openai, ollama or none.",
          ),
        ]
      : []),
  ];
}

function lines(found: Examination, paint: Paint): Line[] {
  const {
    exists,
    canRead,
    canWrite,
    location,
    engine,
    lastCommit,
    problems,
    node,
    index,
    embedding,
    waiting = 0,
  } = found;
  const mark = (isWell: boolean) => (isWell ? paint.green("✓") : paint.red("✗"));
  const more = problems.length - SHOWN;
  return [
    line`${mark(true)} ${location}${paint.dim(`  ${[engine, `Node ${node}`].filter(Boolean).join(", ")}`)}`,
    ...(exists
      ? [
          line`${mark(canRead)} ${canRead ? "can be read" : "cannot be read"}${lastCommit === undefined ? "" : paint.dim(`  last commit ${ago(lastCommit)}`)}`,
          canWrite && problems.some(({ problem }) => problem === "disk-full")
            ? line`${paint.yellow("!")} a very small write still goes through (tried)`
            : line`${mark(canWrite)} ${canWrite ? "can be written (tried)" : "cannot be written"}`,
        ]
      : [
          line`${paint.yellow("!")} there is no store yet; ${canWrite ? "the first write creates it" : "it cannot be created"}`,
        ]),
    ...(waiting > 0
      ? [line`${paint.yellow("!")} ${plural(waiting, "change waits", "changes wait")} for review: pal review`]
      : []),
    ...(index === undefined ? [] : [line`${mark(true)} ${INDEX[index]}`]),
    ...(embedding ? [line`${mark(true)} ${plural(embedding.embedded, "vector")} of ${embedding.model}`] : []),
    ...problems.slice(0, SHOWN).flatMap((problem) => problemLines(problem, paint)),
    ...(more > 0 ? [line`  and ${plural(more, "more", "more")}; --json has them all`] : []),
    ...(problems.length === 0 && exists ? [line`${paint.bold("All is well.")}`] : []),
    ...found.agents.map(({ agent, state, fix }) =>
      fix === undefined
        ? line`${mark(true)} ${agent} is connected`
        : line`${paint.dim("·")} ${agent} is ${state}  ${paint.cyan(`$ ${fix}`)}`,
    ),
    ...(problems.length > 0 ? [line`${paint.red(`Not well: ${findingsOf(problems)}.`)}`] : []),
  ];
}

const INDEX: Readonly<Record<StoreUsage["index"], string>> = {
  none: "index: no image yet, it is built in RAM",
  fresh: "index: its image is up to date",
  behind: "index: its image is behind the head, reads catch up",
};

function problemLines({ problem, severity, object, meaning, next, fix }: Finding, paint: Paint): Line[] {
  const mark = severity === "error" ? paint.red("✗") : paint.yellow("!");
  return [
    line`${mark} ${problem}  ${paint.dim(oneLine(object))}`,
    line`  ${meaning}`,
    line`  → ${next}`,
    line`  ${paint.cyan(`$ ${fix}`)}`,
  ];
}

/** An agent that is installed here, and whether it knows this memory. */
interface AgentState {
  readonly agent: string;
  readonly file: string;
  readonly state: "connected" | "not connected" | "unreadable";
  readonly fix?: string;
}

/** Which agents have a home here, and whether their configuration names us: found as `connect` finds it. */
function agentStates({ io }: Call): AgentState[] {
  const place = { env: io.env, cwd: io.cwd, project: false };
  const agents = agentsWith(() => "");
  return AGENT_NAMES.filter((name) => existsSync(agents[name].home(place))).map((name) => {
    const { server } = agents[name];
    const file = server.file(place);
    const state = stateOf(file, server.disconnect);
    const agent = name === "claude" ? "claude-code" : name;
    if (state === "connected") return { agent, file, state };
    const fix = state === "unreadable" ? `\${EDITOR:-vi} ${typedPath(file)}` : `pal connect ${name}`;
    return { agent, file, state, fix };
  });
}

const LARGEST = 64 << 20;

function stateOf(file: string, without: (text: string) => string): AgentState["state"] {
  try {
    const text = readPlainSync(file, LARGEST).toString();
    return without(text) === text ? "not connected" : "connected";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "not connected" : "unreadable";
  }
}
