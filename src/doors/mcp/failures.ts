import type { CallToolResult } from "@modelcontextprotocol/server";
import { type ErrorCode, PalimpsestError } from "../../session/index.js";
import { isOutOfFiles, OUT_OF_FILES } from "../cli/fail.js";
import { visible } from "../cli/safe.js";

/** The table of errors speaks to people at a terminal; a model has tools instead of commands. */
const HINTS: Partial<Record<ErrorCode, string>> = {
  NOT_FOUND: "Find the id with memory_search; say it whole, or the topic.",
  AMBIGUOUS: "Give the whole id.",
  NO_BRANCH: 'List the branches with memory_branch (action "list").',
  NAME_TAKEN: "Choose another name; what is there was left as it is.",
  SESSION_REQUIRED: "Use lifetime permanent or temporary.",
  INVALID_FIELD: "Check the arguments against the description of the tool.",
  MAINLINE_REQUIRED: "A merge cannot be taken back this way; use memory_rollback.",
  STORE_BUSY: "Try again in a moment; nothing was lost.",
};

/** An error as the result of a call, so that the model reads what happened and what to do. */
export function failed(error: unknown, log: (line: string) => void): CallToolResult {
  if (isOutOfFiles(error)) return told(`${OUT_OF_FILES.code}: ${OUT_OF_FILES.message} ${OUT_OF_FILES.hint}`);
  if (!(error instanceof PalimpsestError)) {
    log(`unexpected: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return told("UNEXPECTED: Something went wrong inside the server; nothing is known to be written.");
  }
  const { code, message, hint, data } = error;
  const { candidates, fate, isSaid } = (data ?? {}) as {
    candidates?: unknown;
    fate?: unknown;
    isSaid?: unknown;
  };
  const list = Array.isArray(candidates) ? ` Candidates: ${candidates.slice(0, 20).join(", ")}.` : "";
  return told(
    `${code}: ${message}${list} ${fate === undefined && isSaid === undefined ? (HINTS[code] ?? hint) : hint}`,
  );
}

const told = (text: string): CallToolResult => ({
  content: [{ type: "text", text: visible(text) }],
  isError: true,
});
