import { Argument, CommanderError, Option, Command as Program } from "commander";
import { allCommands, CATALOG } from "./catalog.js";
import type { Command } from "./command.js";
import { usage } from "./fail.js";
import { GLOBALS } from "./globals.js";
import { headingOf, inOrder } from "./groups.js";
import type { OptionSpec } from "./options.js";
import type { Outline } from "./outlines.js";
import { version } from "./package-file.js";
import { wrapped } from "./width.js";

/** What a command line asks for: a text (help, version), or a command with its arguments and all its options. */
export type Parsed =
  | { readonly help: string }
  | { readonly version: string }
  | {
      readonly command: Command;
      readonly args: readonly (string | undefined)[];
      readonly options: Readonly<Record<string, unknown>>;
    };

export { allCommands, CATALOG };

export async function parse(argv: readonly string[], helpWidth: number): Promise<Parsed> {
  let printed = "";
  const print = (text: string) => {
    printed += text;
  };
  let command: Command | undefined;
  try {
    const named = nameOf(argv);
    const isAlone = named === undefined && !asksForText(argv);
    // `help <command>` is about that one command.
    const asked = named === "help" ? nameOf(argv.slice(argv.indexOf("help") + 1)) : undefined;
    const name = isAlone ? ALONE : (asked ?? named);
    const load = name !== undefined && Object.hasOwn(CATALOG, name) ? CATALOG[name] : undefined;
    command = (await load?.())?.command;
    const { program, found } = command
      ? programOf([command], helpWidth, print)
      : name === undefined || name === "help"
        ? await fullProgram(helpWidth, print)
        : namesOnly(helpWidth, print);
    // Help about a command that is not there says so, as the command itself would.
    const words = asked !== undefined && !command && asked !== "help" ? [asked] : argv;
    program.parse(isAlone ? [...words, ALONE] : [...words], { from: "user" });
    return found() as Parsed;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === "commander.version") return { version };
    if (error.exitCode === 0 || error.code === "commander.help") return { help: printed };
    throw asUsage(error, argv, command);
  }
}

/** What `pal` without a command runs. */
const ALONE = "status";

const asksForText = (argv: readonly string[]): boolean =>
  argv.some((word) => word === "-h" || word === "--help" || word === "--version");

/** The command named on the line; global options may stand before it. Making the whole program to ask it is slow. */
function nameOf(argv: readonly string[]): string | undefined {
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] as string;
    if (word === "--") return argv[at + 1];
    if (!word.startsWith("-")) return word;
    if (!WITH_VALUE.has(word)) continue;
    at += 1;
    if (at === argv.length) throw usage(`The value of ${word} is missing.`, "See `pal --help`.");
  }
  return undefined;
}
const WITH_VALUE = new Set(
  GLOBALS.filter(({ flags }) => flags.includes("<")).flatMap(({ flags }) => flags.split(/, | /).slice(0, -1)),
);

const fullProgram = async (helpWidth: number, print: (text: string) => void) =>
  programOf((await import("./outline-table.js")).OUTLINES, helpWidth, print);

/** Enough to find the command, or to say which one may have been meant. */
function namesOnly(helpWidth: number, print: (text: string) => void) {
  const program = bareProgram(helpWidth, print);
  for (const name of Object.keys(CATALOG)) program.command(name);
  return { program, found: (): Parsed | undefined => undefined };
}

function programOf(
  commands: readonly (Command | Outline)[],
  helpWidth: number,
  print: (text: string) => void,
) {
  const program = bareProgram(helpWidth, print);
  let parsed: Parsed | undefined;
  for (const command of inOrder(commands)) {
    const sub = program
      .command(command.name, { hidden: command.hidden === true })
      .description(command.summary)
      .helpGroup(`${headingOf(command.name)}:`);
    for (const { name, description } of command.args ?? []) sub.addArgument(new Argument(name, description));
    if (!("run" in command)) continue;
    for (const spec of command.options ?? []) sub.addOption(optionOf(spec));
    for (const spec of GLOBALS) sub.addOption(optionOf(spec).helpGroup("Global options:"));
    if (command.examples)
      sub.addHelpText("after", `\nExamples:\n${command.examples.map((text) => `  $ ${text}`).join("\n")}`);
    sub.action(() => {
      parsed = { command, args: sub.processedArgs, options: { ...program.opts(), ...said(sub) } };
    });
  }
  return { program, found: () => parsed };
}

