// Facts of about 300 bytes, different from each other, the same in every run.
const PEOPLE = ["Ada", "Grace", "Linus", "Barbara", "Edsger", "Margaret", "Alan", "Radia"];
const VERBS = ["prefers", "decided on", "asked for", "moved away from", "depends on", "measured"];
const THINGS = [
  "PostgreSQL",
  "the blue theme",
  "weekly reviews",
  "static typing",
  "the Lisbon office",
  "dark roast",
];

export function fact(at) {
  const pick = (list, salt) => list[(at * salt + (at >> 3)) % list.length];
  const reason = `because of ticket ${(at * 7919) % 99991} and the talk on day ${(at * 31) % 365}`;
  return {
    text: `${pick(PEOPLE, 5)} ${pick(VERBS, 3)} ${pick(THINGS, 7)} in project ${at % 977}, ${reason}; remember this for release ${at}.`,
    tags: ["bench"],
  };
}

export const facts = (count, from = 0) => Array.from({ length: count }, (_, at) => fact(from + at));
