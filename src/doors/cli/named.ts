import type { ReadOptions, Session } from "../../session/index.js";
import { VERBS } from "../../session/opening.js";
import { CliError } from "./fail.js";
import { flagOf, valuesOf } from "./flags.js";
import type { OptionSpec, Options } from "./options.js";
import { shortHash, shortId } from "./show.js";

/** How an id is given to a command that only reads. */
export const READ_ID = "its id or topic, or 6 or more of the id's first or last characters";

/** How an id is given to a command that changes something. */
export const WRITE_ID =
  "its whole id as it is shown, or its topic; with --part 6 or more first or last characters";

/** The one mark by which a command that changes something takes a part of an id. */
export const PART: OptionSpec = {
  flags: "--part",
  description: "the id is given in part, as to a command that reads",
};

export interface Named {
  readonly id: string;
  readonly scope?: string;
}

/** What is to be changed: as it was given, or with --part the whole name of what a reader would find by it. */
export async function named(
  session: Session,
  id: string,
  options: Options,
  place: { readonly scope?: string },
): Promise<Named> {
  const found = options.flag("part") ? await session.get(id, place) : undefined;
  return found ? { id: found.id, scope: found.scope } : { id, ...place };
}

/** An id in an option, named as for a write (see `named.ts`); what is not found is left for the gate to judge. */
export async function wholeId(session: Session, id: string, options: ReadOptions): Promise<string> {
  const found = await session.get(id, options);
  return found && (found.topic === id || isShortOf(id, found.id)) ? found.id : id;
}

/** As it is shown, or more of it. */
function isShortOf(given: string, id: string): boolean {
  const shown = shortId(id);
  return (given.endsWith(shown) && id.endsWith(given)) || (given.startsWith(shown) && id.startsWith(given));
}

/** The version of a memory meant by the beginning of its hash. */
export async function wholeHash(
  session: Session,
  id: string,
  hash: string,
  options: ReadOptions,
): Promise<string> {
  if (!/^[0-9a-f]{7,63}$/.test(hash)) return hash;
  const versions = await session.history(id, options);
  const fits = new Set(versions.flatMap((version) => (version.hash?.startsWith(hash) ? [version.hash] : [])));
  const [found = hash, ...more] = fits;
  if (more.length > 0)
    throw new CliError(
      "AMBIGUOUS",
      `${JSON.stringify(hash)} fits ${fits.size} versions.`,
      "Give more characters.",
      1,
      {
        candidates: [...fits],
      },
    );
  return found;
}

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

/** The name most like what was typed, if one is close enough to be meant. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((name) => ({ name, distance: distanceOf(typed, name) }))
    .sort((a, b) => a.distance - b.distance);
  return best && best.distance <= Math.max(2, Math.ceil(best.name.length / 3)) ? best.name : undefined;
}

/** Letters to add, drop or change (Levenshtein). */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
