import * as z from "zod";
import { shortHash, VERBS } from "../../../session/index.js";
import { argument } from "../fields.js";
import { tool } from "../tool.js";

const { options: OPTIONS } = VERBS.rollback;

export const rollback = tool({
  name: "memory_rollback",
  title: "Go back",
  description:
    "Go back to a snapshot (0 is the newest), commit, tag or time, as one new commit; nothing is lost. " +
    "It changes nothing if that would take back other authors' work, unless all_authors is true.",
  kind: "change",
  aliases: { to: ["commit", "snapshot", "target", "id"] },
  example: { to: 0 },
  input: z.strictObject({
    to: z.union([z.string().min(1).max(200), z.int().min(0).max(999)]).default(0),
    all_authors: argument(OPTIONS.allAuthors),
  }),
  output: z.object({
    commit: z.string().optional(),
    to: z.string(),
    added: z.number(),
    modified: z.number(),
    removed: z.number(),
    refused: z.string().optional(),
    reason: z.string().optional(),
    hint: z.string().optional(),
  }),
  async run({ session }, { to, all_authors: allAuthors }) {
    const done = await session.rollback(to, allAuthors ? { allAuthors } : {});
    const { commit, added, modified, removed, refused, reason } = done;
    const hint =
      refused === "other-authors" ? "Ask the user, then call again with all_authors true." : done.hint;
    return {
      ...(commit !== undefined && { commit: shortHash(commit) }),
      ...{ to: shortHash(done.to), added, modified, removed },
      ...(refused !== undefined && { refused }),
      ...(reason !== undefined && { reason }),
      ...(hint !== undefined && { hint }),
    };
  },
  tell({ commit, to, added, modified, removed, refused, reason, hint }) {
    const what = `${added} added, ${modified} modified, ${removed} removed.`;
    const head =
      refused === undefined
        ? `Went back to ${to}${commit === undefined ? "" : ` (commit ${commit})`}: ${what}`
        : `Nothing was changed (${refused}); to go back to ${to} would be ${what}`;
    return [head, reason, hint && `What to do: ${hint}`].filter(Boolean).join(" ");
  },
});
