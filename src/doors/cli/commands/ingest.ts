import { statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { IngestReport } from "../../../session/index.js";
import { VERBS } from "../../../session/opening.js";
import type { Call, Command } from "../command.js";
import { flagOf, flagsOf, valuesOf } from "../flags.js";
import { clean, type Line, line, oneLine, type Paint } from "../line.js";
import { wholeId } from "../named.js";
import { withSession } from "../open.js";
import { withProgress } from "../progress.js";
import { type Repository, repositoryAround } from "../project.js";
import { plural, shortHash } from "../show.js";

const { options: OPTIONS } = VERBS.ingest;

export const command: Command = {
  name: "ingest",
  summary: "read Org and Markdown files, or a folder of them, as trees of memories",
  args: [{ name: "<path...>", description: "files that end in .org or .md, or folders" }],
  options: [
    ...flagsOf(OPTIONS, "scope", "parent"),
    { ...flagOf(OPTIONS, "format"), choices: ["org", "markdown"] },
    ...flagsOf(OPTIONS, "writeIds", "trusted", "dryRun"),
  ],
  examples: ["pal ingest ~/notes", "pal ingest todo.org --write-ids"],
  async run(call) {
    const { args, options, globals, io, out } = call;
    const kept = (done: number) => `${plural(done, "file")} read and stored`;
    const report = await withSession(call, "creatable", async (session) => {
      const parent = options.text("parent");
      const place = valuesOf(options, OPTIONS, "scope");
      const paths = args.flat().flatMap((path) => (path === undefined ? [] : [resolve(io.cwd, path)]));
      const under =
        parent === undefined ? {} : { parent: await wholeId(session, parent, { scope: "shared", ...place }) };
      return withProgress(call, "reading", kept, ({ show, signal }) =>
        session.ingest(paths, {
          ...place,
          ...under,
          ...valuesOf(options, OPTIONS, "format", "writeIds", "dryRun"),
          trusted: options.flag("trusted") || globals.operator,
          name: namer(call),
          onProgress: (done, total) => show(done, done / total),
          signal,
        }),
      );
    });
    await out.answer(report, (paint) => reportLines(report, paint));
    await out.complain(
      report.failed.map(({ path, reason }) => line`${out.talkPaint.red("✗")} ${path}: ${oneLine(reason)}`),
    );
    return report.failed.length > 0 ? 1 : 0;
  },
};

/** Inside a repository a document is called by the project and its path there, the same in every clone. */
function namer({ io }: Call): (path: string) => string {
  const repositories = new Map<string, Repository | undefined>();
  const around = (folder: string): Repository | undefined => {
    if (!repositories.has(folder)) repositories.set(folder, repositoryAround(folder));
    return repositories.get(folder);
  };
  return (path) => {
    const found = around(isFolder(path) ? path : dirname(path));
    const inside = found && below(found.root, path);
    const atHome = io.env.HOME ? below(io.env.HOME, path) : undefined;
    const name =
      found && inside !== undefined
        ? join(found.name, inside)
        : atHome !== undefined
          ? join("~", atHome)
          : path;
    return name.replaceAll(sep, "/");
  };
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** A path relative to a folder that holds it. */
function below(folder: string, path: string): string | undefined {
  const found = relative(folder, path);
  return found.startsWith("..") || found === path ? undefined : found;
}

function* reportLines(
  { files, added, modified, moved, unchanged, removed }: IngestReport,
  paint: Paint,
): Generator<Line> {
  for (const { path, commit, ...file } of files)
    if (file.added + file.modified + file.moved + file.removed > 0)
      yield line`${paint.dim(shortHash(commit))}  ${path}`;
  const counts = { added, modified, moved, unchanged, removed };
  const said = Object.entries(counts).map(([name, count]) => `${count.toLocaleString("en-US")} ${name}`);
  yield line`${paint.green("✓")} ${clean(said.join(", "))}`;
}
