import { parseScope } from "../core/base/index.js";
import type { FileTree, KnowledgeGraph } from "../documents/index.js";
import type { Atomic } from "../memories/index.js";
import { checkOptions, text } from "../repo/index.js";
import { ReviewVerbs } from "./review-verbs.js";

/** Memory in the forms in which other tools know it. Their code is loaded when one is asked for. */
export class ForeignVerbs extends ReviewVerbs {
  /** The knowledge graph in a scope: entities, what was observed of them, and relations. */
  async knowledgeGraph(options: { readonly scope?: string } = {}): Promise<KnowledgeGraph> {
    checkOptions("knowledgeGraph", options, { scope: text });
    const { KnowledgeGraph } = await import("../documents/graph/knowledge-graph.js");
    return new KnowledgeGraph(this.#atomic(), parseScope(options.scope ?? this.context.home));
  }

  /** The text files in a scope. */
  async fileTree(options: { readonly scope?: string } = {}): Promise<FileTree> {
    checkOptions("fileTree", options, { scope: text });
    const { FileTree } = await import("../documents/file-tree.js");
    return new FileTree(this.#atomic(), parseScope(options.scope ?? this.context.home));
  }

  #atomic(): Atomic {
    const context = () => this.context;
    return {
      get context() {
        return context();
      },
      read: (run) => this.look(undefined, (tip) => run(this.engine.reader, tip)),
      write: (verb, message, run) =>
        this.open(async () => {
          const { branch } = this.context;
          const info = await this.info(verb, { message });
          const done = await this.engine.writer.submit({ branch, info, run, alone: true });
          this.note(branch, done);
          return done.value;
        }),
    };
  }
}
