import { resolve } from "node:path";
import type { Room, SyncReport, Verdict } from "../../../session/index.js";
import { VERBS } from "../../../session/opening.js";
import type { Call, Command } from "../command.js";
import { usage } from "../fail.js";
import { WRITING, writingOf } from "../fields.js";
import { flagsOf, flagsWhen, valuesOf } from "../flags.js";
import { textOrStdin } from "../input-text.js";
import { clean, type Line, line, oneLine, type Paint } from "../line.js";
import { named, PART } from "../named.js";
import { withSession } from "../open.js";
import type { Out } from "../out.js";
import { memoryRows } from "../rows.js";
import { plural } from "../show.js";
import { jsonOrText } from "../values.js";
import { answerVerdict, isRefusal } from "../verdict-lines.js";

const LAYOUTS = ["issue-analysis", "health-check", "code-review"] as const;

const { options: OPTIONS } = VERBS.createPlace;

export const command: Command = {
  name: "palace",
  summary: "rooms and drawers: see, make, describe, move and rename them, and sync them with Markdown files",
  args: [
    {
      name: "[what]",
      description: "rooms (default), show, new, init, describe, rename, move, sync or config",
    },
    { name: "[place]", description: "a room or room/drawer; with sync a folder; with move also an id" },
    { name: "[text]", description: "the description, the new name, the place to move to, or the value" },
  ],
  options: [
    { flags: "--layout <name>", description: "with new: rooms to begin with", choices: LAYOUTS },
    ...flagsWhen("with new", flagsOf(OPTIONS, "description")),
    ...flagsOf(OPTIONS, "scope"),
    PART,
    WRITING.message,
    WRITING.dryRun,
  ],
  at: true,
  examples: [
    "pal palace new --layout code-review",
    'pal palace new projects/website --description "What we know about the website"',
    "pal palace show projects/website",
    "pal palace move projects/website archive",
    "pal palace sync ~/palace",
    "pal palace config scratchpad.ttl 7200",
  ],
  async run(call) {
    const [what = "rooms"] = call.args;
    const run = Object.hasOwn(USES, what) ? USES[what as keyof typeof USES] : undefined;
    if (!run)
      throw usage(`Not something palace does: ${what}.`, `Say one of ${Object.keys(USES).join(", ")}.`);
    return run(call);
  },
};

const USES = { rooms, show, new: make, init: make, describe, rename, move, sync, config };

const placed = ({ options, globals }: Call) => ({
  ...valuesOf(options, OPTIONS, "scope"),
  ...(globals.at !== undefined && { at: globals.at }),
});
const writing = ({ options }: Call) => ({ ...valuesOf(options, OPTIONS, "scope"), ...writingOf(options) });

function two({ args }: Call, what: string): [string, string] {
  const [, place, text] = args;
  if (place === undefined || text === undefined)
    throw usage("Something is missing.", `Say \`pal palace ${what}\`.`);
  return [place, text];
}

async function rooms(call: Call): Promise<number> {
  const { out } = call;
  const found = await withSession(call, "existing", (session) => session.rooms(placed(call)));
  await out.answer(found, () => found.flatMap((room) => [...roomLines(room, out)]));
  if (!out.json)
    await out.talk(
      out.talkPaint.dim(plural(found.length, "room")),
      ...(found.length > 0 ? [] : [line`  \`pal palace new <room>\` makes one, \`--layout\` several.`]),
    );
  return 0;
}

function* roomLines(
  { name, scope, description, drawers, entries }: Room,
  { paint, columns }: Out,
): Generator<Line> {
  const where = clean(scope === "shared" ? "" : ` [${scope}]`);
  const own = clean(entries === 0 ? "" : ` (${entries})`);
  const described = (head: Line, text: string): Line =>
    text === "" ? head : line`${head}  ${paint.dim(oneLine(text, Math.max(16, columns - head.columns - 2)))}`;
  yield described(line`${paint.bold(oneLine(name))}${paint.cyan(where)}${own}`, description);
  for (const drawer of drawers)
    yield described(line`  ${oneLine(drawer.name)} ${paint.dim(`(${drawer.entries})`)}`, drawer.description);
}

async function show(call: Call): Promise<number> {
  const [, place] = call.args;
  const { out } = call;
  if (place === undefined) throw usage("Which place?", "Say `pal palace show <room/drawer>`.");
  const found = await withSession(call, "existing", (session) =>
    session.list({ in: place, ...placed(call) }),
  );
  if (found.length === 0 && !(await isPlace(call, place))) {
    const { PalimpsestError, quote } = await import("../../../session/opening.js");
    throw new PalimpsestError("NOT_FOUND", `There is no place ${quote(place)}.`, {
      hint: "See `pal palace rooms`.",
    });
  }
  await out.answer(found, () => memoryRows(found, out));
  return 0;
}

