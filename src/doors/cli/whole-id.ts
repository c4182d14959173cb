import type { ReadOptions, Session } from "../../session/index.js";
import { CliError } from "./fail.js";
import { shortId } from "./show.js";

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
