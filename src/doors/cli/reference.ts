import type { Command } from "./command.js";
import { SETTINGS } from "./config-file.js";
import { GLOBALS } from "./globals.js";
import { HEADINGS, headingOf, inOrder } from "./groups.js";
import type { OptionSpec } from "./options.js";

/** The reference of the command line in Markdown, made of the definitions that the command line itself runs on. */
export function referencePage(commands: readonly Command[]): string {
  const shown = inOrder(commands.filter(({ hidden }) => !hidden));
  const sections = HEADINGS.flatMap((heading) => {
    const own = shown.filter(({ name }) => headingOf(name) === heading);
    return own.length === 0 ? [] : [`## ${heading}`, ...own.map(commandSection)];
  });
  return `${[introduction(), ...sections, settingsSection()].join("\n\n")}\n`;
}

const introduction = (): string => `# pal: the commands

Made by \`npm run docs\` from the definitions that \`pal\` runs on; edit those, not this page.

\`pal [global options] <command> [arguments]\`. stdout is data, stderr is progress and talk; with \`--json\` stdout is exactly
one JSON value. Exit codes: 0 done, 1 a negative answer, 2 wrong usage, 3 the store cannot be used, 130 interrupted.

## Global options

${optionTable(GLOBALS)}`;

function commandSection({ name, summary, args = [], options = [], examples = [], at }: Command): string {
  const usage = ["pal", name, ...args.map((arg) => arg.name)].join(" ");
  const rows = args.map((arg) => `| \`${code(arg.name)}\` | ${cell(arg.description)} |`);
  return [
    `### ${name}`,
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.${at ? " Takes `--at`." : ""}`,
    `\`\`\`\n${usage}\n\`\`\``,
    ...(rows.length > 0 ? [["| argument | |", "| --- | --- |", ...rows].join("\n")] : []),
    ...(options.length > 0 ? [optionTable(options)] : []),
    ...(examples.length > 0 ? [`\`\`\`sh\n${examples.join("\n")}\n\`\`\``] : []),
  ].join("\n\n");
}

function optionTable(options: readonly OptionSpec[]): string {
  const rows = options.map(({ flags, description, choices }) => {
    const among = choices ? ` (${choices.join(", ")})` : "";
    return `| \`${code(flags)}\` | ${cell(description)}${description.includes(choices?.[0] ?? " ") ? "" : cell(among)} |`;
  });
  return ["| option | |", "| --- | --- |", ...rows].join("\n");
}

function settingsSection(): string {
  const rows = Object.entries(SETTINGS).map(
    ([key, { kind, initial, description }]) =>
      `| \`${key}\` | ${kind} | ${initial === undefined ? "" : `\`${String(initial)}\``} | ${cell(description)} |`,
  );
  return [
    "## Settings",
    "In `config.yaml` beside the store, or in the file that `$PAL_CONFIG` names; see [config](#config).",
    ["| key | takes | default | |", "| --- | --- | --- | --- |", ...rows].join("\n"),
  ].join("\n\n");
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "\\<");
const code = (text: string): string => text.replaceAll("|", "\\|");
