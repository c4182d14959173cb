import * as z from "zod";
import { PalimpsestError, type Session } from "../../../session/index.js";
import { id } from "../fields.js";
import { tool } from "../tool.js";

/** A model reads what a tool answers; what is longer goes to a file. */
const LONGEST = 256 * 1024;

export const prove = tool({
  name: "memory_prove",
  title: "Prove a memory, or the past",
  description:
    "A proof that a memory is, or is not, in the present state; or with `since` that the present head rests on a commit that was kept, for sessions that see everything. `pal verify-proof` checks it without the store.",
  kind: "read",
  aliases: { id: ["memory_id", "topic"] },
  example: { id: "staging-port" },
  input: z.strictObject({
    id: id.optional(),
    since: z.string().optional().describe("instead of id: the whole commit you kept, 64 hex digits"),
  }),
  output: z.object({
    id: z.string().optional(),
    proof: z.string().describe("JSON"),
    present: z.boolean().optional(),
    root: z.string().optional(),
    old: z.string().optional(),
    new: z.string().optional(),
  }),
  async run({ session }, { id: given, since }) {
    if (given !== undefined && since === undefined) return proofOf(session, given);
    if (given === undefined && since !== undefined) return consistencyOf(session, since);
    throw new PalimpsestError("INVALID_FIELD", "memory_prove takes an id, or since.", {
      hint: "Give the id of a memory, or as `since` the whole commit that was kept.",
    });
  },
  tell({ id: of, present, root, old, new: head, proof }) {
    const says =
      of === undefined
        ? `The head ${head} rests on ${old}, as the proof shows.`
        : `${of} is ${present ? "" : "not "}in the state with the scope root ${root}.`;
    return `${says}\n${proof}`;
  },
});

async function proofOf(session: Session, given: string) {
  const proof = await session.prove(given);
  const { present, root } = proof;
  return {
    ...{ id: present ? given : proof.id, present, root },
    proof: JSON.stringify(proof),
  };
}

async function consistencyOf(session: Session, since: string) {
  const made = await session.proveConsistency(since);
  const proof = JSON.stringify(made);
  if (proof.length > LONGEST)
    throw new PalimpsestError(
      "REFUSED",
      `The proof has ${made.commits.length} commits, too many to be told.`,
      {
        hint: `Write it to a file: \`pal --scopes '*' --clearance confidential prove --consistency ${since} -o proof.json\`.`,
      },
    );
  return {
    ...{ old: made.old, new: made.new, proof },
  };
}
