/** Where the thing spoken of ends and something else begins. */
const TAIL = [
  /(?<!\s)\s*[([].*$/su,
  /(?<!\s)\s*[:;](?!\d).*$/su,
  /(?<!\s)\s+(?:because|so that|so (?:i|we|it|that)|which|but|although|though|since|while|whereas|weil|obwohl|porque|pero|parce|mais)(?=\s|$).*$/isu,
  /(?<!\s)\s+(?:and|und|y|et|e)\s+(?:i|i['’]\p{L}+|we|we['’]\p{L}+|it|it['’]s|he|she|they|you|this|that|am|is|are|was|have|has|can|could|will|would|want|wants|need|needs|wondering|hoping|trying|looking|thinking|then|my \p{L}+ (?:is|are|was))(?=\s|$).*$/isu,
  /,\s*(?:too|right|you know|by the way|btw|please|thanks|thank you|though|actually|so|and|or|not|like|like,.*|especially.*|including.*|with .*|is .*|can .*|what .*|how .*)$/isu,
];
const LOOSE =
  /(?<![\s,])[\s,]+(?:too|as well|also|now|a lot|so much|very much|lately|these days|nowadays|anymore|any more|either|though|please|instead|by the way|btw|actually|of course|for sure|in general|and|or|the|a|my|to|of|with|for|in|at|on|jetzt|ahora|maintenant)$/iu;

export const MOST_WORDS = 14;

/** The thing itself out of the rest of a clause, or undefined when none can be recognized. */
export function thingIn(rest: string): string | undefined {
  let thing = rest.trim();
  for (const tail of TAIL) thing = thing.replace(tail, "");
  thing = withoutAside(thing).replace(/(?<![\s.,!?。！？…])[\s.,!?。！？…]+$/u, "");
  for (let shorter = thing.replace(LOOSE, ""); shorter !== thing; shorter = thing.replace(LOOSE, ""))
    thing = shorter;
  thing = thing.replace(/(?<![\s.,!?])[\s.,!?]+$/u, "").trim();
  if (thing === "" || thing.split(/\s+/).length > MOST_WORDS || !/[\p{L}\p{N}]/u.test(thing))
    return undefined;
  return POINTING.test(thing) || ELSEWHERE.test(thing) ? undefined : inThirdPerson(thing);
}

/** A list stays ("tea, rice and beans"); an aside goes. */
function withoutAside(thing: string): string {
  const pieces = thing.split(/,\s*/);
  const isList =
    pieces.length > 1 &&
    pieces.every((piece) => piece.split(/\s+/).length <= 3) &&
    /\b(?:and|or)\b/.test(pieces.at(-1)!);
  // "simple, small tools" is one thing: a single word before the comma may belong to what follows.
  const isShort = !/\s/.test(pieces[0]!) && thing.split(/\s+/).length <= 6;
  if (isList || isShort) return thing;
  const isHalf =
    /\b(?:an?|the|some|more|very)\s+\S+$/i.test(pieces[0]!) && /^\p{Ll}+ \p{Ll}/u.test(pieces[1] ?? "");
  return isHalf && !/^(?:like|such|with|in|on|at|for|to|by|from|as|and|or|but)\b/.test(pieces[1]!)
    ? pieces.slice(0, 2).join(", ")
    : pieces[0]!;
}

/** Words that point at something said or shown elsewhere: nobody could tell later what was meant. */
const POINTING =
  /^(?:it|its|that|this|these|those|them|they|him|her|he|she|you|your|yours|one|ones|both|everything|something|anything|nothing|some|any|all|none|lots?|more|most|much|many|such|so|too|as|how|what|when|where|why|who|whatever|there|here|being able|the (?:way|idea|thought|fact|look|vibe|vibes|feeling|feel|same|whole|one|ones|other|others|first|last|new|rest|concept|sound|color|colour|colors|detail|details)|to (?:see|hear|know|be|do|have|get|say|think|tell|try|make|go|help|learn|find|share|check)|another|each|every|seeing (?:you|your|how|the|them|that|this)|hearing|knowing|having|getting|being|making|doing)(?=$|\s)/iu;

const ELSEWHERE =
  /\b(?:this|these|those|following|former|latter|one of|anything|something|your?|yours)\b|^(?:an? )?similar\b|\b(?:to|in|at|of|with|on) that\b|\b(?:it|that|them|him|her|so|ones?)(?:$| (?:until|after|before|again|soon|first)\b)|(?<!\bmak(?:e|ing) )\b(?:it|them)\b|^to$/iu;

const PERSONS: Readonly<Record<string, string>> = {
  my: "their",
  our: "their",
  mine: "theirs",
  me: "them",
  us: "them",
  myself: "themselves",
  ourselves: "themselves",
  i: "they",
  we: "they",
  "i'm": "they're",
  "we're": "they're",
  "i've": "they've",
  "we've": "they've",
};
const FIRST_PERSON =
  /(?<![\p{L}\p{N}'’.-])(?:my|our|mine|me|us|myself|ourselves|I|we|I['’]m|we['’]re|I['’]ve|we['’]ve)(?![\p{L}\p{N}'’-])/gu;

/** "my" in somebody's mouth is "their" in memory. */
export const inThirdPerson = (text: string): string =>
  text.replace(FIRST_PERSON, (word) => PERSONS[word.toLowerCase().replace("’", "'")] ?? word);

/** A place without when somebody came there. */
export const placeIn = (rest: string): string =>
  rest.replace(
    /(?<!\s)\s+(?:last|this|next|since|for|about|in (?=\d)|on (?=\p{Lu}\p{L}+ \d|\d)|(?:a|one|two|three|\d+|some|few|several) (?:few )?(?:days?|weeks?|months?|years?)).*$/iu,
    "",
  );

export const withoutArticle = (thing: string): string =>
  thing.replace(/^(?:an?|the|my|our|their|some)\s+(?=\S)/iu, "");

const DOUBLED = /[^aeiou][aeiou][bdgklmnprt]$/;

/** hike → hiking, run → running, ski → skiing. */
export function gerund(verb: string): string {
  if (/ie$/.test(verb)) return `${verb.slice(0, -2)}ying`;
  if (/[^e]e$/.test(verb)) return `${verb.slice(0, -1)}ing`;
  return DOUBLED.test(verb) && verb.length <= 4 ? `${verb}${verb.at(-1)}ing` : `${verb}ing`;
}

/** drink → drinks, watch → watches, carry → carries. */
export function thirdPerson(verb: string): string {
  if (/(?:s|x|z|ch|sh|o)$/.test(verb)) return `${verb}es`;
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
}
