import { hashValue } from "../core/base/index.js";

/** Windows opens a device, not a file, under these names, whatever extension follows. */
const DEVICE = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(?:\.|$)/i;
const LONGEST_BYTES = 100;

/**
 * A name as part of a path: letters, digits, dots, dashes and underscores, never able to mean another place. What is left
 * of a name that says nothing, or something else than it should, is replaced by its hash.
 */
export function fileStem(name: string): string {
  const plain = name
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, "-")
    .replace(/\.{2,}/g, ".")
    .replace(/^[.\-\p{M}]+|(?<![.-])[.-]+$/gu, "");
  const isUsable = plain !== "" && !DEVICE.test(plain) && Buffer.byteLength(plain) <= LONGEST_BYTES;
  return isUsable ? plain : `name-${shortDigest(name)}`;
}

/** Is it a name that `fileStem` leaves as it is? Others are not read: they are not ours, or traps. */
export const isFileStem = (stem: string): boolean => fileStem(stem) === stem.normalize("NFC");

/** File systems differ in what they take for the same name; this takes all for the same that any does. */
export const stemKey = (stem: string): string =>
  stem.normalize("NFKC").toLowerCase().toUpperCase().normalize("NFC");

/** Stems for several names in one folder: names that some file system would take for the same get their ids' hash. */
export function distinctStems(
  things: readonly { readonly id: string; readonly name: string }[],
  reserved: readonly string[] = [],
): Map<string, string> {
  const counts = new Map<string, number>(reserved.map((stem) => [stemKey(stem), 1]));
  for (const { name } of things) {
    const key = stemKey(fileStem(name));
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return new Map(
    things.map(({ id, name }) => {
      const stem = fileStem(name);
      const isAlone = (counts.get(stemKey(stem)) as number) === 1;
      return [id, isAlone ? stem : `${stem.slice(0, 60).replace(/(?<![.-])[.-]+$/, "")}-${shortDigest(id)}`];
    }),
  );
}

const shortDigest = (text: string): string => hashValue("content", text).slice(0, 8);
