import type { DocNode } from "./node.js";
import { type Section, sectionNode } from "./source.js";

/** A section and how deep its headline is; the file itself is level 0. */
export interface Leveled {
  readonly level: number;
  readonly section: Section;
}

/** Nests sections by their levels: each goes below the nearest one before it with a smaller level. */
export function nest(sections: readonly Leveled[]): DocNode {
  const open: { level: number; section: Section; children: DocNode[] }[] = [];
  const close = (level: number): DocNode | undefined => {
    let done: DocNode | undefined;
    while (open.length > 0 && (open.at(-1) as { level: number }).level >= level) {
      const { section, children } = open.pop() as (typeof open)[number];
      done = sectionNode(section, children);
      open.at(-1)?.children.push(done);
    }
    return done;
  };
  for (const { level, section } of sections) {
    close(level);
    open.push({ level, section, children: [] });
  }
  return close(0) as DocNode;
}
