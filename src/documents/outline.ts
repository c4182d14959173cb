import type { DocNode } from "./ast.js";
import { type Section, sectionNode } from "./source.js";

interface Open {
  readonly section: Section;
  /** Level of what it hangs below. */
  readonly above: number;
  readonly children: DocNode[];
}

/** Nests sections by their levels: each goes below the nearest one before it with a smaller level. */
export function nest(sections: readonly Section[]): DocNode {
  const open: Open[] = [];
  const close = (level: number): DocNode | undefined => {
    let done: DocNode | undefined;
    while (open.length > 0 && (open.at(-1) as Open).section.level >= level) {
      const { section, above, children } = open.pop() as Open;
      done = sectionNode(section, above, children);
      open.at(-1)?.children.push(done);
    }
    return done;
  };
  for (const section of sections) {
    close(section.level);
    open.push({ section, above: open.at(-1)?.section.level ?? -1, children: [] });
  }
  return close(0) as DocNode;
}
