import { canonical, hashCanonical, type Json, type MemoryId } from "../base/index.js";
import { laneOf, type MemoryRecord } from "../ledger/index.js";
import { analyse, folded } from "./text/index.js";

/**
 * What a memory can be looked up by is a term like a word. The first character is one that no analysed word holds, so
 * that a text which says `type:fact` is not taken for a fact.
 */
const facet = (kind: string, value: string): string => `\u0001${kind}:${value}`;

/** For those with few values: made once each, for making and hashing a text costs more than all else about a facet. */
function known(
  kind: string,
  reading: (value: string) => string = (value) => value,
): (value: string) => string {
  const made = new Map<string, string>();
  return (value) => {
    let term = made.get(value);
    if (term === undefined) {
      if (made.size >= MOST_KNOWN) made.clear();
      term = facet(kind, reading(value));
      made.set(value, term);
    }
    return term;
  };
}
const MOST_KNOWN = 1000;

export const byType = known("type");
export const byLane = known("lane");
export const byTier = known("tier");
export const byCategory = known("category");
export const byTag = known("tag");
export const byTopic = known("topic");
export const byParent = (parent: MemoryId): string => facet("parent", parent);
/** What lives as long as a session. */
export const bySession = (session: string): string => facet("session", session);
/** Beliefs that are always shown to an agent: canon, and what holds a topic. */
export const ALWAYS = facet("is", "always");
export const CONTESTED = facet("is", "contested");

/** One subject and predicate: what a belief with a triple is about, however its words are joined. */
export const bySlot = (subject: string, predicate: string): string =>
  facet(
    "slot",
    canonical(
      [subject, predicate].map((name) =>
        folded(name)
          .replace(/[\s_-]+/g, " ")
          .trim(),
      ),
    ),
  );

/** What is said, word for word: case, accents and signs do not make it another text. */
export const byText = (text: string): string => {
  const plain = folded(text);
  const words = plain.replace(BEYOND_ASCII.test(plain) ? BETWEEN_WORDS : BETWEEN_ASCII_WORDS, QUOTED_COMMA);
  const from = words.startsWith(QUOTED_COMMA) ? QUOTED_COMMA.length : 0;
  const to = words.endsWith(QUOTED_COMMA) ? words.length - QUOTED_COMMA.length : words.length;
  // Canonical JSON of the words, which hold no sign that it would escape.
  const list = from < to ? `["${words.slice(from, to)}"]` : "[]";
  return facet("text", hashCanonical("content", list).slice(0, 16));
};
const BEYOND_ASCII = /[^\0-\x7f]/;
const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}]+/gu;
const BETWEEN_ASCII_WORDS = /[^a-z0-9]+/g;
const QUOTED_COMMA = '","';

/** A name somebody may have written in another case; `tag:` and `type:` of a question mean these. */
export const byLooseTag = known("tag~", folded);
/** One word of the subject, or of who said it. */
export const bySubjectWord = (term: string): string => facet("subject", term);

/** What a facet says, for those whose values are wanted; `byType("")` and its like are how such facets begin. */
export const valueIn = (term: string): string => term.slice(term.indexOf(":") + 1);

const LONGEST = 120;
export function byAttribute(name: string, value: Json): string {
  const text = canonical([name, value]);
  return facet("attr", text.length <= LONGEST ? text : hashCanonical("link", text));
}

export function facetsOf(record: MemoryRecord): Set<string> {
  const { type, category, tags, topic, parent, attributes, triple, origin } = record;
  const lane = laneOf(type);
  const facets = new Set([byType(type), byLane(lane)]);
  if (lane === "belief") facets.add(byTier(record.tier ?? "register")).add(byText(record.text));
  if (category !== undefined) facets.add(byCategory(category));
  for (const tag of tags ?? []) facets.add(byTag(tag)).add(byLooseTag(tag));
  if (topic !== undefined) facets.add(byTopic(topic));
  if (lane === "belief" && (record.tier === "canon" || topic !== undefined)) facets.add(ALWAYS);
  if (parent !== undefined) facets.add(byParent(parent));
  if (record.contested) facets.add(CONTESTED);
  if (record.session !== undefined && record.lifetime === "session") facets.add(bySession(record.session));
  for (const [name, value] of Object.entries(attributes ?? {})) facets.add(byAttribute(name, value as Json));
  if (triple) facets.add(bySlot(triple.subject, triple.predicate));
  for (const name of [triple?.subject, lane === "message" ? origin.actor : undefined])
    for (const { term } of name === undefined ? [] : analyse(name)) facets.add(bySubjectWord(term));
  return facets;
}