function bareProgram(helpWidth: number, print: (text: string) => void): Program {
  const program = new Program("pal")
    .description("Long-term memory for AI agents that works like git: versioned, provable, guarded, honest.")
    .usage("[global options] <command> [arguments]")
    .version(version, "--version", "show the version")
    // Options before the command are the program's, those after it the command's, which knows the global ones too:
    // so `--message -v` is a message.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: print,
      writeErr: print,
      outputError: () => {},
      getOutHelpWidth: () => helpWidth,
      getErrHelpWidth: () => helpWidth,
    })
    .configureHelp({
      showGlobalOptions: false,
      // Every command has options; saying so each time is noise.
      subcommandTerm: (sub) => `${sub.name()} ${sub.usage().replace(/\[options\] ?/, "")}`.trimEnd(),
    });
  program.addHelpCommand(
    program
      .createCommand("help")
      .argument("[command]")
      .description("say more about a command")
      .helpGroup(`${headingOf("help")}:`),
  );
  for (const spec of GLOBALS) program.addOption(optionOf(spec).hideHelp());
  return program.addHelpText("after", () => after(helpWidth));
}

/** People look for a command first, so what goes with all of them comes last. */
const after = (columns: number): string => `
Global options, before or after the command:
${GLOBALS.map(({ flags, description }) => `  ${flags.padEnd(FLAGS)}${hanging(description, columns)}`).join("\n")}

\`pal help <command>\` says more. \`pal tour\` shows it all in ten seconds.`;

const FLAGS = 22;
const hanging = (text: string, columns: number): string =>
  wrapped(text, Math.max(columns - FLAGS - 2, 16)).replaceAll("\n", `\n${" ".repeat(FLAGS + 2)}`);

function optionOf({ flags, description, choices, repeat }: OptionSpec): Option {
  const option = new Option(flags, description);
  if (choices) option.choices(choices);
  if (repeat) option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
  return option;
}

/** Defaults of the options after the command must not hide what was said before it. */
const said = (sub: Program): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(sub.opts()).filter(([name]) => sub.getOptionValueSource(name) !== "default"),
  );

/** Names that are kept for later, and what there is today. */
const RESERVED: Readonly<Record<string, string>> = {
  serve: "Programs reach the memory through `pal mcp --http <port>`.",
  sync: "Move a memory with `pal backup` and `pal restore`; files of a palace with `pal palace sync`.",
};

/** What people who know git or another memory type first, and what it is called here. */
const ELSEWHERE_CALLED: Readonly<Record<string, string>> = {
  ...{ add: "remember", new: "remember", save: "remember", store: "remember", learn: "remember" },
  ...{ rm: "forget", remove: "forget", delete: "forget", purge: "erase", mv: "move" },
  ...{ edit: "update", set: "update" },
  ...{ ls: "list", show: "get", cat: "get", find: "search", grep: "search", query: "search", ask: "recall" },
  ...{ branch: "branches or create-branch", switch: "checkout", reset: "rollback", stash: "snapshot" },
  ...{ clone: "backup and restore", push: "backup", pull: "restore or import", fetch: "import" },
  ...{ init: "remember (the first memory makes the store)", fsck: "verify", setup: "connect" },
};

const usageOf = ({ name, args = [] }: Command): string =>
  ["pal", name, ...args.map((arg) => arg.name)].join(" ");

function asUsage({ message, code }: CommanderError, argv: readonly string[], command?: Command) {
  const [first = "", ...rest] = message.replace(/^error: /, "").split("\n");
  const text = `${first.charAt(0).toUpperCase()}${first.slice(1)}${/[.?!]$/.test(first) ? "" : "."}`;
  const meant = /\(Did you mean (.+)\?\)/.exec(rest.join(" "))?.[1];
  const name = Object.keys(CATALOG).find((known) => argv.includes(known));
  const help = name === undefined ? "`pal --help`" : `\`pal help ${name}\``;
  const reserved = /^Unknown command '(.*)'/.exec(text)?.[1];
  if (reserved !== undefined && Object.hasOwn(RESERVED, reserved))
    return usage(`There is no \`pal ${reserved}\` yet.`, RESERVED[reserved] as string);
  if (reserved !== undefined && Object.hasOwn(ELSEWHERE_CALLED, reserved))
    return usage(text, `Did you mean ${ELSEWHERE_CALLED[reserved]}? See ${help}.`);
  if (meant !== undefined) return usage(text, `Did you mean ${meant}? See ${help}.`);
  if (code === "commander.excessArguments") return usage(text, `Put a text in quotes. See ${help}.`);
  if (
    code === "commander.unknownOption" &&
    /\s/.test(first.slice(first.indexOf("'"), first.lastIndexOf("'")))
  )
    return usage(text, "Put `--` before a text that begins with a dash.");
  if (code === "commander.missingArgument" && command)
    return usage(text, `Say \`${usageOf(command)}\`. See ${help}.`);
  return usage(text, `See ${help}.`);
}
