import type { Command } from "./command.js";
import { failureLines, failureOf, usage } from "./fail.js";
import { globalsOf } from "./globals.js";
import type { Io } from "./io.js";
import { line } from "./line.js";
import { Options } from "./options.js";
import { Out } from "./out.js";

/** Runs one command line and returns its exit code: 0 done, 1 a negative answer, 2 wrong usage, 3 no usable store. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const before = argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;
  // Until the line is understood, its errors must still come in the form that was asked for.
  let out = new Out(io, {
    json: before.includes("--json"),
    quiet: false,
    color: !before.includes("--no-color"),
  });
  let verbose = before.includes("-v") || before.includes("--verbose");
  try {
    if (argv.length === 1 && argv[0] === "--version") return await printVersion(out);
    const { parse, allCommands } = await import("./program.js");
    const parsed = await parse(argv, io.stdout.columns ?? 100);
    if ("version" in parsed) return await printVersion(out);
    if ("help" in parsed) {
      await out.answer({ help: parsed.help }, () => [parsed.help.trimEnd()]);
      return 0;
    }
    const { command, args } = parsed;
    let options = new Options(parsed.options);
    verbose = options.flag("verbose");
    out = new Out(io, {
      json: options.flag("json"),
      quiet: options.flag("quiet"),
      color: parsed.options.color !== false,
    });
    let globals = globalsOf(options);
    if (globals.at !== undefined && !command.at) throw noPast(command);
    if (globals.scopes || options.has("scope")) {
      const { namedScopes } = await import("./named-scopes.js");
      const named = namedScopes(command, parsed.options, globals, io);
      globals = named.globals;
      options = new Options(named.values);
      if (named.category !== undefined)
        await out.talk(
          line`${out.talkPaint.dim("·")} ${named.category} is no scope in sight: taken as the category`,
        );
    }
    const call = { args, options, globals, io, out, run };
    return await command.run({ ...call, definitions: allCommands });
  } catch (error) {
    const failure = await failureOf(error);
    if (isForHost(argv)) {
      await out.complain(failureLines(failure, error, out.talkPaint, verbose));
      await out.value({});
      return 0;
    }
    if (out.json) await out.value({ error: failure.error });
    else await out.complain(failureLines(failure, error, out.talkPaint, verbose));
    return failure.exit;
  }
}

/** A host takes a hook that fails for a refusal of what its user asked for: a slip in its settings must not be one. */
export const isForHost = ([command]: readonly string[]): boolean => command === "hook";

async function printVersion(out: Out): Promise<number> {
  const { version } = await import("./package-file.js");
  await out.answer({ version }, () => [version]);
  return 0;
}

const noPast = ({ name, noPast: told }: Command) =>
  usage(...(told ?? [`--at is for reading; \`pal ${name}\` works on the present.`, "Leave --at out."]));
