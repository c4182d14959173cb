import type { FileOrFolder } from "../../session/index.js";
import { sizeOf } from "./lines.js";

/** What a folder is said to take up: it takes up nothing here, but the tool shows a number. */
const FOLDER_SIZE = "4K";
const DEEPEST = 2;

/** A folder as the tool lists it: two levels deep, without hidden names. */
export function listing(
  shown: string,
  path: string,
  folder: FileOrFolder & { kind: "folder" },
  at: (path: string) => FileOrFolder | undefined,
): string {
  const rows = [`${FOLDER_SIZE}\t${shown}`];
  const collect = (from: string, names: readonly string[], below: string, depth: number): void => {
    for (const name of names) {
      if (name.startsWith(".") || name === "node_modules") continue;
      const [own, label] = [from === "" ? name : `${from}/${name}`, `${below}${name}`];
      const found = at(own);
      if (found?.kind === "file") rows.push(`${sizeOf(Buffer.byteLength(found.text))}\t${shown}/${label}`);
      if (found?.kind !== "folder") continue;
      rows.push(`${FOLDER_SIZE}\t${shown}/${label}/`);
      if (depth < DEEPEST) collect(own, found.names, `${label}/`, depth + 1);
    }
  };
  collect(path, folder.names, "", 1);
  return `Here're the files and directories up to 2 levels deep in ${shown}, excluding hidden items and node_modules:\n${rows.join("\n")}`;
}
