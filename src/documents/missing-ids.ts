import { unreadable } from "../core/base/index.js";
import { type AstNode, typeOf } from "./ast.js";
import { COMMON_KEYWORDS, lineAt, readDrawer, readHead } from "./org-head.js";

/** Every headline of a syntax tree that has no :ID:, depth first. */
export function* headlinesMissingId(ast: AstNode): Generator<AstNode> {
  const found = missing(ast);
  for (;;) {
    let next: IteratorResult<AstNode>;
    try {
      next = found.next();
    } catch (error) {
      throw unreadable(error);
    }
    if (next.done) return;
    yield next.value;
  }
}

function* missing(ast: AstNode): Generator<AstNode> {
  const waiting: (AstNode | string | null | undefined)[] = [ast];
  const seen = new Set<object>();
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (typeof node !== "object" || node === null || seen.has(node)) continue;
    seen.add(node);
    const properties = node.properties ?? {};
    if (typeOf(node.type) === "headline" && !properties.ID && !properties[":ID"]) yield node;
    for (const child of [...(node.contents ?? [])].reverse()) waiting.push(child);
  }
}

/** The first headline without an :ID:, depth first; undefined if all have one. */
export const findHeadlineMissingId = (ast: AstNode): AstNode | undefined =>
  headlinesMissingId(ast).next().value as AstNode | undefined;

/**
 * An Org text in which every headline has an :ID:. `ids` are those of all its headlines in order; only headlines
 * without one are touched, and of them nothing but the drawer.
 */
export function writeIds(text: string, ids: readonly string[]): string {
  const starts = [...text.matchAll(/(?<=^|\n)\*+ /g)].map(({ index }) => index);
  const eol = /\r?\n/.exec(text)?.[0] ?? "\n";
  const pieces = [text.slice(0, starts[0] ?? text.length)];
  for (const [at, start] of starts.entries()) {
    const section = text.slice(start, starts[at + 1] ?? text.length);
    pieces.push(withId(section, ids[at] as string, eol));
  }
  return pieces.join("");
}

function withId(section: string, id: string, eol: string): string {
  const head = readHead(section, COMMON_KEYWORDS);
  if (head.properties.get("ID")) return section;
  const drawer = drawerStart(section, head.length);
  if (drawer === undefined) {
    const above = section.slice(0, head.length);
    const gap = above.endsWith("\n") ? "" : eol;
    return `${above}${gap}:PROPERTIES:${eol}:ID: ${id}${eol}:END:${eol}${section.slice(head.length)}`;
  }
  const begin = lineAt(section, drawer).end;
  const rest = section.slice(begin).replace(/^[ \t]*:ID:[ \t]*(?:\r?\n)/i, "");
  const indent = /^[ \t]*/.exec(section.slice(drawer))?.[0] ?? "";
  return `${section.slice(0, begin)}${indent}:ID: ${id}${eol}${rest}`;
}

/** Where the property drawer that ends a head begins. */
function drawerStart(section: string, end: number): number | undefined {
  for (let at = lineAt(section, 0).end; at < end; at = lineAt(section, at).end)
    if (readDrawer(section, at)?.end === end) return at;
  return undefined;
}
