import { clean, type Line, line, oneLine, type Paint } from "./line.js";

/** Errors that only a command line has; all others come from the table of the library. */
export type DoorCode = "USAGE" | "FILE_UNUSABLE" | "INTERRUPTED" | "UNEXPECTED";

/** A refusal of the door itself. */
export class CliError extends Error {
  constructor(
    readonly code: DoorCode | "INVALID_TEXT" | "AMBIGUOUS",
    message: string,
    readonly hint: string,
    readonly exit: 1 | 2 | 3 | 130 = 2,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

export const usage = (message: string, hint: string): CliError => new CliError("USAGE", message, hint);

/** An error in the form scripts rely on. */
export interface Failure {
  readonly exit: number;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly hint: string;
    readonly data?: unknown;
  };
}

export async function failureOf(error: unknown): Promise<Failure> {
  if (error instanceof CliError) return { exit: error.exit, error: bodyOf(error) };
  // Before anything is loaded, which may be what failed.
  if (isOutOfFiles(error)) return { exit: 3, error: OUT_OF_FILES };
  // Loaded here because most commands that fail have loaded it already, and those that do not fail need not.
  const { ERRORS, PalimpsestError } = await import("../../session/opening.js");
  if (error instanceof PalimpsestError) return { exit: ERRORS[error.code].exit, error: bodyOf(error) };
  return {
    exit: 3,
    error: {
      code: "UNEXPECTED",
      message: `Something unexpected happened: ${error instanceof Error ? error.message : String(error)}`,
      hint: "This is a mistake in Palimpsest. Please report it with what `-v` shows.",
    },
  };
}

/** No more files may be opened, be it by this program or on this machine: our own code is loaded from files too. */
export const isOutOfFiles = (error: unknown): boolean =>
  ["EMFILE", "ENFILE"].includes(String((Object(error) as NodeJS.ErrnoException).code));

export const OUT_OF_FILES: Body = {
  code: "STORE_UNREADABLE",
  message: "Too many files are open; what this command did not tell is not done.",
  hint: "Close what has them open, or allow more (`ulimit -n`), and try again.",
};

type Body = {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly data?: unknown;
};
const bodyOf = ({ code, message, hint, data }: Body): Body => ({
  code,
  message,
  hint,
  ...(data !== undefined && { data }),
});

/** One line that says what happened, one that says what to do; candidates and, if asked for, causes below. */
export function failureLines({ error }: Failure, cause: unknown, paint: Paint, verbose: boolean): Line[] {
  return [
    line`${paint.red("pal:")} ${oneLine(error.message)}`,
    ...(error.hint ? [line`     ${oneLine(error.hint)}`] : []),
    ...candidates(error.data).map((id) => line`  ${id}`),
    ...(verbose ? causes(cause) : []),
  ];
}

function candidates(data: unknown): Line[] {
  const listed = (data as { candidates?: unknown } | undefined)?.candidates;
  return Array.isArray(listed) ? listed.map((one) => clean(named(one))) : [];
}

/** Where an id is in several scopes, they come with it. */
function named(candidate: unknown): string {
  const { id, scope } = candidate as { readonly id?: unknown; readonly scope?: unknown };
  return id === undefined ? String(candidate) : `${id} [${scope}]`;
}

function causes(error: unknown): Line[] {
  const lines: Line[] = [];
  for (let at = (error as Error)?.cause, left = 10; at !== undefined && left > 0; left--) {
    lines.push(line`  caused by ${oneLine(at instanceof Error ? `${at.name}: ${at.message}` : String(at))}`);
    at = (at as Error)?.cause;
  }
  return lines;
}
