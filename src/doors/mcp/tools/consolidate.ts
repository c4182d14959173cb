import * as z from "zod";
import type { Finding, FindingKind } from "../../../session/index.js";
import { unlisted } from "../arguments.js";
import { counted, cut, fitting, quoted } from "../telling.js";
import { tool } from "../tool.js";

const BUDGET = 4_000;
const LONGEST = 400;

/** The words this tool has always used for what it finds. */
const WHY: Readonly<Record<FindingKind, string>> = {
  duplicate: "near-duplicate",
  "low-confidence": "faint-and-old",
  contradiction: "contradiction",
  outdated: "outdated",
  "session-fact": "session-fact",
  cluster: "cluster",
  persona: "persona",
  contested: "contested",
};

const proposal = z.object({
  id: z.string(),
  why: z.string(),
  keep: z.string().optional(),
  similarity: z.number().optional(),
  text: z.string(),
});
type Proposal = z.input<typeof proposal>;

export const consolidate = tool({
  name: "memory_consolidate",
  title: "Consolidate",
  description:
    "Call it at the end of long work: finds duplicates, contradictions, outdated and uncertain beliefs, and stages proposals.",
  kind: "add",
  example: {},
  input: z.strictObject({
    action: unlisted(z.enum(["report", "find_duplicates", "find_low_confidence", "stats"]).optional()),
  }),
  output: z.object({
    beliefs: z.number(),
    examined: z.number(),
    proposals: z.array(proposal),
    left: z.number(),
    staged: z.array(z.string()),
  }),
  async run({ session, log }, { action = "report" }, call) {
    await call.progress(0, 3, "Reading what is believed");
    const report = await session.consolidate();
    call.signal.throwIfAborted();
    await call.progress(1, 3, "Putting it together");
    const { items: proposals, left } = fitting(report.findings.map(told).filter(wanted[action]), BUDGET);
    await call.progress(2, 3, "Telling");
    const staged = report.proposals.map(({ id }) => id);
    if (staged.length > 0) log(`consolidate: ${staged.length} proposals wait for review`);
    const { beliefs, examined } = report;
    await call.progress(3, 3);
    return { beliefs, examined, proposals: [...proposals], left, staged };
  },
  tell({ beliefs, examined, proposals, left, staged }) {
    const looked = `${examined === beliefs ? "all" : `the newest ${examined} of`} ${beliefs}`;
    const waiting =
      staged.length > 0
        ? [`${counted(staged.length, "proposal")} staged for review: ${staged.join(", ")}`]
        : [];
    if (proposals.length === 0)
      return [`Looked at ${looked} beliefs; nothing to propose.`, ...waiting].join("\n");
    const more = left > 0 ? [`${counted(left, "more proposal")}; call again afterwards.`] : [];
    const head = `Looked at ${looked} beliefs. No belief was changed.`;
    return [head, ...proposals.map(rowOf), ...more, ...waiting].join("\n");
  },
});

/** The documents' tool looks for one thing at a time. */
const wanted = {
  report: () => true,
  stats: () => false,
  find_duplicates: ({ why }) => why === WHY.duplicate,
  find_low_confidence: ({ why }) => why === WHY["low-confidence"],
} satisfies Record<string, (one: Proposal) => boolean>;

const told = ({ kind, ids, text, why, similarity }: Finding): Proposal => ({
  id: ids[0] as string,
  why: WHY[kind],
  ...(kind === "duplicate" && { keep: ids[1] as string }),
  ...(similarity !== undefined && { similarity: Math.round(similarity * 100) / 100 }),
  text: cut(kind === "contradiction" || kind === "persona" ? `${text} / ${why}` : text, LONGEST),
});

const rowOf = ({ id, why, keep, similarity, text }: Proposal): string =>
  [
    `- ${why} ${id}`,
    ...(keep === undefined ? [] : [` beside ${keep}`]),
    ...(similarity === undefined ? [] : [` (${similarity} alike)`]),
    `: ${quoted(text)}`,
  ].join("");
