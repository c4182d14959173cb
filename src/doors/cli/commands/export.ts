import { join, resolve } from "node:path";
import type { Export, ExportFormat, Session, Store } from "../../../session/index.js";
import { VERBS } from "../../../session/opening.js";
import type { Call, Command } from "../command.js";
import { usage } from "../fail.js";
import { flagOf, flagsOf, valuesOf } from "../flags.js";
import { type Line, line, type Paint } from "../line.js";
import { withSession, withStore } from "../open.js";
import { type Progress, withProgress } from "../progress.js";
import { visible } from "../safe.js";
import { plural } from "../show.js";

const FORMATS: Readonly<Record<ExportFormat, string>> = {
  json: "memories.json",
  jsonl: "memories.jsonl",
  markdown: "memories.md",
  org: "memories.org",
  "mcp-memory": "memory.jsonl",
};

const { options: OPTIONS } = VERBS.export;

export const command: Command = {
  name: "export",
  summary: "write memories to a file, or a document as the file it came from",
  args: [{ name: "[id]", description: "a document, or part of one; all memories if left out" }],
  options: [
    { ...flagOf(OPTIONS, "format"), choices: [...Object.keys(FORMATS), "gcc", "image"] },
    {
      flags: "-o, --output <file>",
      description: "default memories.json; - is stdout; for an image $MEMORY_SNAPSHOT_PATH",
    },
    { ...flagOf(OPTIONS, "by"), choices: ["subject", "room"] },
    ...flagsOf(OPTIONS, "scope", "history"),
  ],
  at: true,
  examples: [
    "pal export",
    "pal export --format markdown --history -o memories.md",
    "pal export --format markdown --by room -o rooms.md",
    "pal export notes/todo.org -o todo.org",
    "pal export --format mcp-memory -o memory.jsonl",
  ],
  async run(call) {
    const { args, options } = call;
    const [id] = args;
    if (call.globals.at !== undefined && /^(?:gcc|image)$/.test(options.text("format") ?? ""))
      throw usage("A folder or an image is of the present.", "Leave --at out, or choose another format.");
    if (options.text("output") === "-" && /^(?:gcc|image)$/.test(options.text("format") ?? ""))
      throw usage("A folder or an image is not written to stdout.", "Name where it goes with -o.");
    if (options.text("format") === "image") return saveImage(call);
    if (options.text("format") === "gcc") return saveFolder(call);
    const format = options.text("format") as ExportFormat | undefined;
    if (id !== undefined && (format === "json" || format === "jsonl" || format === "mcp-memory"))
      throw usage(
        "A document is exported as org or markdown.",
        "Leave --format out to get the file it came from.",
      );
    if (options.has("by") && (format !== "markdown" || id !== undefined))
      throw usage("--by is for Markdown of all memories.", "Add --format markdown, or leave --by out.");
    const kept = () => "nothing was written";
    const file = options.text("output") ?? (id === undefined ? FORMATS[format ?? "json"] : "-");
    const { count, leftOut } = await withSession(call, "existing", (session, store) =>
      withProgress(call, "exporting", kept, async ({ step, signal }) => {
        // A bar between the lines of what is printed would be part of it for whoever looks.
        const show = file === "-" && call.io.stdout.isTTY ? () => signal.throwIfAborted() : step;
        const count = await write(call, file, await partsOf(call, session, id, format, show), store);
        return { count, leftOut: store.damaged.length };
      }),
    );
    if (file !== "-")
      await call.out.answer({ file, count, leftOut }, (paint) => [
        line`${markOf(leftOut, paint)} Exported ${plural(count, "memory", "memories")} to ${file}`,
      ]);
    if (format === "mcp-memory" && !call.out.json)
      await call.out.talk(
        call.out.talkPaint.dim(
          "  the knowledge graph alone: entities, observations, relations; jsonl has the rest",
        ),
      );
    return leftOut > 0 ? 1 : 0;
  },
};

