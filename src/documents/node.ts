import type { JsonObject } from "../core/base/index.js";

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
