import * as z from "zod";
import { PalimpsestError, type ScratchEntry, VERBS } from "../../../session/index.js";
import { argument, limit } from "../fields.js";
import { bare, counted, quoted } from "../telling.js";
import { tool } from "../tool.js";

const entry = z.object({
  key: z.string(),
  value: z.string(),
  tool: z.string().optional(),
  time: z.string(),
  expires_at: z.string(),
});

const { options: OPTIONS } = VERBS.searchScratch;

export const scratchpad = tool({
  name: "memory_scratchpad",
  title: "Scratchpad of this session",
  description:
    "Short-lived notes of this session; they expire (1 h) and are no memories. `add` needs key and value; `list`; " +
    "`search` needs query; `clear` empties it. What should last goes through memory_promote.",
  kind: "add",
  aliases: { value: ["text", "content"], query: ["question"], session: ["session_id"] },
  example: { action: "add", key: "build", value: "takes 9 minutes" },
  input: z.strictObject({
    action: z.enum(["add", "list", "search", "clear"]),
    session: argument(OPTIONS.session, { min: 1, max: 128 }).describe(
      "needed unless the server was started with one",
    ),
    key: z.string().min(1).max(256).optional(),
    value: z.string().max(60_000).optional(),
    tool: z.string().min(1).max(256).optional(),
    ttl_seconds: z.number().positive().max(2_592_000).optional(),
    query: z.string().min(1).max(2_000).optional(),
    limit,
  }),
  output: z.object({
    entries: z.array(entry),
    noted: z.boolean().optional(),
    cleared: z.number().optional(),
  }),
  async run({ session }, args) {
    const of = { session: args.session };
    if (args.action === "clear") {
      const cleared = await session.clearScratch(of);
      return { entries: [], cleared };
    }
    if (args.action === "add") {
      const { key, value, tool: from, ttl_seconds: seconds } = args;
      if (key === undefined || value === undefined) throw missing("key and value");
      const ttl = seconds === undefined ? undefined : seconds * 1000;
      const added = await session.addScratch({ key, value, tool: from, ttl }, of);
      return { entries: [shown(added)], noted: true };
    }
    if (args.action === "search" && args.query === undefined) throw missing("query");
    const found =
      args.action === "search"
        ? await session.searchScratch(args.query as string, { ...of, limit: args.limit })
        : (await session.scratch(of)).slice(-args.limit);
    return { entries: found.map(shown) };
  },
  tell({ entries, noted, cleared }) {
    if (cleared !== undefined) return `Cleared ${counted(cleared, "entry", "entries")}.`;
    if (entries.length === 0) return "The scratchpad has nothing of this.";
    return [...(noted ? ["Noted."] : []), ...entries.map(lineOf)].join("\n");
  },
});

const lineOf = ({ key, value, tool: from, time, expires_at }: z.input<typeof entry>): string =>
  `- ${bare(key)}: ${quoted(value)} (${from === undefined ? "" : `by ${bare(from)}, `}${time}, until ${expires_at})`;

const missing = (what: string): PalimpsestError =>
  new PalimpsestError("INVALID_FIELD", `This action needs ${what}.`, { hint: `Give ${what}.` });

const shown = ({ key, value, tool: from, time, expiresAt }: ScratchEntry): z.input<typeof entry> => ({
  key,
  value: typeof value === "string" ? value : JSON.stringify(value),
  ...(from !== undefined && { tool: from }),
  time,
  expires_at: expiresAt,
});
