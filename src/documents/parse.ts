import { PalimpsestError } from "../core/base/index.js";
import { type DocNode, preorder } from "./ast.js";
import { parseOrg } from "./org.js";

export type DocumentFormat = "org" | "markdown";

/** By its name; undefined for files that are no documents. */
export function formatOf(path: string): DocumentFormat | undefined {
  if (/\.org$/i.test(path)) return "org";
  return /\.(?:md|markdown|mdown|mkd)$/i.test(path) ? "markdown" : undefined;
}

/** A document is one commit, and each headline a memory of it: so many that say so little hold up everybody else. */
const MANY = 8_000;
const LEAST = 8;

/** The tree of a file's text. */
export async function parseDocument(text: string, path: string, given?: DocumentFormat): Promise<DocNode> {
  const format = given ?? formatOf(path);
  if (format === undefined)
    throw new PalimpsestError("INVALID_VALUE", `${JSON.stringify(path)} is neither Org nor Markdown.`, {
      hint: "Give a file that ends in .org or .md, or name its format.",
    });
  if (text.includes("\0"))
    throw new PalimpsestError("INVALID_TEXT", `${JSON.stringify(path)} is not a text file.`);
  const tree =
    format === "org"
      ? await parseOrg(text, path)
      : await (await import("./markdown.js")).parseMarkdown(text, path);
  const headlines = preorder(tree).length - 1;
  if (headlines > MANY && text.length < headlines * LEAST)
    throw new PalimpsestError(
      "INVALID_TEXT",
      `${JSON.stringify(path)} is ${headlines} headlines of hardly a word each.`,
      { hint: "Read it in as several files, or keep it as plain text." },
    );
  return tree;
}