/** That something was left out is said where the store is closed. */
const markOf = (leftOut: number, paint: Paint): Line => (leftOut > 0 ? paint.yellow("!") : paint.green("✓"));

/** Everything, whoever asks: whoever can run this can read the store. */
async function saveImage(call: Call): Promise<number> {
  const { io, out, options, args } = call;
  if (args[0] !== undefined) throw usage("An image is of the whole store.", "Leave the id out.");
  const { imagePath } = await import("../../../session/index.js");
  const file = resolve(io.cwd, options.text("output") ?? imagePath(io.env));
  const saved = await withStore(call, "existing", (store) =>
    withProgress(
      call,
      "exporting",
      () => "nothing was written",
      ({ step }) => store.save(file, { onProgress: (done, total) => step(done, done / total) }),
    ),
  );
  await out.answer({ ...saved, count: saved.live }, (paint) => [
    line`${paint.green("✓")} Exported ${plural(saved.live, "memory", "memories")} to ${file}`,
  ]);
  return 0;
}

/** The work of all branches, one file each for milestones, steps and what is said of a branch. */
async function saveFolder(call: Call): Promise<number> {
  const { io, out, options, args } = call;
  if (args[0] !== undefined) throw usage("A .GCC folder is of all branches.", "Leave the id out.");
  const folder = resolve(io.cwd, options.text("output") ?? ".GCC");
  const { files, leftOut } = await withSession(call, "existing", async (session, store) => {
    const files = await session.gccFiles();
    return { files, leftOut: store.damaged.length };
  });
  const { isMadeHere, putFiles } = await import("../../../session/index.js");
  const placed = new Map([...files].map(([path, text]) => [join(folder, path), text]));
  await putFiles(placed, { over: isMadeHere("gcc"), makes: {} });
  await out.answer({ file: folder, count: files.size, leftOut }, (paint) => [
    line`${markOf(leftOut, paint)} Exported ${plural(files.size, "file")} to ${folder}`,
  ]);
  return leftOut > 0 ? 1 : 0;
}

async function partsOf(
  { options, globals: { at } }: Call,
  session: Session,
  id: string | undefined,
  format: ExportFormat | undefined,
  show: Progress["show"],
): Promise<Pick<Export, "count" | "parts"> & { readonly isWhole?: boolean }> {
  if (id === undefined)
    return session.export({
      ...valuesOf(options, OPTIONS, "by", "scope", "history"),
      format,
      onProgress: (done, total) => show(done, done / total),
      at,
    });
  const as = format as "org" | "markdown" | undefined;
  return {
    count: 1,
    parts: later(
      await session.source(id, {
        ...(as && { format: as }),
        ...valuesOf(options, OPTIONS, "scope"),
        ...(at !== undefined && { at }),
      }),
    ),
  };
}

async function* later(text: string): AsyncGenerator<string> {
  yield text;
}

async function write(
  { io, out, options }: Call,
  file: string,
  { count, parts, isWhole }: Pick<Export, "count" | "parts"> & { readonly isWhole?: boolean },
  { damaged }: Store,
): Promise<number> {
  const isPart =
    isWhole === false &&
    damaged.length === 0 &&
    options.flag("history") &&
    /^jsonl?$/.test(options.text("format") ?? "json");
  const tellPart = async () => {
    if (!isPart) return;
    await out.talk(
      line`${out.talkPaint.yellow("!")} only what you see is exported; for a file that an empty store can become the same from, use --scopes '*' --clearance confidential`,
    );
  };
  if (file === "-") {
    if (out.json) throw usage("--json and -o - both want stdout.", "Name a file with -o.");
    // A file gets what is stored; a terminal would act on it.
    for await (const part of parts) await out.raw(io.stdout.isTTY ? visible(part) : part);
    await tellPart();
    return count;
  }
  const { isMadeHere, putFile } = await import("../../../session/index.js");
  await putFile(resolve(io.cwd, file), parts, { over: isMadeHere("export") });
  await tellPart();
  return count;
}
