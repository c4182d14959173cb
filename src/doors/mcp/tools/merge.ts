import * as z from "zod";
import { shortHash } from "../../../session/index.js";
import { branchName } from "../fields.js";
import { counted } from "../telling.js";
import { tool } from "../tool.js";

export const merge = tool({
  name: "memory_merge",
  title: "Merge a branch",
  description:
    "Bring what another branch learned into the present one (or into another). It never fails on conflicts: " +
    "contested fields keep both values and are listed.",
  kind: "repeatable",
  input: z.strictObject({ source: branchName, into: branchName.optional() }),
  output: z.object({
    kind: z.string(),
    commit: z.string().optional(),
    added: z.number(),
    modified: z.number(),
    removed: z.number(),
    conflicts: z.array(z.object({ id: z.string(), field: z.string() })),
  }),
  async run({ session }, { source, into }) {
    const done = await session.merge(source, into === undefined ? {} : { into });
    const { kind, commit, added, modified, removed } = done;
    const conflicts = done.conflicts.slice(0, 100).map(({ id, field }) => ({ id, field }));
    const open = conflicts.length === 0 ? "" : ` ${counted(done.conflicts.length, "contested field")}.`;
    return {
      data: {
        kind,
        ...(commit !== undefined && { commit: shortHash(commit) }),
        added,
        modified,
        removed,
        conflicts,
      },
      text: `${source} into ${done.into}: ${kind}, ${added} added, ${modified} modified, ${removed} removed.${open}`,
    };
  },
});
