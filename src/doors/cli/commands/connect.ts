import { existsSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import type { Call, Command } from "../command.js";
import { AGENTS, type AgentName, type Start } from "../connect/agents.js";
import { apply, planConnect, planUndo } from "../connect/change-config.js";
import { usage } from "../fail.js";
import { line } from "../line.js";
import { locationOf } from "../open.js";

export const command: Command = {
  name: "connect",
  summary: "give an agent this memory: adds `pal mcp` to its configuration",
  args: [{ name: "<agent>", description: Object.keys(AGENTS).join(", ") }],
  options: [
    { flags: "--project", description: "in this directory's configuration instead of yours" },
    { flags: "--tools <choice>", description: "default (9 tools) or full", choices: ["default", "full"] },
    { flags: "--undo", description: "take it out again" },
    { flags: "--dry-run", description: "show the file as it would be and write nothing" },
  ],
  examples: ["pal connect claude", "pal connect codex --dry-run", "pal connect cursor --undo"],
  async run(call) {
    const { args, options, io, out } = call;
    const said = args[0] as string;
    const name = (said === "claude-code" ? "claude" : said) as AgentName;
    if (!Object.hasOwn(AGENTS, name))
      throw usage(
        `Nobody here knows the agent ${JSON.stringify(said)}.`,
        `One of ${Object.keys(AGENTS).join(", ")}.`,
      );
    const agent = AGENTS[name];
    const isOfProject = options.flag("project");
    const file = agent.file({ env: io.env, cwd: io.cwd, project: isOfProject });
    const isUndo = options.flag("undo");
    const start = await startOf(call, name);
    const change = await (isUndo ? planUndo : planConnect)(agent, file, start, isOfProject && io.cwd);
    const isChanged = change.before !== change.after;
    const isDry = options.flag("dryRun");
    const backup = isDry ? undefined : await apply(change);
    const answer = {
      ...{ agent: name, file: change.file, connected: !isUndo, changed: isChanged && !isDry },
      ...(isDry && { text: change.after ?? null }),
      ...(backup !== undefined && { backup }),
    };
    await out.answer(answer, (paint) => {
      if (isDry)
        return [line`${change.file} would ${isChanged ? "be" : "stay"}:`, change.after ?? "(removed)"];
      const done = isUndo ? "is no longer connected" : isChanged ? "is connected" : "was connected already";
      return [
        line`${paint.green("✓")} ${agent.title} ${done} (${change.file})`,
        ...(backup === undefined ? [] : [line`  as it was: ${backup}`]),
        ...(isChanged && !isUndo ? [line`  ${agent.after}`] : []),
      ];
    });
    return 0;
  },
};

/** `pal` by name where it is found, else this very program; with the store and sight that were named on the line. */
async function startOf({ globals, io, options }: Call, name: AgentName): Promise<Start> {
  const folders = (io.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const isFound = folders.some((folder) =>
    existsSync(join(folder, process.platform === "win32" ? "pal.cmd" : "pal")),
  );
  const args = [
    ...["mcp", "--agent", globals.agent ?? name],
    ...(globals.store === undefined ? [] : ["--store", await locationOf({ globals, io })]),
    ...(globals.scopes === undefined ? [] : ["--scopes", globals.scopes.join(",")]),
    ...(globals.clearance === undefined ? [] : ["--clearance", globals.clearance]),
    ...(globals.branch === undefined ? [] : ["--branch", globals.branch]),
    ...(options.text("tools") === "full" ? ["--tools", "full"] : []),
  ];
  return isFound
    ? { command: "pal", args }
    : { command: process.execPath, args: [resolve(process.argv[1] ?? ""), ...args] };
}
