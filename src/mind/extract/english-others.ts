import { me, NAME, of, PRIVATE, rule, VALUE } from "./english-grammar.js";
import { KIN, PEOPLE, STATES } from "./english-words.js";
import { thingIn } from "./phrase.js";
import type { Found, Rule } from "./rule.js";

const DOES = `owns?|maintains?|leads?|manages?|likes?|loves?|prefers?|hates?|dislikes?|enjoys?|uses?|drives?|speaks?|teaches|studies|plays?|requires?|supports?|runs? on|works? (?:at|for|as|in|with)|lives? (?:in|near|with)|depends? on|reports? to|deploys?|ships?|go(?:es)? to|starts? (?:at|on)|ends? (?:at|on)|opens? (?:at|on)|closes? (?:at|on)|costs?|expires? (?:at|on|in)|takes? place|happens? (?:at|on|every)|needs?|handles?|pays? (?:in|by|with)|is (?:rate limited|limited|capped|restricted|pinned|set|planned|owned|maintained|written|hosted|led|managed|built|based|located|stored|kept|called|named|due|scheduled|deployed|responsible|in charge|allergic|written) ?(?:by|in|on|at|for|of|with|to)?|are (?:owned|maintained|written|hosted|led|managed|built|based|located|stored|kept|called|due|scheduled|deployed|allergic) ?(?:by|in|on|at|for|of|with|to)?|can['’]?t stand`;
const ADVERB = `(?:(?:only|always|never|usually|really|also|now|still|mostly|currently|absolutely) )*`;

