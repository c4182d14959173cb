import { demand, digest, type Fields, fieldsOf, hashOf, itemsOf, textOf } from "./proof-fields.js";
import { jsonOf } from "./proof-text.js";

/** What a checker needs of a commit; all of it is in the bytes that its hash is taken over. */
export interface ProvenCommit {
  hash: string;
  parents: string[];
  /** Root of its state. */
  root: string;
  generation: number;
  time: string;
}

const FIELDS = ["author", "branch", "changeset", "generation", "note", "parents", "root", "time", "v"];
/** Names are short; a merge has two parents. */
export const MAX_COMMIT = 8192;

/** A commit from its canonical JSON. Any other spelling of it is refused, so that all readers read the same. */
export function commitOf(value: unknown): ProvenCommit {
  const text = textOf(value, "a commit");
  demand(text.length <= MAX_COMMIT, "a commit is too long");
  const { author, branch, changeset, generation, note, parents, root, time, v } = fieldsOf(
    jsonOf(text, 4),
    FIELDS,
  );
  const { id, kind } = fieldsOf(author, ["id", "kind"]);
  const above = itemsOf(parents, MAX_COMMIT, "parents is not a list");
  demand(v === 1, "a commit is not of version 1");
  demand(Number.isSafeInteger(generation) && (generation as number) >= 0, "a generation is not a number");
  const fields: Fields = {
    author: { id: textOf(id, "author.id"), kind: textOf(kind, "author.kind") },
    branch: textOf(branch, "branch"),
    changeset: hashOf(changeset, "changeset"),
    generation,
    ...(note !== undefined && { note: hashOf(note, "note") }),
    parents: above.map((parent) => hashOf(parent, "a parent")),
    root: hashOf(root, "a commit's root"),
    time: timeOf(time),
    v,
  };
  demand(JSON.stringify(fields) === text, "a commit is not canonical JSON");
  const { parents: hashes, root: state, time: made } = fields as unknown as ProvenCommit;
  return {
    hash: digest("commit", text),
    parents: hashes,
    root: state,
    generation: generation as number,
    time: made,
  };
}

function timeOf(value: unknown): string {
  const time = textOf(value, "time");
  demand(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(time), "time is not a time");
  return time;
}
