import { VERBS } from "../../session/opening.js";
import { flagOf, valuesOf } from "./flags.js";
import type { Options } from "./options.js";
import { shortHash } from "./show.js";

const { options: OPTIONS } = VERBS.cherryPick;

/** How one commit is named and seen, for the commands that replay it. */
export const PICKING = {
  commit: {
    name: "<commit>",
    description: "a hash by 7 or more of its first digits, a branch, tag or snapshot",
  },
  mainline: flagOf(OPTIONS, "mainline"),
};

export const pickingOf = (options: Options) => valuesOf(options, OPTIONS, "mainline", "message");

/** What somebody named, said again: names as they are, a whole hash as short as everywhere. */
export const asNamed = (point: string): string =>
  /^[0-9a-f]{13,64}$/.test(point) ? shortHash(point) : point;