const asPredicate = (verb: string): string => verb.trim().replace(/\s+/g, "_");
const LIKES = /^(?:loves?|enjoys?|likes?)$/;
const HATES = /^(?:hates?|dislikes?|can['’]?t stand)$/;

function others(
  subject: string,
  adverb: string | undefined,
  verb: string,
  rest: string | undefined,
  confidence: number,
): Found | undefined {
  if (/never/.test(adverb ?? "") || /^an? (?:\p{L}+ )?(?:part|role)\b/u.test(rest ?? "")) return undefined;
  if (/^the (?!\p{Lu})/u.test(rest ?? "") && (LIKES.test(verb) || HATES.test(verb))) return undefined;
  const predicate = LIKES.test(verb) ? "likes" : HATES.test(verb) ? "dislikes" : asPredicate(verb);
  return of(subject, predicate, rest, confidence);
}

/** What they say of other people and of things. */
export const ABOUT_OTHERS: readonly Rule[] = [
  // My colleague Tom loves spicy food.
  rule(
    `(?:[Mm]y|[Oo]ur|[Tt]he|[Aa]) (?:(?:older|younger|little|big|new|old|best) )?(?:${KIN}|${PEOPLE}),? (?<s>${NAME}),? (?<a>${ADVERB})(?<v>${DOES}) (?<x>.+)`,
    ({ s = "", a, v = "", x }) => others(s, a, v, x, 0.75),
  ),
  rule(
    String.raw`[Mm]y (?:(?:older|younger|little|big) )?(?<r>${KIN}),? (?<s>${NAME})(?=$|,| and I\b| is\b| who\b| has\b)`,
    ({ r, s }) => me(r!, s, 0.85),
  ),
  rule(
    `[Mm]y (?:(?:older|younger|little|big) )?(?<s>${KIN}) (?<a>${ADVERB})(?<v>${DOES}|is (?:${STATES})$) ?(?<x>.*)`,
    ({ s = "", a, v = "", x = "" }) => {
      const found =
        x.trim() === "" ? of(s, "is", v.replace(/^is /, ""), 0.75, PRIVATE) : others(s, a, v, x, 0.75);
      return found && { ...found, who: `{me}'s ${s}` };
    },
  ),
  rule(`(?<s>${NAME}) is (?:now )?(?:my|our) (?:new )?(?<r>${KIN}|${PEOPLE})(?=$|[.,!])`, ({ s, r }) =>
    NOT_NAMES.test(s ?? "") ? undefined : me(r!, s, 0.85),
  ),
  rule(
    String.raw`(?<s>${NAME}) is (?:now )?(?:our|the) (?<x>(?:new )?(?:[\p{L}-]+ ){0,2}(?:lead|owner|manager|maintainer|contact|ceo|CEO|cto|CTO|founder|director|head|chair|editor|author|sponsor|client|customer|supplier)(?: (?:of|for) .+)?)`,
    ({ s = "", x }) => (NOT_NAMES.test(s) ? undefined : of(s, "is", `the ${x}`, 0.75)),
  ),
  rule(`(?<s>${NAME}) is (?<x>${STATES})$`, ({ s = "", x }) =>
    NOT_NAMES.test(s) ? undefined : of(s, "is", x, 0.75, PRIVATE),
  ),
  // We moved the standup to 10:00.
  rule(
    String.raw`(?:[Ww]e|[Ii])(?:['’]ve| have)? (?:just )?(?:moved|changed|pushed|set|postponed) (?:the|our|my) (?<s>(?:[\p{L}-]+ )?[\p{L}-]+) to (?<x>${VALUE})(?=$|[.,!]| (?:now|and|instead))`,
    ({ s = "", x }) => (SECRET_NOUN.test(s) ? undefined : of(s, "moved_to", x, 0.75, { who: `the ${s}` })),
  ),
  rule(
    String.raw`(?:(?:[Tt]he|[Oo]ur|[Aa]ll) (?<s>(?:[\p{L}-]+ ){0,2}[\p{L}-]+)|(?<p>\p{Lu}[\p{L}-]+s)) must (?<x>(?!be\b|have\b|still\b|feel\b|mean\b|look\b)(?:not |never |always )?\p{Ll}+ .+)`,
    ({ s, p = "", x }) => {
      const about = s ?? p.toLowerCase();
      return VAGUE.test(about) || NOT_NAMES.test(p)
        ? undefined
        : of(about, "must", x, 0.75, { who: s ? `the ${s}` : p });
    },
  ),
  rule(
    String.raw`(?<s>\p{Lu}[\p{L}-]+s) (?<v>start|end|open|close) (?<x>at \d.*)`,
    ({ s = "", v = "", x }) => (NOT_NAMES.test(s) ? undefined : of(s.toLowerCase(), v, x, 0.75)),
  ),
  // Anna owns the billing service.
  rule(`(?<s>${NAME}) (?<a>${ADVERB})(?<v>${DOES}) (?<x>.+)`, ({ s = "", a, v = "", x }) =>
    NOT_NAMES.test(s) ||
    (/^\p{Lu}\p{Ll}+s$/u.test(s) && !/s$/.test(v.split(" ")[0]!)) ||
    !/s$|^can|^are/.test(v.split(" ")[0]!)
      ? undefined
      : others(s, a, v, x, 0.75),
  ),
  // Our team deploys only on Tuesdays; the release is on 4 May; deliveries always go to the back entrance.
  rule(
    String.raw`(?:[Oo]ur|[Tt]he|[Tt]his project['’]s) (?<s>(?:[\p{L}-]+ ){0,2}[\p{L}-]+?) (?<a>${ADVERB})(?<v>${DOES}) (?<x>.+)`,
    ({ s = "", a, v = "", x }) => {
      if (VAGUE.test(s) || /ly$|ing$/.test(s) || LIKES.test(v) || HATES.test(v)) return undefined;
      if (!/s$|^are/.test(v.split(" ")[0]!)) return undefined;
      const found = others(s, a, v, x, 0.75);
      return found && { ...found, who: `the ${s}` };
    },
  ),
  rule(
    String.raw`(?:[Oo]ur|[Tt]he) (?<s>(?:[\p{L}-]+ ){0,2}[\p{L}-]+?) (?<v>is|are|moved to|changed to|has moved to|was moved to|got moved to) (?:now |scheduled for |set for |due )?(?<x>${VALUE})(?=$|[.,!]| (?:now|and|instead))`,
    ({ s = "", v = "is", x }) => {
      const predicate = asPredicate(v.replace(/^(?:has|was|got) /, ""));
      return VAGUE.test(s) || SECRET_NOUN.test(s)
        ? undefined
        : of(s, predicate, x, 0.75, { who: `the ${s}` });
    },
  ),
  rule(
    String.raw`(?<s>\p{Lu}[\p{L}-]+s) (?<a>(?:always|only|never) )(?<v>go to|start at|start on|happen on|ship on|close at|open at|need|require|use|run on) (?<x>.+)`,
    ({ s = "", a, v = "", x }) =>
      /never/.test(a ?? "") ? undefined : of(s.toLowerCase(), asPredicate(v), x, 0.75),
  ),
  rule(
    String.raw`[Ww]e (?<a>${ADVERB})(?<v>use|deploy|ship|run|host|store|maintain|own|support|require|meet|release) (?!(?:it|this|that|into|out)\b)(?<x>.+)`,
    ({ a = "", v = "", x }) =>
      /never/.test(a)
        ? undefined
        : me(`${v}`, x, 0.75, { text: `{me} says: we ${a}${v} ${thingIn(x ?? "") ?? ""}.` }),
  ),
];
const NOT_NAMES =
  /^(?:The|This|That|These|Those|It|He|She|They|You|We|I|Who|What|There|Here|My|Our|Your|His|Her|Their|And|But|So|Everyone|Everybody|Nobody|Someone|Anyone|Nothing|Everything|One|All|Some|Most|Many|People|Life|Nature|Time|Music|Family|Art|Sometimes|Love|Hope|Looks|Sounds|Really|Just|Also|Wow|Yeah|Hey|Thanks|No|Yes|Not|If|When|Then|Which|Another|Each|Every|Never|Always|Only)\b/;
const VAGUE =
  /^(?:way|idea|thing|things|place|view|views|fact|best|worst|most|one|ones|people|person|guy|stuff|whole|rest|other|others|feeling|moment|world|problem|point|only|first|last|next|same|support|kids?|new|old|food|weather|sky|picture|photo|pic|story|book|movie|stories)\b|\b(?:who|which|that|where|is|was|i|you|we|they|have|has)\b/i;
export const SECRET_NOUN =
  /\b(?:codes?|pin|password|passphrase|passcode|token|secret|credentials?|keys?|combination|cvv|card)\b/i;
