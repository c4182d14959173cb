import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { Call, Command } from "../command.js";
import {
  AGENT_NAMES,
  type Agent,
  type AgentName,
  agentsWith,
  type Edit,
  type Start,
} from "../connect/agents.js";
import { apply, planConnect, planUndo, together } from "../connect/change-config.js";
import { CliError, usage } from "../fail.js";
import { type Line, line, type Paint } from "../line.js";
import { locationOf } from "../open.js";
import { packageFile } from "../package-file.js";

interface FileAnswer {
  readonly file: string;
  readonly changed: boolean;
  readonly text?: string | null;
  readonly backup?: string;
}

interface AgentAnswer extends FileAnswer {
  readonly agent: AgentName;
  readonly connected: boolean;
  /** Of the file with the hooks, where it is another one. */
  readonly hooks?: FileAnswer;
}

export const command: Command = {
  name: "connect",
  summary: "give agents this memory: adds `pal mcp`, and hooks if asked, to their configurations",
  args: [{ name: "<agent...>", description: AGENT_NAMES.join(", ") }],
  options: [
    { flags: "--hooks", description: "also recall at prompts and keep conversations by themselves" },
    { flags: "--project", description: "in this directory's configuration instead of yours" },
    { flags: "--tools <choice>", description: "default (9 tools) or full", choices: ["default", "full"] },
    { flags: "--undo", description: "take it out again, hooks too" },
    { flags: "--dry-run", description: "show the files as they would be and write nothing" },
  ],
  examples: ["pal connect claude --hooks", "pal connect codex gemini --dry-run", "pal connect cursor --undo"],
  async run(call) {
    const { options, out } = call;
    const names = call.args.flat().flatMap((said) => (said === undefined ? [] : [nameOf(said)]));
    const agents = agentsWith(() => packageFile("plugin/opencode/palimpsest.js") ?? "");
    const answers: (AgentAnswer | CliError)[] = [];
    // One that cannot be changed keeps none of the others from it.
    for (const name of new Set(names))
      answers.push(
        await changed(call, name, agents[name]).catch((error: unknown) => {
          if (names.length > 1 && error instanceof CliError) return error;
          throw error;
        }),
      );
    const failed = answers.filter((one): one is CliError => one instanceof CliError);
    const done = answers.filter((one): one is AgentAnswer => !(one instanceof CliError));
    const [isDry, isUndo] = [options.flag("dryRun"), options.flag("undo")];
    const [only] = done;
    await out.answer(
      names.length === 1 && only
        ? only
        : { agents: done, failed: failed.map(({ message, code }) => ({ code, message })) },
      (paint) => [
        ...done.flatMap((one) => linesOf(one, agents[one.agent], isDry, isUndo, paint)),
        ...failed.map(({ message }) => line`${paint.red("✗")} ${message}`),
      ],
    );
    return failed.length > 0 ? 1 : 0;
  },
};

function nameOf(said: string): AgentName {
  const name = said === "claude-code" ? "claude" : said;
  const known = AGENT_NAMES.find((one) => one === name);
  if (known === undefined)
    throw usage(`Nobody here knows the agent ${JSON.stringify(said)}.`, `One of ${AGENT_NAMES.join(", ")}.`);
  return known;
}

/** Both files of an agent are one where it has one; undo looks at both, whatever was asked for. */
async function changed(call: Call, name: AgentName, { server, hooks }: Agent): Promise<AgentAnswer> {
  const { options, io } = call;
  const [isUndo, isDry, project] = [options.flag("undo"), options.flag("dryRun"), options.flag("project")];
  const place = { env: io.env, cwd: io.cwd, project };
  const start = await startOf(call, name);
  const isBoth = isUndo || options.flag("hooks");
  const [file, hooksFile] = [server.file(place), hooks.file(place)];
  const isOne = file === hooksFile;
  const change = async (edit: Edit, path: string): Promise<FileAnswer> => {
    const planned = await (isUndo ? planUndo : planConnect)(edit, path, start, project && io.cwd);
    if (isDry) return { file: planned.file, changed: false, text: planned.after ?? null };
    const backup = await apply(planned);
    return {
      file: planned.file,
      changed: planned.before !== planned.after,
      ...(backup !== undefined && { backup }),
    };
  };
  const first = await change(isBoth && isOne ? together([server, hooks]) : server, file);
  const second = isBoth && !isOne ? await change(hooks, hooksFile) : undefined;
  return { agent: name, connected: !isUndo, ...first, ...(second && { hooks: second }) };
}

function linesOf(
  { hooks, ...first }: AgentAnswer,
  { title, after, afterHooks }: Agent,
  isDry: boolean,
  isUndo: boolean,
  paint: Paint,
): Line[] {
  const files: FileAnswer[] = hooks ? [first, hooks] : [first];
  if (isDry)
    return files.flatMap(({ file, text }) => [
      line`${file} would be:`,
      ...(text ?? "(removed)").split("\n").map((row) => line`${row}`),
    ]);
  const isChanged = files.some(({ changed: one }) => one);
  const done = isUndo ? "is no longer connected" : isChanged ? "is connected" : "was connected already";
  return [
    line`${paint.green("✓")} ${title} ${done} (${files.map(({ file }) => file).join(", ")})`,
    ...files.flatMap(({ backup }) => (backup === undefined ? [] : [line`  as it was: ${backup}`])),
    ...(isChanged && !isUndo ? [line`  ${after}`, ...(hooks ? [line`  ${afterHooks}`] : [])] : []),
  ];
}

/**
 * This very program by its absolute path, with the store and sight that were named: agents start servers without the
 * environment of a shell, and server and hooks must not open two stores.
 */
async function startOf({ globals, io, options }: Call, name: AgentName): Promise<Start> {
  const isStoreNamed = globals.store !== undefined || (io.env.PAL_HOME ?? "") !== "";
  return {
    command: process.execPath,
    program: [programFile()],
    options: [
      ...["--agent", globals.agent ?? name],
      ...(isStoreNamed ? ["--store", await locationOf({ globals, io })] : []),
      ...(globals.scopes === undefined ? [] : ["--scopes", globals.scopes.join(",")]),
      ...(globals.clearance === undefined ? [] : ["--clearance", globals.clearance]),
      ...(globals.branch === undefined ? [] : ["--branch", globals.branch]),
    ],
    serverOptions: options.text("tools") === "full" ? ["--tools", "full"] : [],
    platform: process.platform,
  };
}

function programFile(): string {
  const path = resolve(process.argv[1] ?? "");
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
