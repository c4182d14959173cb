import { z } from "zod";
import type { ConsolidationCandidate, Memory } from "../../../session/index.js";
import { counted, fitting, quoted } from "../telling.js";
import { tool } from "../tool.js";

/** Looked at, the newest and the topics first: enough for a heartbeat, and bounded. */
const MOST = 2_000;
/** From here on two beliefs are worth a look, and so many pairs are more than anybody looks at. */
const ALIKE = 0.75;
const PAIRS = 200;
const FAINT = 0.3;
const STALE_MS = 90 * 86_400_000;
const BUDGET = 4_000;

const proposal = z.object({
  id: z.string(),
  why: z.enum(["near-duplicate", "faint-and-old", "contested"]),
  keep: z.string().optional(),
  similarity: z.number().optional(),
  text: z.string(),
});
type Proposal = z.input<typeof proposal>;

export const consolidate = tool({
  name: "memory_consolidate",
  title: "Consolidation report",
  description:
    "A report for housekeeping, by rules and without a model: near-duplicates, faint old observations, contested fields. " +
    "It changes nothing; judge each proposal, then use memory_forget or memory_update.",
  kind: "read",
  input: z.strictObject({}),
  output: z.object({
    beliefs: z.number(),
    examined: z.number(),
    proposals: z.array(proposal),
    left: z.number(),
  }),
  async run({ session }, _args, call) {
    await call.progress(0, 3, "Reading what is believed");
    const { items, beliefs } = await session.view({ max: MOST });
    call.signal.throwIfAborted();
    await call.progress(1, 3, "Comparing");
    const pairs = await session.findConsolidationCandidates({ floor: ALIKE, limit: PAIRS });
    const duplicates = duplicatesAmong(items, pairs);
    call.signal.throwIfAborted();
    await call.progress(2, 3, "Looking for conflicts");
    const contested = (await session.conflicts()).map(
      ({ id, field }): Proposal => ({
        id,
        why: "contested",
        text: `Merges left more than one value of ${field}.`,
      }),
    );
    const known = new Set(duplicates.map(({ id }) => id));
    const faint = items.filter((item) => isFaint(item) && !known.has(item.id)).map(faintOf);
    const all = [...contested, ...duplicates, ...faint];
    const { items: proposals, left } = fitting(all, BUDGET);
    const data = { beliefs, examined: items.length, proposals: [...proposals], left };
    await call.progress(3, 3);
    return { data, text: textOf(data) };
  },
});

/** Of two alike in one scope the more lasting stays, then the surer, then the newer; each memory is proposed once. */
function duplicatesAmong(items: readonly Memory[], pairs: readonly ConsolidationCandidate[]): Proposal[] {
  const known = new Map(items.map((item) => [`${item.scope}\n${item.id}`, item]));
  const proposed = new Set<Memory>();
  const proposals: Proposal[] = [];
  for (const { scope, ids, similarity } of pairs) {
    const [one, other] = ids.map((id) => known.get(`${scope}\n${id}`));
    if (!one || !other || proposed.has(one) || proposed.has(other)) continue;
    const keep = isStronger(one, other) ? one : other;
    const drop = keep === one ? other : one;
    proposed.add(drop);
    const rounded = Math.round(similarity * 100) / 100;
    proposals.push({
      id: drop.id,
      why: "near-duplicate",
      keep: keep.id,
      similarity: rounded,
      text: drop.text,
    });
  }
  return proposals;
}

const STANDING: readonly ((memory: Memory) => number)[] = [
  ({ lifetime }) => Number(lifetime === "permanent"),
  ({ tier }) => Number(tier === "canon"),
  ({ topic }) => Number(topic !== undefined),
  ({ confidence }) => confidence,
  ({ updatedAt }) => Date.parse(updatedAt),
];

function isStronger(one: Memory, other: Memory): boolean {
  const telling = STANDING.find((rank) => rank(one) !== rank(other));
  return telling === undefined || telling(one) > telling(other);
}

const isFaint = ({ confidence, updatedAt, tier, topic }: Memory): boolean =>
  confidence < FAINT &&
  tier !== "canon" &&
  topic === undefined &&
  Date.now() - Date.parse(updatedAt) > STALE_MS;

const faintOf = ({ id, text }: Memory): Proposal => ({ id, why: "faint-and-old", text });

function textOf({
  beliefs,
  examined,
  proposals,
  left,
}: {
  beliefs: number;
  examined: number;
  proposals: readonly Proposal[];
  left: number;
}): string {
  const looked = examined < beliefs ? `the first ${examined} of ${beliefs}` : `all ${beliefs}`;
  if (proposals.length === 0) return `Looked at ${looked} beliefs; nothing to propose.`;
  const rows = proposals.map(({ id, why, keep, similarity, text }) =>
    why === "near-duplicate"
      ? `- forget ${id}? ${similarity} like ${keep}: ${quoted(text, 200)}`
      : why === "contested"
        ? `- settle ${id}: ${text}`
        : `- forget ${id}? uncertain and old: ${quoted(text, 200)}`,
  );
  const more = left > 0 ? `\n${counted(left, "more proposal")}; call again afterwards.` : "";
  return `Looked at ${looked} beliefs. Nothing was changed.\n${rows.join("\n")}${more}`;
}
