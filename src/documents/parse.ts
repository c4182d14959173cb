import { PalimpsestError } from "../core/base/index.js";
import type { DocNode } from "./node.js";
import { parseOrg } from "./org.js";

export type DocumentFormat = "org" | "markdown";

/** By its name; undefined for files that are no documents. */
export function formatOf(path: string): DocumentFormat | undefined {
  if (/\.org$/i.test(path)) return "org";
  return /\.(?:md|markdown|mdown|mkd)$/i.test(path) ? "markdown" : undefined;
}

/** The tree of a file's text. */
export async function parseDocument(text: string, path: string, given?: DocumentFormat): Promise<DocNode> {
  const format = given ?? formatOf(path);
  if (format === undefined)
    throw new PalimpsestError("INVALID_VALUE", `${JSON.stringify(path)} is neither Org nor Markdown.`, {
      hint: "Give a file that ends in .org or .md, or name its format.",
    });
  if (text.includes("\0"))
    throw new PalimpsestError("INVALID_TEXT", `${JSON.stringify(path)} is not a text file.`);
  if (format === "org") return parseOrg(text, path);
  const { parseMarkdown } = await import("./markdown.js");
  return parseMarkdown(text, path);
}
