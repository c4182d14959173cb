import type { Found } from "./rule.js";

/** Predicates that do not read as a verb. */
const VERBS: Readonly<Record<string, string>> = {
  name: "is called",
  preferred_name: "wants to be called",
  preferred_language: "wants answers in",
  job: "works as",
  is_a: "is a",
  age: "has the age of",
  from: "is from",
  born: "was born in",
  allergic_to: "is allergic to",
  intolerant_to: "is intolerant to",
  married_to: "is married to",
  engaged_to: "is engaged to",
  prefers_to: "would rather",
  decided: "decided",
};
const NOUNS =
  /^(?:favou?rite_|preferred_|native_|new_|current_|dream_|main_)|^(?:health|diet|religion|nationality)$/;
const VERBAL =
  /^(?:is|has|lives|works|likes|dislikes|prefers|avoids|grew|always|usually|normally|typically|does|decided|asks|allergic|can|must|moved|start|end|open|close|use|deploy|adopted|founded|co-founded|launched|published|enrolled|signed|graduated|won|volunteered|got|started)(?:_|$)|s$|_(?:on|to|by|in|at|for)$/;

/** The fact as a sentence that stands alone. */
export function factText({ subject, predicate, object, text, who: named }: Found, speaker: string): string {
  const whole = speaker === "user" ? "The user" : speaker;
  if (text !== undefined) return text.replace("{me}", whole);
  const phrase = named?.replace("{me}", whole);
  const who =
    phrase !== undefined
      ? phrase.charAt(0).toUpperCase() + phrase.slice(1)
      : subject === "user"
        ? "The user"
        : subject === speaker
          ? whole
          : subject.charAt(0).toUpperCase() + subject.slice(1);
  const verb = VERBS[predicate];
  if (verb !== undefined) return `${who} ${verb} ${object}.`;
  const words = predicate.replace(/_/g, " ");
  if (NOUNS.test(predicate) || !VERBAL.test(predicate)) return `${who}'s ${words} is ${object}.`;
  return `${who} ${words} ${object}.`;
}
