import * as z from "zod";
import { type LogItem, shortHash } from "../../../session/index.js";
import { unlisted } from "../arguments.js";
import { budget, id, limit } from "../fields.js";
import { counted, fitting, quoted } from "../telling.js";
import { tool } from "../tool.js";

const entry = z.object({
  commit: z.string(),
  time: z.string(),
  by: z.string(),
  op: z.string(),
  id: z.string(),
  version: z.number(),
  text: z.string().optional(),
  message: z.string().optional(),
});
type Entry = z.input<typeof entry>;

export const history = tool({
  name: "memory_history",
  title: "History",
  description:
    "What changed, when and by whom, newest first: every version of one memory, also a forgotten one, or the last commits.",
  kind: "read",
  aliases: { id: ["memory_id", "topic"], limit: ["max", "n", "count"] },
  example: { id: "staging-port" },
  input: z.strictObject({
    id: id.optional(),
    limit,
    budget,
    show_events: unlisted(z.boolean().optional()),
  }),
  output: z.object({ changes: z.array(entry), left: z.number() }),
  async run({ session }, { id: given, limit: most, budget: tokens }) {
    const all =
      given === undefined
        ? (await session.log({ limit: most, events: true })).flatMap(entriesOf)
        : (await session.history(given)).toReversed().map(({ commit, time, author, op, version, text }) => ({
            ...{ commit: shortHash(commit), time, by: author.id, op, id: given, version },
            ...(text !== undefined && { text }),
          }));
    const wanted = given === undefined ? all : all.slice(0, most);
    const { items } = fitting(wanted, tokens);
    const left = all.length - items.length;
    return { changes: [...items], left };
  },
  tell({ changes, left }) {
    if (changes.length === 0) return "No history.";
    const more = left > 0 ? [`${counted(left, "more change")} not shown.`] : [];
    return [...changes.map(rowOf), ...more].join("\n");
  },
});

const entriesOf = ({ commit, time, author, message, events = [] }: LogItem): Entry[] =>
  events.map(({ op, id: memory, version, text }) => ({
    ...{ commit: shortHash(commit), time, by: author.id, op, id: memory, version },
    ...(text !== undefined && { text }),
    ...(message !== undefined && { message }),
  }));

const rowOf = ({ commit, time, by, op, id: memory, version, text, message }: Entry): string =>
  [
    `${time.slice(0, 19)}Z ${commit} ${by}: ${op} ${memory} v${version}`,
    ...(text === undefined ? [] : [quoted(text)]),
    ...(message === undefined ? [] : [`because ${quoted(message)}`]),
  ].join(" ");
