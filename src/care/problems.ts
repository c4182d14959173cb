import type { StorageProblem } from "../storage/index.js";

export interface VerifyProblem {
  readonly problem: string;
  /** A note tells of something that a whole store has too, and is no finding. */
  readonly severity: "error" | "warning" | "note";
  /** What it is about: a hash, the name of a ref, or a place. */
  readonly object: string;
  /** In a sentence; absent for what the adapter names itself. */
  readonly meaning?: string;
}

/**
 * Everything `verify` can find, by its stable name, and what it means. What the storage adapter finds in its own
 * files comes under the adapter's names.
 */
export const PROBLEMS = {
  // objects
  "object-damaged": ["error", "The stored bytes do not match their hash."],
  "object-not-canonical": ["error", "The bytes match their hash but are not canonical JSON."],
  "object-malformed": ["error", "The bytes are canonical JSON, but not an object of their kind."],
  "node-damaged": ["warning", "A node of a state was changed. Derived: readers fold it again."],
  "node-malformed": ["warning", "A node matches its hash but cannot be part of a state. Derived."],
  "objects-unreadable": ["error", "Storage failed while the objects were read; some were not checked."],
  // refs and commits
  "refs-unreadable": ["error", "The refs could not be read, or not all of them."],
  "ref-dangling": ["error", "A ref points to a commit (or tombstone) that is not there or not whole."],
  "commit-missing": ["error", "A commit names a parent that is not there or not whole."],
  "wrong-genesis": ["error", "A history does not begin with the constant first commit."],
  "wrong-generation": ["error", "A commit's generation is not one more than its parents'."],
  "wrong-time": ["error", "A commit is older than its parent."],
  "changeset-missing": ["error", "The changeset of a commit is not there or not whole."],
  "note-missing": ["error", "The note of a commit or operation is gone, and no erasure explains it."],
  // states
  "wrong-root": ["error", "Folding the changeset over the first parent's state gives another root."],
  "wrong-before": ["error", "An event replaces something other than what the state held."],
  "wrong-op": ["error", "An event's kind does not fit what it has before and after."],
  "state-unverified": ["warning", "A state could not be folded because of damage before it."],
  "state-lost": ["error", "A ref's state can neither be folded nor read: its memories cannot be listed."],
  // records
  "record-missing": ["error", "A record in the history is not there or not whole, and was not erased."],
  "record-misplaced": ["error", "A record stands under a key that is not its own scope and id."],
  "erased-still-stored": ["error", "A tombstone says that a record is erased, but its bytes are there."],
  // derived touch rows
  "touch-missing": ["error", "An event has no touch row, so histories and logs leave it out."],
  "touch-extra": ["error", "A touch row belongs to no event."],
  "touch-different": ["error", "A touch row says something else than its commit, changeset and record."],
  "touch-misplaced": ["error", "The touch rows of a commit are not in the order of its events."],
  "touch-unreadable": ["error", "The touch rows could not be read to the end."],
  // operation log
  "operation-missing": ["error", "The operation log names an operation that is not there or not whole."],
  "operation-gap": ["error", "An operation moves a ref from where the one before did not leave it."],
  "ref-moved": ["error", "A ref is not where the last operation left it."],
  "ref-unlogged": ["error", "No operation ever made this ref."],
  "operations-unreadable": ["error", "The operation log could not be read to the end."],
  // the whole
  "storage-unreadable": ["error", "The storage adapter's own check failed."],
  "unreachable-objects": [
    "note",
    "Objects to which no ref leads, as a deleted branch leaves them; they do no harm.",
  ],
  HISTORY_CHANGED: [
    "error",
    "What was kept is not in the history: it was rewritten, or this is another store.",
  ],
} as const satisfies Record<string, readonly [VerifyProblem["severity"], string]>;

export type ProblemName = keyof typeof PROBLEMS;

/** Is it about something that `rebuild` makes again? */
export const isDerived = ({ problem }: { readonly problem: string }): boolean =>
  /^(touch|index|waiting|vectors|node)-/.test(problem);

export const isNote = ({ severity }: VerifyProblem): boolean => severity === "note";

/** Collects problems. The same finding can come up on several ways; it is listed once. */
export class Findings {
  readonly #problems = new Map<string, VerifyProblem>();

  add(problem: ProblemName, object: string): void {
    const [severity, meaning] = PROBLEMS[problem];
    this.#problems.set(`${problem}\n${object}`, { problem, severity, object, meaning });
  }

  /** What the adapter found in its own files. */
  take({ problem, severity, object }: StorageProblem): void {
    this.#problems.set(`${problem}\n${object}`, { problem, severity, object });
  }

  get ok(): boolean {
    return this.list().every(isNote);
  }

  list(): VerifyProblem[] {
    return [...this.#problems.values()];
  }
}
