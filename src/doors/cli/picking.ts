import { given, type Options } from "./options.js";
import { shortHash } from "./show.js";

/** How one commit is named and seen, for the commands that replay it. */
export const PICKING = {
  commit: {
    name: "<commit>",
    description: "a hash by 7 or more of its first digits, a branch, tag or snapshot",
  },
  mainline: {
    flags: "--mainline <parent>",
    description: "of a merge: the parent its change is seen from; 1 is the branch merged into",
  },
} as const;

export function pickingOf(options: Options): { mainline?: number; message?: string } {
  const mainline = options.count("mainline");
  return { ...given(options, "message"), ...(mainline !== undefined && { mainline }) };
}

/** What somebody named, said again: names as they are, a whole hash as short as everywhere. */
export const asNamed = (point: string): string =>
  /^[0-9a-f]{13,64}$/.test(point) ? shortHash(point) : point;
