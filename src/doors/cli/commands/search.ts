import type { SearchHit, SearchResult } from "../../../session/index.js";
import { VERBS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { flagOf, flagsOf, valuesOf } from "../flags.js";
import { clean, indent, type Line, line, type Paint } from "../line.js";
import { withSession } from "../open.js";
import type { Out } from "../out.js";
import { whileEmbedding } from "../progress.js";
import { visible } from "../safe.js";
import { isUnseen, NO_TEXT, plural, shortId } from "../show.js";
import { attributesOf } from "../values.js";
import { cut, OVERVIEW, widthOf } from "../width.js";

const { options: SEARCH } = VERBS.search;
/** What the verb takes as it is given. */
const PLAIN = [
  "mode",
  "limit",
  "type",
  "tier",
  "category",
  "topic",
  "tag",
  "in",
  "scope",
  "after",
  "before",
  "minScore",
] as const;

export const command: Command = {
  name: "search",
  summary: "find memories by what they say, best first",
  args: [{ name: "<question>", description: 'words, "quoted phrases", subject: type: tag: before: after:' }],
  options: [
    ...flagsOf(SEARCH, ...PLAIN),
    flagOf(SEARCH, "attributes", "--attr <K=V>"),
    { flags: "--diverse", description: "rather something new than more of the same" },
    { flags: "--why", description: "show what speaks for each" },
  ],
  at: true,
  examples: [
    'pal search "which language for the backend"',
    "pal search 'deploy type:note after:2026-01'",
    'pal search --mode hybrid "food that is dangerous for us"',
  ],
  async run(call) {
    const [question = ""] = call.args;
    const { options, globals, out } = call;
    const attributes = attributesOf(options.list("attr"));
    const asked = valuesOf(options, SEARCH, ...PLAIN);
    const { mode } = asked;
    const wantsVectors = mode === "hybrid" || mode === "vector";
    const found = await withSession(call, "existing", async (session, store) => {
      const search = () =>
        session.search(question, {
          ...asked,
          ...(attributes && { attributes }),
          ...(globals.at !== undefined && { at: globals.at }),
          ...(options.flag("diverse") && { diversity: DIVERSITY }),
          ...(wantsVectors && { waitMs: EMBEDDING_MS }),
        });
      return wantsVectors ? whileEmbedding(call, store, search) : search();
    });
    await out.answer(found, () => hitLines(found.hits, out, options.flag("why")));
    if (!out.json) await out.talk(out.talkPaint.dim(summary(found, wantsVectors)));
    return 0;
  },
};

/** How much what is new counts for whoever asks for it. */
const DIVERSITY = 0.3;

/** Whoever asks for meaning may have to wait for it, once; what is left then is embedded by the next such search. */
const EMBEDDING_MS = 60_000;

/** How many, how long, and what a person should know about it. */
function summary({ hits, ms, mode, abstain, reason }: SearchResult, wantsVectors: boolean): string {
  const said = [`${plural(hits.length, "hit")} in ${ms.toFixed(ms < 10 ? 1 : 0)} ms`];
  if (mode !== "lexical") said.push(mode);
  if (wantsVectors && reason !== undefined) said.push(reason);
  if (abstain && hits.length > 0) said.push("nothing here is likely to answer it");
  return said.join(" · ");
}

/** One line each: score, id, scope if it is not the shared one, who said it, and the text with its matches. */
function* hitLines(hits: readonly SearchHit[], { paint, columns }: Out, why: boolean): Generator<Line> {
  const ids = hits.map(({ id }) => clean(cut(shortId(id), 24)));
  const width = ids.reduce((most, id) => Math.max(most, id.columns), 0);
  for (const [at, hit] of hits.entries()) {
    const score = clean(hit.score.toFixed(2)).padEnd(5);
    const scope = clean(hit.scope === "shared" ? "" : `[${hit.scope}] `);
    const speaker = clean(hit.speaker === undefined ? "" : `${hit.speaker}: `);
    const shown = Math.min(columns, OVERVIEW);
    const left = Math.max(16, shown - width - score.columns - scope.columns - speaker.columns - 4);
    const text = isUnseen(hit.text) ? paint.dim(NO_TEXT) : highlighted(hit.text, hit.matches, left, paint);
    yield line`${paint.dim(score)}  ${paint.bold(ids[at]!.padEnd(width))}  ${paint.cyan(scope)}${speaker}${text}`;
    if (why) yield indent(paint.dim(reasons(hit.why)), " ".repeat(7));
  }
}

const reasons = (why: SearchHit["why"]): string =>
  why
    .filter(({ points }) => Math.abs(points) >= 0.005)
    .map(({ feature, points }) => `${feature} ${points.toFixed(2)}`)
    .join(", ");

/** How much of a text is shown before its first match, when not all of it fits. */
const BEFORE = 24;

/** A text on one line of at most `columns`, its matches painted, from a little before the first one if it is long. */
function highlighted(
  text: string,
  matches: readonly (readonly [start: number, end: number])[],
  columns: number,
  paint: Paint,
): Line {
  const start = widthOf(visible(text)) <= columns ? 0 : beginning(text, matches[0]?.[0] ?? 0, columns);
  let shown = start === 0 ? line`` : line`…`;
  let at = start;
  const add = (to: number, style: (piece: Line) => Line): void => {
    const left = columns - shown.columns;
    if (to <= at || left <= 0) return;
    const piece = visible(text.slice(at, to)).replace(/\s+/gu, " ");
    shown = line`${shown}${style(clean(cut(piece, left)))}`;
    at = to;
  };
  for (const [from, to] of matches) {
    if (from < at) continue;
    add(from, (piece) => piece);
    add(to, paint.yellow);
  }
  add(text.length, (piece) => piece);
  return shown;
}

/** The beginning of a word a little before a match, if the match would not be seen otherwise. */
function beginning(text: string, match: number, columns: number): number {
  if (widthOf(visible(text.slice(0, match))) + BEFORE < columns) return 0;
  const blank = text.lastIndexOf(" ", match - BEFORE);
  return blank < 0 ? match : blank + 1;
}
