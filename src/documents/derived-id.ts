import { canonical, hashValue, isBlank, type MemoryId } from "../core/base/index.js";
import { type DocNode, preorder } from "./ast.js";

/**
 * An id that follows from what the node is and where it hangs, never from the clock: every clone that reads the same
 * file gets the same one. Written as a UUID (version 8), because ids of this kind are written into Org files.
 */
export function derivedId(parent: string, type: string, text: string, occurrence: number): MemoryId {
  const hex = hashValue("id", ["node", parent, type, text, occurrence]);
  const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}` as MemoryId;
}

/**
 * The id of a tree whose root has none: it follows from what the root says, else from its attributes, else from all that
 * is below it. Two trees that only share the type of their root are two.
 */
export function rootId(tree: DocNode, parent: string): MemoryId {
  const { type, text, attributes } = tree;
  if (!isBlank(text)) return derivedId(parent, type, text, 0);
  const statement =
    Object.keys(attributes).length > 0
      ? attributes
      : preorder(tree).map(({ node, parent: above = null }) => [
          above,
          node.type,
          node.text,
          node.attributes,
        ]);
  return derivedId(parent, type, canonical(statement), 0);
}
