import { type BranchName, PalimpsestError, parseBranch } from "../../core/base/index.js";

/** The newest commit of the session's own branch, as people say it who know git. */
export const HEAD = "HEAD";

/** The name of a new branch or tag. One called HEAD would stand before the newest commit for good. */
export function parseNewName(given: string): BranchName {
  if (given !== HEAD) return parseBranch(given);
  throw new PalimpsestError("INVALID_NAME", "HEAD is the newest commit of the branch you are on.", {
    hint: "Choose another name.",
  });
}
