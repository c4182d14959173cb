import type { ReadOptions, Session } from "../../session/index.js";
import { CliError } from "./fail.js";

/** Arguments of options may be shortened like any id; what is not found is left for the gate to judge. */
export async function wholeId(session: Session, id: string, options: ReadOptions): Promise<string> {
  return (await session.get(id, options))?.id ?? id;
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
