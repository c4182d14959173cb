/**
 * Every error a caller can meet, in one table. Callers branch on `code`, never on the message.
 * `exit` is the exit status of the command line: 1 a negative answer, 2 wrong usage, 3 the store cannot be used.
 */
export const ERRORS = {
  INVALID_VALUE: {
    exit: 2,
    hint: "Give plain JSON: finite numbers, well-formed text, no cycles, no __proto__.",
  },
  INVALID_TEXT: {
    exit: 2,
    hint: "Give a text of at least one visible character, without control characters.",
  },
  INVALID_SCOPE: {
    exit: 2,
    hint: "A scope is 'shared' or kind/name, such as agent/orion or project/site.",
  },
  INVALID_ID: { exit: 2, hint: "An id is 1-512 bytes without control characters or outer blanks." },
  INVALID_NAME: { exit: 2, hint: "Use 1-128 letters, digits and . _ - @ + in a name." },
  INVALID_TIME: { exit: 2, hint: "Give a time such as 2026-03-01 or 2026-03-01T12:00:00Z." },
  INVALID_FIELD: {
    exit: 2,
    hint: "See src/core/SPEC.md, Records, for the fields of a memory and their values.",
  },
  INVALID_HASH: { exit: 2, hint: "Give a hash of 64 hexadecimal digits, or at least its first 7." },
  INVALID_PROOF: { exit: 2, hint: "Give a proof as written by `pal prove`." },
  INVALID_FILE: { exit: 2, hint: "Check the path, and name the format if it cannot be seen." },
  REFUSED: { exit: 1, hint: "Nothing of it was written; change what was refused and try again." },
  AMBIGUOUS: { exit: 1, hint: "Give more characters; the candidates are listed." },
  NOT_FOUND: {
    exit: 1,
    hint: "Look it up with `pal list`; its topic names it too, or 6 or more of the first or last characters of its id.",
  },
  NOT_IN_HISTORY: {
    exit: 1,
    hint: "`pal verify --since <commit>` says whether a branch still holds it; if none does, the history was rewritten, or this is another store.",
  },
  ERASED: {
    exit: 1,
    hint: "What was erased does not come back. Another text under this id is welcome.",
  },
  NO_STORE: { exit: 1, hint: "The first write creates the store; check --store and $PAL_HOME." },
  NO_BRANCH: { exit: 1, hint: "See `pal branches`; make one with `pal create-branch`." },
  NAME_TAKEN: { exit: 1, hint: "Choose another name; what is there was left as it is." },
  BRANCH_IN_USE: { exit: 1, hint: "Only a branch that nobody is on goes; `main` always stays." },
  MAINLINE_REQUIRED: {
    exit: 2,
    hint: "Say which parent is the main line: --mainline 1 is the branch that was merged into.",
  },
  SESSION_REQUIRED: {
    exit: 2,
    hint: "Name the session (--session, $PAL_SESSION, sessionId) that the memory belongs to.",
  },
  EMBEDDER_UNAVAILABLE: {
    exit: 1,
    hint: "Search by words still works; choose another embedder with $PAL_EMBEDDER (minilm, openai, ollama, none).",
  },
  JUDGE_UNAVAILABLE: {
    exit: 1,
    hint: "Memory works without it, by words alone: $PAL_JUDGE=none. Its weights come with the package: install it anew.",
  },
  MODEL_UNAVAILABLE: {
    exit: 1,
    hint: "Nothing needs a language model: leave it out, or check its address, name and key ($PAL_MODEL).",
  },
  MODEL_ANSWER: {
    exit: 1,
    hint: "Nothing was written. Try again, or another model; what it said is in the data.",
  },
  BUDGET_SPENT: {
    exit: 1,
    hint: "See `pal stats` for what was spent; raise the budget, or wait for tomorrow.",
  },
  ARTIFACTS_UNAVAILABLE: {
    exit: 1,
    hint: "Memory itself still answers; check the address, the token or the repository.",
  },
  CLOSED: { exit: 3, hint: "Open the store again." },
  NOT_A_STORE: { exit: 3, hint: "Another program's file lies there. Choose another directory with --store." },
  STORE_NEWER: { exit: 3, hint: "Update Palimpsest; the store was left untouched." },
  STORE_UNREADABLE: { exit: 3, hint: "Check that the directory exists and that you may read and write it." },
  STORE_READONLY: { exit: 3, hint: "Check the permissions of the store's directory and file." },
  STORE_FULL: { exit: 3, hint: "Free some disk space and try again; nothing is half-written." },
  STORE_BUSY: { exit: 3, hint: "Another process kept the store locked for too long. Try again." },
  STORE_IO: { exit: 3, hint: "The disk or the file failed; nothing was acknowledged. Run `pal verify`." },
  STORE_MOVED: {
    exit: 3,
    hint: "Nothing is written any more. Put it back where it was, or start the program anew: it then uses what lies there.",
  },
  STORE_LINKED: {
    exit: 3,
    hint: "Leave it one name: find the others with `find <disk> -samefile <file>` and remove them, or put a copy (`cp`) in place of one. Each name would have a log of its own, and one of both would be lost.",
  },
  DRIVER_MISSING: { exit: 3, hint: "Install the driver of this kind of store: `npm install pg`." },
  DAMAGED: {
    exit: 3,
    hint: "Run `pal verify` to see what is damaged; `pal repair <new place>` saves all that is whole.",
  },
} as const;

export type ErrorCode = keyof typeof ERRORS;

export class PalimpsestError extends Error {
  override readonly name = "PalimpsestError";
  readonly hint: string;
  readonly data: unknown;
  constructor(
    readonly code: ErrorCode,
    message: string,
    options: { readonly hint?: string; readonly data?: unknown; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.hint = options.hint ?? ERRORS[code].hint;
    this.data = options.data;
  }

  toJSON(): { code: ErrorCode; message: string; hint: string; data?: unknown } {
    const { code, message, hint, data } = this;
    return data === undefined ? { code, message, hint } : { code, message, hint, data };
  }
}

/** A refused value as a message quotes it: short, and never itself a reason to fail. */
export function quote(value: unknown): string {
  const text = typeof value === "string" ? JSON.stringify(value) : typeof value;
  return text.length > 81 ? `${text.slice(0, 79).toWellFormed()}…"` : text;
}
