import { cues } from "./cue.js";
import { ENGLISH_AGAINST } from "./english-against.js";
import { ENGLISH_MATTERS } from "./english-matters.js";

const DAY = "monday|tuesday|wednesday|thursday|friday|saturday|sunday";

/** Signs in English that somebody asks for their own past: one that is sure has a point or more, those that only hint add up. */
const OWN_PAST = cues(() => [
  [
    "we did",
    1.2,
    "did|have|had|were|do|are we|i",
    { says: /\b(?:did|have|had|were) (?:we|i)\b|\b(?:do|are) we\b(?! (?:need|have) to)/ },
  ],
  [
    "we did so",
    1,
    "we|i",
    {
      says: /\b(?:what|which|who|whom|whose|where|when|why|how (?:many|much|long|often))\b[^,.;?!]{0,60} (?:we|i) \w{2,}ed\b/,
      asked: true,
    },
  ],
  [
    "we said",
    1.1,
    "we|i had|decided|agreed|discussed|talked|said|mentioned|told|chose|planned|wanted|settled|promised|asked|recommended|left|stopped|noted|saved;we|i wrote down",
  ],
  [
    "we went",
    1,
    "we did|liked|used|tried|bought|ordered|visited|went|met|picked|named|put|built|wrote|moved|saw|got|dropped|hired|booked|paid|ate|watched|read|ran;we set up",
    { asked: true },
  ],
  ["was decided", 1.5, "was|were|got|been decided|agreed|settled|concluded"],
  ["you have my", 1.1, "you have|know|got my|our;you should|must have|know|got my|our"],
  [
    "on for",
    1,
    "what",
    {
      says: /\bwhat(?:'s| is| do i have| have i got) (?:on |up |planned )?(?:for|on) (?:today|tomorrow|tonight|next|this|mon|tues|wednes|thurs|fri|satur|sun)/,
    },
  ],
  [
    "who is away",
    0.8,
    "who is|s on|out|away|in|off",
    { says: /\bwho(?:'s| is) (?:on|out|away|in|off)\b.{0,20}\b(?:today|tomorrow|this|next|now)\b/ },
  ],
  [
    "blocking",
    1,
    "block*;holding up",
    { says: /\bwhat(?:'s| is)? (?:still )?(?:block(?:ing|s)|holding up) (?:the|our|us|me|that)\b/ },
  ],
  [
    "works again",
    1,
    "is|are|did the|our",
    {
      says: /^\W{0,3}(?:(?:is|are) (?:the|our) .{1,40} (?:working|running|up|back|live|green|passing) (?:again|yet)|did (?:the|our) .{1,40} (?:succeed|pass|fail|run|arrive|go through|work))\b/,
    },
  ],
  ["mine", 1, "my|our|mine|ours", { asked: true }],
  ["about me", 1.1, "know|remember|note|noted|store|stored|remembered about me|us|my|our;am|was i"],
  [
    "what do i",
    1.1,
    "do i",
    { says: /\b(?:what|which|who|where|when|how (?:often|much|many|long))\b.{0,60}\bdo i\b/ },
  ],
  ["practice", 0.6, "how do|did|does we|our;how do|did|does the team", { layer: "L4" }],
  [
    "habit",
    0.9,
    "favorite|favourite|prefer|preferred|prefers|preferreds|preference|preferences|usual|usually|normally|always;like best",
    {
      says: /\b(?:favou?rite|prefer(?:red|ence)?s?|usual(?:ly)?|normally|always)\b(?=.*\b(?:i|my|me|we|our|us)\b)|\b(?:i|my|me|we|our|us)\b.{0,80}\b(?:favou?rite|prefer(?:red|ence)?s?|usual(?:ly)?|normally|always|like best)\b/,
    },
  ],
  [
    "take my",
    1,
    "how do i",
    {
      says: /\bhow do i \w+ (?:my|it)\b|\bhow do i (?:usually |normally |always )?(?:like|want|prefer|spell my|call|take)\b/,
    },
  ],
  [
    "may eat",
    1.5,
    "can|may|should i;allerg*",
    {
      says: /\b(?:can|may|should) i (?:eat|drink|have (?:this|that|nuts|milk))\b|^can i have (?!an? |the |some |it\b|more )\w+\W{0,3}$|\b(?:i|my|me|i['’]m)\b.{0,30}\ballerg|\ballergic to\b/,
    },
  ],
  [
    "remember",
    1.3,
    "trying to recall|remember;try to recall|remember;do|did|can|could you remember|recall;do|did|can|could you still remember|recall;don t you remember|recall;don t you still remember|recall;do you still know;tell me again;forgot|forgotten;forget what|who|where|which|when|how;can|don t remember|recall;cant|cannot|dont remember|recall;you told|said|mentioned|recommended|suggested|promised|wrote;you showed|gave me;you know my;you know that|what|where|how i|we;in your|the|my|our memory",
  ],
  ["remind", 1.3, "remind me", { says: /\bremind me\b(?! (?:to|at|in|when)\b)/ }],
  [
    "past",
    0.8,
    `yesterday;last week|month|year|night|session|meeting|sprint|summer|winter|spring|autumn|fall|${DAY};earlier today;earlier this week;this morning;a while ago|back;day|days|week|weeks|month|months|hour|hours|minute|minutes|year|years|long ago;so far;until now;up to now;previously;the other day;recently;lately;left off;since when;at the time;back then;previous|earlier|last|past session|conversation|chat|meeting|discussion|decision|talk|sessions|conversations|chats|meetings|discussions|decisions`,
    // What begins with a capital there is a title.
    { says: /^(?!.*[^.!?\s]\s+(?:Yesterday|Last )\b)/s, cased: true },
  ],
  ["last time", 0.8, "last time", { says: /\blast time(?= (?:we|i|you|he|she|they|it)\b|\s*[,?.!]|\s*$)/ }],
  [
    "as before",
    1.3,
    "as i|we|you said|mentioned|discussed|agreed|told;as discussed|agreed|usual|always|before;my|our usual;like last time;like before",
  ],
  [
    "the usual",
    1.3,
    "the usual;same",
    {
      says: /\bthe usual\s?(?:[.,?!]|$|way\b|place\b|one\b)|\bsame\b.{0,30}\bas (?:last time|before|(?:in |on |for )?(?:the |our )(?:last|previous|other))\b/,
    },
  ],
  [
    "before",
    0.5,
    "before|already|earlier",
    {
      says: /\b(?:said|mentioned|told|asked|discussed|used|tried|saw|seen|did|talked)\b.{0,40}\b(?:before|already|earlier)\b/,
    },
  ],
]);

export const ENGLISH = () => [...OWN_PAST(), ...ENGLISH_MATTERS(), ...ENGLISH_AGAINST()];
