import { type Json, type JsonObject, PalimpsestError, quote, unreadable } from "../core/base/index.js";

/** A node of a syntax tree as editors send it. Text among the contents is a node too; null and "" are nothing. */
export interface AstNode {
  readonly type: string;
  readonly properties?: { readonly [name: string]: Json | undefined } | null;
  readonly contents?: readonly (AstNode | string | null | undefined)[] | null;
  readonly "raw-content"?: string | null;
}

interface Open {
  readonly node: AstNode;
  readonly children: DocNode[];
  next: number;
}

/**
 * A syntax tree as a document tree. Every node is kept with its content, whatever its type. A tree that contains
 * itself is refused. A loop, because trees may be deeper than the stack.
 */
export function fromAst(ast: AstNode): DocNode {
  try {
    return treeOf(ast);
  } catch (error) {
    throw unreadable(error);
  }
}

function treeOf(ast: AstNode): DocNode {
  const trail: Open[] = [];
  const onTrail = new Set<object>();
  const enter = (node: AstNode): void => {
    checkNode(node);
    if (onTrail.has(node)) throw invalid("The tree contains itself.");
    onTrail.add(node);
    trail.push({ node, children: [], next: 0 });
  };
  enter(ast);
  for (;;) {
    const at = trail.at(-1) as Open;
    const contents = at.node.contents ?? [];
    if (at.next < contents.length) {
      const child = contents[at.next++];
      if (typeof child === "string") at.children.push(...textNode(child));
      else if (child !== null && child !== undefined) enter(child);
      continue;
    }
    trail.pop();
    onTrail.delete(at.node);
    const done = docNode(at.node, at.children);
    const above = trail.at(-1);
    if (!above) return done;
    above.children.push(done);
  }
}

const invalid = (message: string): PalimpsestError =>
  new PalimpsestError("INVALID_VALUE", message, {
    hint: "A node is {type, properties, contents, raw-content}, and its contents are nodes or texts.",
  });

function checkNode(node: unknown): asserts node is AstNode {
  if (typeof node !== "object" || node === null || Array.isArray(node))
    throw invalid("A node of a tree is an object with a type.");
  const { type, properties, contents, "raw-content": raw, ...rest } = node as Record<string, unknown>;
  const [unknown] = Object.keys(rest);
  // What nobody reads would be lost without a word.
  if (unknown !== undefined) throw invalid(`A node of a tree has no ${quote(unknown)}.`);
  if (typeof type !== "string") throw invalid("A node of a tree has a type, which is text.");
  if (
    properties !== undefined &&
    properties !== null &&
    (typeof properties !== "object" || Array.isArray(properties))
  )
    throw invalid(`The properties of a ${type} are an object.`);
  if (properties && Object.hasOwn(properties, "__proto__"))
    throw invalid(`A property of a ${type} is called "__proto__".`);
  if (contents !== undefined && contents !== null && !Array.isArray(contents))
    throw invalid(`The contents of a ${type} are a list.`);
  if (raw !== undefined && raw !== null && typeof raw !== "string")
    throw invalid(`The raw-content of a ${type} is text.`);
}

function docNode(node: AstNode, children: readonly DocNode[]): DocNode {
  const attributes = attributesOf(node);
  const type = typeOf(node.type);
  const id = attributes.ID;
  const tags = Array.isArray(attributes.TAGS) ? attributes.TAGS : [];
  return {
    ...(typeof id === "string" && id !== "" && { id }),
    type,
    text: contentOf(type, attributes, node["raw-content"] ?? undefined),
    attributes,
    tags: tags.filter((tag) => typeof tag === "string"),
    children,
  };
}

/** Types are lower-case words here; `HEADLINE` and `:HEADLINE` are `headline`. */
export const typeOf = (given: string): string =>
  given
    .replace(/^:/, "")
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, "-");

/** Properties as they are, without the colon of Lisp keywords. What is undefined or null is absent. */
function attributesOf({ properties }: AstNode): JsonObject {
  const attributes: Record<string, Json> = {};
  for (const [name, value] of Object.entries(properties ?? {}))
    if (value !== undefined && value !== null) attributes[name.replace(/^:/, "")] = value;
  return attributes;
}

/** A headline says its title, a line feed and its raw content. What is absent is absent: nothing stands in for it. */
function contentOf(type: string, { TITLE }: JsonObject, raw: string | undefined): string {
  const title = typeof TITLE === "string" ? TITLE : undefined;
  return type === "headline" && title !== undefined ? `${title}\n${raw ?? ""}` : (raw ?? title ?? "");
}

const textNode = (text: string): DocNode[] =>
  text === "" ? [] : [{ type: "text", text, attributes: {}, tags: [], children: [] }];

/** A document as a tree, before anybody has decided under which ids it is stored. */
export interface DocNode {
  /** Given by the source (an Org :ID:); absent where one has to be found or derived. */
  readonly id?: string | undefined;
  readonly type: string;
  readonly text: string;
  readonly attributes: JsonObject;
  readonly tags: readonly string[];
  readonly children: readonly DocNode[];
}

/** A node with its place in the list of all nodes, parents first. */
export interface Placed {
  readonly node: DocNode;
  /** Index of the parent in the list; undefined for the root. */
  readonly parent: number | undefined;
}

/** All nodes, parents before children and siblings in order. A loop, because trees may be deeper than the stack. */
export function preorder(root: DocNode): Placed[] {
  const list: Placed[] = [];
  const waiting: Placed[] = [{ node: root, parent: undefined }];
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    const index = list.push(at) - 1;
    for (const child of at.node.children.toReversed()) waiting.push({ node: child, parent: index });
  }
  return list;
}
