import { laneOf, type MemoryRecord, type Tip } from "../ledger/index.js";
import type { Citation, Layer } from "../recall/index.js";
import type { Context } from "./context.js";
import type { Engine } from "./engine.js";
import type { SearchHit } from "./search-hit.js";
import type { SearchMode } from "./vector-leg.js";
import { search } from "./verbs/search.js";

interface Asked {
  readonly context: Context;
  readonly engine: Engine;
  readonly tip: Tip;
  readonly now: string;
}

const LIMIT = 5;
/** Much less likely than the best: a quotation that would only distract. */
const FAINT = 0.1;
/** Nearly as likely as the best. */
const CLOSE = 0.8;
const LANES = ["belief", "document", "message"];

/** L1: beliefs, the palace and documents, and what was said. It ends the walk where search would not abstain. */
export const memoryLayer = (
  asked: Asked,
  { limit = LIMIT, mode }: { readonly limit?: number | undefined; readonly mode?: SearchMode | undefined },
): Layer => ({
  name: "L1",
  async ask(question) {
    const { context, engine, tip, now } = asked;
    const { hits, answerable, abstain } = await search(context, engine, tip, now, question, {
      limit,
      ...(mode !== undefined && { mode }),
    });
    const kept = abstain ? hits.slice(0, 1) : chosen(hits);
    context.served.note(kept);
    const records = await engine.reader.values(
      "memory",
      kept.map(({ hash }) => hash),
    );
    const found = kept.map((hit) => citationOf(hit, records.get(hit.hash)));
    return { status: abstain ? "empty" : "hit", best: answerable, found };
  },
});

/** What is believed is told before what was only said, where both are about as likely. */
function chosen(hits: readonly SearchHit[]): SearchHit[] {
  const best = hits[0]?.probability ?? 0;
  const kept = hits.filter(({ probability }) => probability >= FAINT * best);
  const close = kept.filter(({ probability }) => probability >= CLOSE * best);
  const rank = ({ type }: SearchHit): number => LANES.indexOf(laneOf(type));
  return [...close.toSorted((a, b) => rank(a) - rank(b)), ...kept.slice(close.length)];
}

export function citationOf(hit: SearchHit, record: MemoryRecord | undefined): Citation {
  const { id, text, type, scope, commit, hash, version, author, speaker, session, turn, saidAt } = hit;
  const contested = record?.contested?.text?.terms.flatMap(({ value }) =>
    typeof value === "string" ? [value] : [],
  );
  return {
    layer: "L1",
    ...{ id, text, type, scope, commit, hash, version, author },
    score: hit.probability,
    updatedAt: hit.updatedAt,
    ...(record && { trust: record.origin.trust }),
    ...(speaker !== undefined && { speaker }),
    ...(session !== undefined && { session }),
    ...(turn !== undefined && { turn }),
    ...(saidAt !== undefined && { saidAt }),
    ...(contested && { contested }),
  };
}
