import { resolve } from "node:path";
import type { ImportFormat, ImportReport } from "../../../session/index.js";
import { VERBS } from "../../../session/opening.js";
import type { Call, Command } from "../command.js";
import { usage } from "../fail.js";
import { flagOf, flagsOf, valuesOf } from "../flags.js";
import { type Line, line, oneLine, type Paint } from "../line.js";
import { withSession, withStore } from "../open.js";
import { withProgress } from "../progress.js";
import { plural, shortId } from "../show.js";

/** As the library knows them; written here so that help loads no library. A test compares the two. */
export const FORMATS: readonly (ImportFormat | "image")[] = [
  ...([
    "json",
    "jsonl",
    "mem0",
    "vault",
    "snap",
    "nanobot",
    "mempalace",
    "daily",
    "mcp-memory",
    "scratchpad",
  ] as const),
  ...([
    "claude-code",
    "codex",
    "basic-memory",
    "obsidian",
    "instructions",
    "markdown",
    "org",
    "gcc",
    "image",
  ] as const),
];

const { options: OPTIONS } = VERBS.import;

export const command: Command = {
  name: "import",
  summary: "read an export, or the memories of another system, through the gate",
  args: [{ name: "[path]", description: "a file, or the folder of the other system" }],
  options: [
    { ...flagOf(OPTIONS, "format"), choices: FORMATS },
    ...flagsOf(OPTIONS, "scope", "trusted", "dryRun"),
  ],
  examples: [
    "pal import memories.json",
    "pal import ~/notes/vault --format obsidian --dry-run",
    "pal import ~/.claude/projects --scope agent/claude",
    "pal import data/memory/vault.jsonl --trusted",
    "pal import ~/.mempalace",
    "pal import memory.jsonl --format mcp-memory",
  ],
  async run(call) {
    const { args, options, globals, io, out } = call;
    const { imagePath, isImage } = await import("../../../session/index.js");
    const asImage = options.text("format") === "image";
    if (args[0] === undefined && !asImage)
      throw usage("There is nothing to import.", "Name a file or a folder.");
    const path = resolve(io.cwd, args[0] ?? imagePath(io.env));
    if (asImage || (!options.has("format") && (await isImage(path)))) return loadImage(call, path);
    const kept = (done: number) =>
      `${plural(done, "memory", "memories")} judged, what was committed is stored`;
    const report = await withSession(call, "creatable", (session) =>
      withProgress(call, "importing", kept, ({ show, signal }) =>
        session.import(path, {
          ...valuesOf(options, OPTIONS, "format", "scope", "dryRun"),
          trusted: options.flag("trusted") || globals.operator,
          onProgress: (done, total) => show(done, done / total),
          signal,
        }),
      ),
    );
    await out.answer(report, (paint) => [summary(report, options.flag("dryRun"), paint)]);
    for (const old of replacements(report)) await out.talk(old);
    const { problems, lowered } = report;
    await out.complain(
      problems
        .slice(0, SHOWN)
        .map(({ where, reason }) => line`${out.talkPaint.red("✗")} ${where}: ${oneLine(reason)}`),
    );
    const refused = report.rejected + report.quarantined + report.unreadable;
    const told = Math.max(refused, problems.length);
    if (told > SHOWN)
      await out.talk(
        line`  and ${(told - SHOWN).toLocaleString("en-US")} more; --json has ${told > problems.length ? `the first ${problems.length.toLocaleString("en-US")}` : "them all"}`,
      );
    if (lowered > 0)
      await out.talk(line`  ${lowered} canon came in as register; with --trusted they stay canon`);
    const { passedOver = 0 } = report;
    if (passedOver > 0)
      await out.talk(
        line`  ${plural(passedOver, "other file", "other files")} passed over: no pages of days; \`pal ingest\` reads any notes`,
      );
    const left = report.whole ? undefined : LEFT[report.format];
    if (left !== undefined && report.accepted > 0) await out.talk(out.talkPaint.dim(`  ${left}`));
    if (report.interrupted) {
      await out.complain([
        line`${out.talkPaint.red("✗")} interrupted; what is counted above is stored, and importing again goes on from there`,
      ]);
      return 130;
    }
    if (options.flag("dryRun")) await out.talk(out.talkPaint.dim("nothing was written (--dry-run)"));
    const taken = report.accepted + report.updated + report.duplicate;
    return refused > 0 || (taken === 0 && problems.length > 0) ? 1 : 0;
  },
};

/** An image is a whole store, so it goes into an empty one and passes no gate. */
async function loadImage(call: Call, path: string): Promise<number> {
  const { out, options } = call;
  if (options.flag("dryRun")) throw usage("An image is loaded whole or not at all.", "Leave --dry-run out.");
  const loaded = await withStore(call, "creatable", (store) =>
    withProgress(
      call,
      "importing",
      () => "nothing was loaded",
      ({ step }) => store.load(path, { onProgress: (done) => step(done) }),
    ),
  );
  if (!loaded) throw usage(`There is no image ${path}.`, "Name one, or set $MEMORY_SNAPSHOT_PATH.");
  const { live, objects, unchanged } = loaded;
  const counts = { accepted: unchanged ? 0 : live, updated: 0, duplicate: unchanged ? live : 0 };
  await out.answer(
    { ...counts, rejected: 0, quarantined: 0, unreadable: 0, format: "image", ...loaded, count: live },
    (paint) => [
      unchanged
        ? line`${paint.dim("=")} this store is that of ${path} already; nothing was changed`
        : line`${paint.green("✓")} Loaded ${plural(live, "memory", "memories")} (${plural(objects, "object")}) from ${path}`,
    ],
  );
  return 0;
}

const SHOWN = 10;

/** What a file cannot carry over, said when something came from it. */
const LEFT: Partial<Record<ImportFormat, string>> = {
  json: "dates are those of the import; with history: pal export --history, into an empty store",
  jsonl: "dates are those of the import; with history: pal export --history, into an empty store",
  org: "an Org file has no history: dates are those of the import",
  markdown: "Markdown by subject carries texts, triples and confidence; by room all but dates and history",
  "mcp-memory": "the graph has entities, observations and relations, no dates",
  gcc: "a .GCC folder carries the roadmap, branches, milestones and steps with their dates, and no other memories",
};

/** What is no longer to be seen, so that nobody loses a belief by a number. */
const replacements = ({ replaced }: ImportReport): Line[] => [
  ...replaced.slice(0, SHOWN).map(({ id, text }) => line`  ${shortId(id)} said: ${oneLine(text)}`),
  ...(replaced.length > SHOWN
    ? [line`  and ${plural(replaced.length - SHOWN, "other", "others")}; see --json`]
    : []),
];

function summary(report: ImportReport, isDry: boolean, paint: Paint): Line {
  const counts = [
    `${report.accepted.toLocaleString("en-US")} ${isDry ? "would be imported" : "imported"}`,
    ...(["updated", "duplicate", "forgotten", "rejected", "quarantined", "unreadable"] as const)
      .filter((name) => report[name] > 0)
      .map((name) => `${report[name].toLocaleString("en-US")} ${name}`),
    ...(report.whole ? ["with all history"] : []),
  ];
  return line`${report.problems.length > 0 ? paint.yellow("!") : paint.green("✓")} ${counts.join(", ")} (${report.format})`;
}
