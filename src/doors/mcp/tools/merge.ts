import * as z from "zod";
import { shortHash, VERBS } from "../../../session/index.js";
import { argument, branchName } from "../fields.js";
import { counted } from "../telling.js";
import { tool } from "../tool.js";

const SHOWN = 100;

const { options: OPTIONS } = VERBS.merge;

export const merge = tool({
  name: "memory_merge",
  title: "Merge a branch",
  description:
    "Bring what another branch learned into the present one (or into another). It never fails on conflicts: " +
    "contested fields keep both values and are listed.",
  kind: "repeatable",
  aliases: { source: ["branch", "from", "name"], into: ["target", "to"] },
  example: { source: "skeptic" },
  input: z.strictObject({ source: branchName, into: argument(OPTIONS.into, { min: 1, max: 128 }) }),
  output: z.object({
    source: z.string(),
    into: z.string(),
    kind: z.string(),
    commit: z.string().optional(),
    added: z.number(),
    modified: z.number(),
    removed: z.number(),
    conflicts: z.array(z.object({ id: z.string(), field: z.string() })),
    left: z.number(),
  }),
  async run({ session }, { source, into }) {
    const done = await session.merge(source, into === undefined ? {} : { into });
    const { kind, commit, added, modified, removed } = done;
    const conflicts = done.conflicts.slice(0, SHOWN).map(({ id, field }) => ({ id, field }));
    return {
      ...{ source, into: done.into, kind },
      ...(commit !== undefined && { commit: shortHash(commit) }),
      ...{ added, modified, removed, conflicts, left: done.conflicts.length - conflicts.length },
    };
  },
  tell({ source, into, kind, commit, added, modified, removed, conflicts, left }) {
    const head = `${source} into ${into}: ${kind}${commit === undefined ? "" : ` (commit ${commit})`}, ${added} added, ${modified} modified, ${removed} removed.`;
    if (conflicts.length === 0) return head;
    const more = left > 0 ? [`and ${left} more`] : [];
    const named = conflicts.map(({ id, field }) => `${id} ${field}`);
    return `${head} ${counted(conflicts.length + left, "contested field")}: ${[...named, ...more].join(", ")}.`;
  },
});
