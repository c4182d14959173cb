import { RootCommand } from "@bomb.sh/tab";
import type { Command } from "./command.js";
import { GLOBALS } from "./globals.js";
import type { OptionSpec } from "./options.js";

/** The script that a shell loads; it calls `pal complete`. */
export const completionScript = (shell: string): string =>
  printedBy(() => new RootCommand().setup("pal", "pal", shell)).join("\n");

/** Commands whose first argument is a branch, and options that take one. */
const OF_BRANCHES = new Set(["checkout", "merge", "delete-branch", "rename-branch"]);
const BRANCH_OPTIONS = new Set(["--branch", "--into", "--from"]);

export function takesBranch(words: readonly string[]): boolean {
  const before = words.slice(0, -1);
  return OF_BRANCHES.has(before.at(-1) ?? "") || BRANCH_OPTIONS.has(before.at(-1) ?? "");
}

/** What could come next, a line each with a description, and last how the shell is to treat it. */
export function completionsOf(
  commands: readonly Command[],
  words: readonly string[],
  branches: readonly string[],
): string[] {
  const root = new RootCommand();
  for (const spec of GLOBALS) addOption(root, spec, branches);
  for (const { name, summary, options, args, hidden } of commands) {
    if (hidden) continue;
    const command = root.command(name, summary);
    for (const spec of [...(options ?? []), ...GLOBALS]) addOption(command, spec, branches);
    for (const arg of args ?? [])
      command.argument(arg.name, (complete) => {
        for (const choice of choicesOf(name, arg.description, branches)) complete(choice, "");
      });
  }
  const lines = printedBy(() => root.parse([...words]));
  // Where nothing of ours fits, the shell offers files.
  const isOpen = lines.length === 1 && !(words.at(-1) ?? "").startsWith("-");
  return isOpen ? [":0"] : lines;
}

function choicesOf(name: string, description: string, branches: readonly string[]): readonly string[] {
  if (OF_BRANCHES.has(name)) return branches;
  // "bash, zsh or fish": an argument that takes a few words says so.
  return name === "completion" ? description.split(/, | or /) : [];
}

type Taker = Pick<RootCommand, "option">;

function addOption(
  to: Taker,
  { flags, description, choices }: OptionSpec,
  branches: readonly string[],
): void {
  const [, short, long = ""] = /^(?:-(\w), )?--([\w-]+)/.exec(flags) ?? [];
  const takes = /[<[]/.test(flags);
  const values = choices ?? (BRANCH_OPTIONS.has(`--${long}`) ? branches : []);
  if (!takes) to.option(long, description, short ?? "");
  else
    to.option(
      long,
      description,
      (complete) => {
        for (const value of values) complete(value, "");
      },
      short,
    );
}

/** The library prints; here it is made to answer. */
function printedBy(run: () => void): string[] {
  const lines: string[] = [];
  // What it prints is taken, and nothing is printed.
  // biome-ignore lint/suspicious/noConsole: kept to be put back
  const before = console.log;
  console.log = (text: unknown) => void lines.push(String(text));
  try {
    run();
  } finally {
    console.log = before;
  }
  return lines;
}
