import type { ScratchEntry } from "../../../session/index.js";
import { VERBS } from "../../../session/opening.js";
import type { Call, Command } from "../command.js";
import { usage } from "../fail.js";
import { flagsOf, flagsWhen, valuesOf } from "../flags.js";
import { textOrStdin } from "../input-text.js";
import { line } from "../line.js";
import { withSession } from "../open.js";
import type { Out } from "../out.js";
import { aligned, plural, when } from "../show.js";
import { durationOf, jsonOrText } from "../values.js";

const { options: LIST } = VERBS.scratch;

export const command: Command = {
  name: "scratch",
  summary: "the scratchpad of a session: notes that expire and are no memories",
  args: [
    { name: "<what>", description: "add (or set), get, list, search or clear" },
    { name: "[key]", description: "with add and get: the key; with search: the question" },
    { name: "[value]", description: "with add: JSON or text; - reads stdin" },
  ],
  options: [
    { flags: "--tool <name>", description: "with add: the tool it came from" },
    { flags: "--ttl <time>", description: "with add: time to live, such as 15m; an hour unless given" },
    ...flagsWhen("with list and get", flagsOf(LIST, "all")),
  ],
  examples: [
    'pal scratch add ticket "4711 is about login" --tool gitea --session s1',
    "pal scratch list --session s1",
    "pal scratch clear --session s1",
  ],
  async run(call) {
    const [what, key, value] = call.args;
    if (what === "add" || what === "set") return add(call, key, value);
    if (what === "clear") return clear(call);
    if (what === "search") return search(call, key);
    if (what === "list" || (what === "get" && key !== undefined)) return list(call, key, what);
    throw usage(
      what === "get" ? "Which key?" : `Not something scratch does: ${what}.`,
      "Say `pal scratch add <key> <value>`, `get <key>`, `list`, `search <question>` or `clear`.",
    );
  },
};

async function add(call: Call, key: string | undefined, value: string | undefined): Promise<number> {
  if (key === undefined || value === undefined)
    throw usage("A key and a value are needed.", "Say `pal scratch add <key> <value>`.");
  const { options, io, out } = call;
  const tool = options.text("tool");
  const ttl = options.text("ttl");
  const lives = ttl === undefined ? undefined : durationOf(ttl);
  if (ttl !== undefined && lives === undefined) throw usage(`Not a time: ${ttl}.`, "For example --ttl 15m.");
  const text = await textOrStdin(io, value);
  const entry = await withSession(call, "creatable", (session) =>
    session.addScratch({ key, value: jsonOrText(text), tool, ttl: lives }),
  );
  await out.answer(entry, (paint) => [
    line`${paint.green("✓")} noted  ${paint.bold(entry.key)}  ${paint.dim(`(until ${when(entry.expiresAt)})`)}`,
  ]);
  return 0;
}

async function list(call: Call, key: string | undefined, what: string): Promise<number> {
  const { out, options } = call;
  const entries = await withSession(call, "existing", (session) =>
    session.scratch({ ...(key !== undefined && { key }), ...valuesOf(options, LIST, "all") }),
  );
  const isOne = what === "get" && !options.flag("all");
  if (isOne && out.json && entries[0]) await out.value(entries[0]);
  else await out.answer(entries, () => entryLines(entries, out));
  if (!out.json && entries.length === 0)
    await out.talk(out.talkPaint.dim("nothing is noted in this session"));
  return what === "get" && entries.length === 0 ? 1 : 0;
}

async function search(call: Call, question: string | undefined): Promise<number> {
  if (question === undefined) throw usage("Which question?", "Say `pal scratch search <question>`.");
  const { out } = call;
  const hits = await withSession(call, "existing", (session) => session.searchScratch(question));
  await out.answer(hits, () => entryLines(hits, out));
  return 0;
}

async function clear(call: Call): Promise<number> {
  const cleared = await withSession(call, "existing", (session) => session.clearScratch());
  const said = plural(cleared, "entry", "entries");
  await call.out.answer({ cleared }, (paint) => [line`${paint.green("✓")} cleared ${said}`]);
  return 0;
}

const entryLines = (entries: readonly ScratchEntry[], { paint, columns }: Out) =>
  aligned(
    entries.map(({ key, value, tool, expiresAt }) => ({
      cells: [paint.bold(key), paint.dim(tool ?? ""), paint.dim(`until ${when(expiresAt)}`)],
      text: typeof value === "string" ? value : JSON.stringify(value),
    })),
    columns,
  );