/** A room or drawer may be there and empty. */
async function isPlace(call: Call, place: string): Promise<boolean> {
  const [room = "", drawer] = place.split("/").map((name) => name.trim().toLowerCase());
  const all = await withSession(call, "existing", (session) => session.rooms(placed(call)));
  const same = ({ name }: { readonly name: string }, wanted: string) => name.toLowerCase() === wanted;
  return all.some(
    (one) => same(one, room) && (drawer === undefined || one.drawers.some((inner) => same(inner, drawer))),
  );
}

async function make(call: Call): Promise<number> {
  const [, place] = call.args;
  const { options, out } = call;
  const layout = options.text("layout") ?? (LAYOUTS as readonly string[]).find((name) => name === place);
  if (layout === undefined) {
    if (place === undefined) throw usage("Which place?", "Name a room or room/drawer, or a --layout.");
    const verdict = await withSession(call, "creatable", (session) =>
      session.createPlace(place, { ...writing(call), ...valuesOf(options, OPTIONS, "description") }),
    );
    return answerVerdict(call, verdict, "made");
  }
  const verdicts = await withSession(call, "creatable", (session) => session.layOut(layout, writing(call)));
  const count = verdicts.filter(({ verdict }) => verdict === "accepted").length;
  await out.answer({ layout, made: count, verdicts }, (paint) => [
    line`${paint.green("✓")} ${layout}: ${plural(count, "place")} made`,
  ]);
  return verdicts.some(isRefusal) ? 1 : 0;
}

const write = async (
  call: Call,
  run: (session: Parameters<Parameters<typeof withSession>[2]>[0]) => Promise<Verdict>,
) => answerVerdict(call, await withSession(call, "existing", run), "updated");

async function describe(call: Call): Promise<number> {
  const [place, text] = two(call, "describe <place> <text>");
  const said = await textOrStdin(call.io, text);
  return write(call, (session) => session.describePlace(place, said, writing(call)));
}

async function rename(call: Call): Promise<number> {
  const [place, name] = two(call, "rename <place> <name>");
  return write(call, (session) => session.renamePlace(place, name, writing(call)));
}

async function move(call: Call): Promise<number> {
  const [what, to] = two(call, "move <room/drawer | id> <place>");
  return write(call, async (session) => {
    const meant = await named(session, what, call.options, valuesOf(call.options, OPTIONS, "scope"));
    return session.moveInPalace(meant.id, to, {
      ...writing(call),
      ...(meant.scope !== undefined && { scope: meant.scope }),
    });
  });
}

async function config(call: Call): Promise<number> {
  const [, key, value] = call.args;
  const { out } = call;
  if (key !== undefined) {
    const set = value === undefined ? undefined : jsonOrText(value);
    const verdict = await withSession(call, "creatable", (session) =>
      session.setPalaceConfig(key, set, writing(call)),
    );
    return answerVerdict(call, verdict, "updated");
  }
  const text = await withSession(call, "existing", (session) => session.palaceConfig(placed(call)));
  await out.answer({ config: text }, () =>
    text
      .trimEnd()
      .split("\n")
      .map((one) => line`${one}`),
  );
  return 0;
}

async function sync(call: Call): Promise<number> {
  const [, folder] = call.args;
  const { io, out, options } = call;
  if (folder === undefined) throw usage("Which folder?", "Say `pal palace sync <dir>`.");
  const report = await withSession(call, "creatable", (session) =>
    session.syncPalace(
      resolve(io.cwd, folder),
      valuesOf(options, VERBS.syncPalace.options, "scope", "dryRun"),
    ),
  );
  await out.answer(report, (paint) => syncLines(report, paint));
  await out.complain(
    report.problems.map(({ path, reason }) => line`${out.talkPaint.yellow("!")} ${path}: ${oneLine(reason)}`),
  );
  return report.problems.length > 0 || report.contested.length > 0 ? 1 : 0;
}

function* syncLines(
  { added, changed, moved, removed, written, deleted, contested, kept }: SyncReport,
  paint: Paint,
) {
  yield line`${paint.green("✓")} from the files: ${added} added, ${changed} changed, ${moved} moved, ${removed} removed`;
  yield line`${paint.green("✓")} to the files: ${written.length} written, ${deleted.length} deleted`;
  if (kept.length > 0)
    yield line`${paint.yellow("!")} ${plural(kept.length, "removal")} undone: changed in memory since`;
  if (contested.length > 0)
    yield line`${paint.yellow("!")} ${plural(contested.length, "memory", "memories")} contested: see \`pal conflicts\``;
}
