import { get } from "../memories/index.js";
import { read, text } from "../repo/index.js";
import { BISECT, SEARCH, SEMANTIC } from "./options.js";
import { Vectors } from "./vectors.js";

/** So many of a list are remembered as shown; nobody puts more into a prompt. */
const SHOWN = 1_000;

/** How a session finds memories. */
export const searchVerbs = {
  /**
   * The memories that answer a question best, best first. Words, `"quoted phrases"`, and the filters subject:, type:, tag:,
   * before: and after:; no question is wrong.
   */
  search: read(
    SEARCH,
    () => import("./verbs/search.js"),
    async ({ search }, at, options, question: string) => {
      const found = await search(at, question, options);
      at.context.served.note(found.hits.slice(0, SHOWN));
      return found;
    },
  ),

  /** The memories nearest in meaning to a question. What could not be compared is said, never passed over. */
  semanticSearch: read(
    SEMANTIC,
    () => import("./verbs/semantic-search.js"),
    async ({ semanticSearch }, at, options, query: string) =>
      semanticSearch(at, await at.context.engine.companion(Vectors).embedding(), query, options),
  ),

  /** The unit vectors of a memory, one for each of its parts; empty while it has none. */
  vectors: read(
    { scope: text.as("where it lives, if the id is in several scopes", "scope") },
    () => import("./embedding.js"),
    async (_, at, { scope }, id: string): Promise<Float32Array[]> => {
      const { engine, branch } = at.context;
      const memory = await get(at, id, scope);
      return memory ? (await engine.companion(Vectors).embedding()).unitVectors(branch, memory.hash) : [];
    },
  ),

  /** Which commit made a search return a text, or stop returning it. */
  bisect: read(
    BISECT,
    () => import("./verbs/bisect.js"),
    ({ bisect }, at, options, query: string, expect: string) => bisect(at, query, expect, options),
  ),
};
