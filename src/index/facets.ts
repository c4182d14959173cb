import { canonical, hashCanonical, type Json, type MemoryId } from "../core/base/index.js";
import { laneOf, type MemoryRecord } from "../core/ledger/index.js";
import { analyse, folded } from "../language/index.js";

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

/** Hands on all facets of a memory, some perhaps twice. */
export function eachFacet(record: MemoryRecord, take: (facet: string) => void): void {
  const { type, tier, category, tags, topic, parent, attributes, triple, origin } = record;
  const lane = laneOf(type);
  take(byType(type));
  take(byLane(lane));
  if (lane === "belief") {
    take(byTier(tier ?? "register"));
    if (tier === "canon" || topic !== undefined) take(ALWAYS);
  }
  if (category !== undefined) take(byCategory(category));
  for (const tag of tags ?? []) {
    take(byTag(tag));
    take(byLooseTag(tag));
  }
  if (topic !== undefined) take(byTopic(topic));
  if (parent !== undefined) take(byParent(parent));
  if (record.contested) take(CONTESTED);
  if (record.session !== undefined && record.lifetime === "session") take(bySession(record.session));
  for (const name in attributes) take(byAttribute(name, attributes[name] as Json));
  if (triple) take(bySlot(triple.subject, triple.predicate));
  const subject = (name: string): void => {
    for (const { term } of analyse(name)) take(bySubjectWord(term));
  };
  if (triple) subject(triple.subject);
  if (lane === "message" && origin.actor !== undefined) subject(origin.actor);
}
