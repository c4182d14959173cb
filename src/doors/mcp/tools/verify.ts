import * as z from "zod";
import { type SinceReport, STORE_OPTIONS } from "../../../session/index.js";
import { argument } from "../fields.js";
import { counted } from "../telling.js";
import { tool } from "../tool.js";

const { verify: OPTIONS } = STORE_OPTIONS;

export const verify = tool({
  name: "memory_verify",
  title: "Verify the store",
  description:
    "Is the whole store undamaged, and does it still hold a commit that was kept? Re-hashes everything; takes long on a large store.",
  kind: "read",
  aliases: { since: ["commit"] },
  example: {},
  input: z.strictObject({
    since: argument(OPTIONS.since).describe(
      "the whole commit you kept, 64 hex digits: is all that was before it unchanged?",
    ),
  }),
  // Counts over the whole store would tell of scopes that this session does not see.
  output: z.object({
    ok: z.boolean(),
    root: z.string(),
    head: z.string().describe("the whole commit to keep"),
    problems: z.array(z.object({ problem: z.string(), severity: z.string() })),
    left: z.number(),
    since: z
      .object({ kept: z.string(), provesHistory: z.boolean(), says: z.string() })
      .optional()
      .describe("what was found of the commit you kept"),
  }),
  async run({ store }, { since: kept }, call) {
    const report = await store.verify({
      ...(kept !== undefined && { since: kept }),
      onProgress: (done, total) => {
        call.signal.throwIfAborted();
        void call.progress(done, total);
      },
    });
    const { root, head } = report;
    const since = report.since && answerOf(report.since);
    // Whatever is no commit of the history is answered alike, see below.
    const found = report.problems.filter(({ problem }) => problem !== "HISTORY_CHANGED");
    const isHeld = since?.provesHistory !== false;
    const all = isHeld ? found : [...found, { problem: "HISTORY_CHANGED", severity: "error" }];
    const ok = isHeld && all.every(({ severity }) => severity === "note");
    const problems = all.slice(0, 50).map(({ problem, severity }) => ({ problem, severity }));
    return { ok, root, head, problems, left: all.length - problems.length, ...(since && { since }) };
  },
  tell({ ok, root, head, problems, left, since }) {
    const isHeld = since?.provesHistory !== false;
    const state = `The head is ${head}, the root ${root}.`;
    const verdict = ok
      ? `Everything is whole. Keep this commit to prove it later: ${head} (root ${root}).`
      : isHeld
        ? `Damage: ${counted(problems.length + left, "problem")}. Tell the user to run \`pal verify\`. ${state}`
        : `The history is not known to be the same. Tell the user to run \`pal verify --since\`. ${state}`;
    const about =
      since &&
      `${since.kept}: ${since.says}${since.provesHistory ? "" : " It proves nothing of the history."}`;
    const found = problems.map(({ problem, severity }) => `- ${problem} (${severity})`);
    const more = left > 0 ? [`and ${left} more`] : [];
    return [...(about ? [about] : []), verdict, ...found, ...more].join("\n");
  },
});

/** Whether a state or a scope was ever there is not told: a session could try the contents of scopes it does not see. */
function answerOf({ kept, provesHistory, says }: SinceReport) {
  return provesHistory
    ? { kept, provesHistory, says }
    : { kept, provesHistory, says: "This is no commit in the history of any branch." };
}
