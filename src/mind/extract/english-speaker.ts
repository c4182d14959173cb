import { AM, HAVE, liked, me, NAME, PRIVATE, rule, SURELY, startsNamed } from "./english-grammar.js";
import {
  ATTRIBUTES,
  BODY,
  DAYS,
  DEMONYM,
  FAITHS,
  HABITS,
  JOB_ENDINGS,
  KIN,
  MONTHS,
  NO_JOB,
  PEOPLE,
  POSSESSIONS,
  PRACTICES,
  STATES,
} from "./english-words.js";
import { gerund, placeIn, thingIn, thirdPerson } from "./phrase.js";
import type { Rule } from "./rule.js";

/** "The" stands before instruments in general; before other things it points at one that was spoken of. */
const INSTRUMENT =
  /^play the (?:\p{L}+ )?(?:piano|guitar|violin|viola|cello|bass|drums|flute|clarinet|oboe|saxophone|trumpet|trombone|horn|harp|organ|banjo|ukulele|accordion|recorder|mandolin)\b/u;

/** What speakers say of themselves. */
export const ABOUT_SPEAKER: readonly Rule[] = [
  rule(`[Mm]y (?:full |first |last )?name(?:['’]s| is) (?<x>${NAME})`, ({ x }) => me("name", x, 0.95)),
  rule(
    `(?:[Hh]i|[Hh]ello|[Hh]ey)?[,!]? ?${AM} (?<x>${NAME})(?=$|[,.!]| (?:and|from|by|here|,))`,
    ({ x = "" }) => {
      if (/^(?:I|Ok|OK|Okay|Team|Done|All|Super|Also|Just|Still|So)(?=$|\s)/.test(x)) return undefined;
      if (new RegExp(`^(?:${FAITHS})$`).test(x)) return me("religion", x, 0.85, PRIVATE);
      return DEMONYM.test(x) ? me("nationality", x) : me("name", x, 0.9);
    },
  ),
  rule(`(?:(?:[Pp]lease|[Yy]ou can|[Jj]ust) )?(?:always )?[Cc]all me (?<x>${NAME})`, ({ x = "" }) =>
    new RegExp(`^(?:${DAYS}|${MONTHS})$`, "i").test(x) ? undefined : me("preferred_name", x, 0.95),
  ),
  rule(`[Ii] (?:prefer|like) to be called (?<x>${NAME})|[Ii] go by (?<y>${NAME})`, ({ x, y }) =>
    me("preferred_name", x ?? y, 0.95),
  ),
  rule(
    `(?:[Ii] ${SURELY}live|[Ii]['’]?m ${SURELY}living|${HAVE} ${SURELY}(?:lived|been living)|${AM} ${SURELY}based) (?:in|near|on) (?<x>.+)`,
    ({ x }) =>
      /^(?:the (?:moment|present)|fear|peace|harmony)/i.test(x ?? "")
        ? undefined
        : me("lives_in", placeIn(x ?? "")),
  ),
  rule(
    String.raw`(?:[Ii]|${HAVE}|[Ww]e|[Ww]e['’]ve) ${SURELY}(?:moved|relocated) (?:back )?(?:from \S+ )?to (?<x>.+)`,
    ({ x }) => (startsNamed(x) ? me("lives_in", placeIn(x ?? ""), 0.85) : undefined),
  ),
  rule(`[Ii] ${SURELY}live with (?<x>my .+)`, ({ x }) => me("lives_with", x)),
  rule(`(?:${AM} ${SURELY}|[Ii] ${SURELY}come )(?:originally )?from (?<x>.+)`, ({ x }) =>
    startsNamed(x) ? me("from", x) : undefined,
  ),
  rule(`[Ii] (?<v>was born|grew up) (?:in|on) (?<x>.+)`, ({ v, x }) =>
    me(v === "grew up" ? "grew_up_in" : "born", x),
  ),
  rule(String.raw`[Ii] ${SURELY}work (?:as )(?<x>.+?)(?: (?:at|for) (?<y>\p{Lu}.+))?$`, ({ x, y }) =>
    [me("job", x), me("works_at", y)].filter((one) => one !== undefined),
  ),
  rule(
    `(?:[Ii] ${SURELY}work|[Ii]['’]?m ${SURELY}(?:working|employed)|${HAVE} ${SURELY}been working) (?:at|for) (?<x>.+)`,
    ({ x }) =>
      /^(?:least|home|night|myself|months?|years?|\d|weeks?|a while|the|my|this|that|it)\b/i.test(x ?? "")
        ? undefined
        : me("works_at", x),
  ),
  rule(`[Ii] ${SURELY}work in (?<x>.+)`, ({ x }) => me("works_in", x)),
  rule(
    `(?:${AM} (?:now |currently )?(?:at|with) (?<x>${NAME})(?: now)?(?=$|[.,!]))|(?:[Ii]|${HAVE}) ${SURELY}(?:joined|started at|switched to a job at) (?<y>${NAME})(?=$|[.,!]| (?:as|in|last|now))`,
    ({ x, y }) => me("works_at", x ?? y, 0.85),
  ),
  rule(
    String.raw`${AM} ${SURELY}an? (?<x>(?:[\p{L}-]+ ){0,3}?${JOB_ENDINGS})(?: (?:at|for|with) (?<y>${NAME}))?(?=$|[.,!;]| (?:and|who|in|from|by|with|working|based|now|myself|too))`,
    ({ x = "", y }) =>
      NO_JOB.test(x)
        ? undefined
        : [
            me(
              /\b(?:vegetarian|vegan|pescatarian)$/i.test(x)
                ? "diet"
                : /\b(?:diabetic)$/.test(x)
                  ? "health"
                  : "is_a",
              x,
              0.85,
            ),
            me("works_at", y, 0.85),
          ].filter((one) => one !== undefined),
  ),
  rule(
    String.raw`${AM} ${SURELY}(?:an? )?(?:\d+[- ]year[- ]old|(?<x>\d{1,3})(?: years old)?(?=$|[.,!](?!\d)| and))`,
    ({ x }) =>
      x !== undefined && Number(x) >= 5 && Number(x) < 120 ? me("age", x, 0.9, PRIVATE) : undefined,
  ),
  rule(
    String.raw`${AM} ${SURELY}(?<x>${STATES})(?= to \p{Lu}|$|[.,!]| (?:and|with|since|now|by))(?: to (?<y>${NAME}))?`,
    ({ x, y }) =>
      y === undefined ? me("is", x, 0.9, PRIVATE) : me(x === "engaged" ? "engaged_to" : "married_to", y),
  ),
  rule(
    `${AM} ${SURELY}(?:(?:severely|highly|deathly|badly|slightly|a bit) )?(?<v>allergic|intolerant) to (?<x>.+)`,
    ({ x, v }) => me(`${v}_to`, x, 0.95, PRIVATE),
  ),
  rule(
    String.raw`(?:[Ii] have|[Ii]['’]ve got|[Ii] suffer from|[Ii]['’]ve been diagnosed with|[Ii] was diagnosed with) (?<x>(?:an? )?(?:[\p{L}-]+ ){0,2}(?:allerg(?:y|ies)(?: to [\p{L} ]+)?|diabetes|asthma|adhd|ADHD|autism|epilepsy|migraines?|arthritis|dyslexia|insomnia|hypertension|celiac disease|coeliac disease|anxiety|depression))(?=$|[.,!]| (?:and|so|since))`,
    ({ x }) => me("health", x, 0.9, PRIVATE),
  ),
  rule(
    `[Mm]y (?<x>${BODY}) (?:is|are) (?:still |badly |permanently )?(?<y>damaged|broken|injured|bad|weak|sore|torn|arthritic|sprained|stiff|poor|fractured)(?=$|[.,!]| )`,
    ({ x, y }) => me("health", `${y} ${x}`, 0.85, PRIVATE),
  ),
  rule(
    `[Ii] (?:have|['’]ve got) an? (?<y>damaged|broken|injured|bad|weak|sore|torn) (?<x>${BODY})`,
    ({ x, y }) => me("health", `${y} ${x}`, 0.85, PRIVATE),
  ),
  rule(`[Ii](?:['’]d| would)? ${SURELY}prefer (?<x>.+)`, ({ x }) => liked("prefers", x, 0.9)),
  rule(`[Ii](?:['’]d| would) (?:always )?rather (?<x>have .+|take .+|use .+)`, ({ x }) =>
    me("prefers_to", x, 0.8),
  ),
  rule(`[Ii] ${SURELY}(?:love|like|enjoy|adore)(?!d) (?<x>.+)`, ({ x }) => liked("likes", x, 0.85)),
  rule(
    `${AM} ${SURELY}(?:into|fond of|keen on|passionate about|interested in|crazy about|(?:a|an) (?:(?:big|huge|massive|avid|great|die-hard) )?fan of|a lover of) (?<x>.+)`,
    ({ x }) => liked("likes", x, 0.85),
  ),
  rule(
    `[Ii] ${SURELY}(?:hate|dislike|detest|loathe|despise|can['’]?t stand|cannot stand|can['’]?t bear|don['’]?t (?:really )?(?:like|enjoy)|do not (?:like|enjoy)) (?<x>.+)`,
    ({ x }) => liked("dislikes", x, 0.85),
  ),
  rule(`${AM} (?:not (?:really )?(?:a fan of|into|fond of|keen on)) (?<x>.+)`, ({ x }) =>
    liked("dislikes", x, 0.85),
  ),
  rule(
    `[Ii] (?:never|don['’]?t|do not|can['’]?t|cannot) (?:ever )?(?<v>${HABITS})(?: (?<x>.+))?$`,
    ({ v = "", x }) => {
      const thing = x === undefined ? undefined : thingIn(x);
      if (x !== undefined && thing === undefined) return undefined;
      if (thing !== undefined && /^(?:out|off|up|for you|with you|too|enough|well|to)\b/i.test(thing))
        return undefined;
      if (thing === undefined)
        return /^(?:use|take|go|wear|buy|check|answer|read|work|sleep|write|watch)$/.test(v)
          ? undefined
          : me("avoids", gerund(v), 0.85);
      return me(`does_not_${v}`, thing, 0.85, { text: `{me} does not ${v} ${thing}.` });
    },
  ),
  rule(`[Ii] (?<a>always|usually|normally|typically) (?<v>${HABITS}) (?<x>.+)`, ({ a, v = "", x }) =>
    me(`${a}_${thirdPerson(v)}`, x, 0.8),
  ),
  rule(
    `(?:[Ii]|[Ww]e) (?:no longer|stopped|quit|gave up|don['’]t) (?<v>us(?:e|ing)|work(?:ing)? (?:at|for)|liv(?:e|ing) in|eat(?:ing)?|drink(?:ing)?|lik(?:e|ing)) (?<x>.+?)(?:(?: any ?more| any longer)|(?<=^(?:[Ii]|[Ww]e) (?:no longer|stopped|quit|gave up) .+))$`,
    ({ v = "", x }) =>
      me(
        /^us/.test(v)
          ? "uses"
          : /^work/.test(v)
            ? "works_at"
            : /^liv/.test(v)
              ? "lives_in"
              : /^lik/.test(v)
                ? "likes"
                : /^eat/.test(v)
                  ? "eats"
                  : "drinks",
        x,
        0.85,
        { ends: true },
      ),
  ),
  rule(`(?:[Ii]) (?:(?:have |['’]ve )?left|quit|used to work (?:at|for)) (?<x>${NAME})(?=$|[.,!])`, ({ x }) =>
    me("works_at", x, 0.8, { ends: true }),
  ),
  rule(
    String.raw`[Ii] ${SURELY}(?<v>${PRACTICES}) (?!(?:into|out|away|around|up|off|over|a (?:lot|bit)|to|my best|an? (?:big )?(?:part|role)|for|with|and|as)\b)(?<x>.+)`,
    ({ v = "", x = "" }) =>
      /^(?:it|the (?!\p{Lu}))/u.test(x) && !INSTRUMENT.test(`${v} ${x}`)
        ? undefined
        : me(thirdPerson(v), x, 0.85),
  ),
  rule(
    String.raw`${AM} ${SURELY}(?<v>using|learning|studying|teaching|training for|majoring in|volunteering at|running|building|developing) (?!(?:into|out|away|around|up|off|over|how|to|that|a lot)\b)(?<x>.+)`,
    ({ v, x }) =>
      /^(?:it|the (?!\p{Lu})|this|that|low|late|errands)\b/u.test(x ?? "")
        ? undefined
        : me(`is_${v}`.replace(/ /g, "_"), x, 0.75),
  ),
  rule(
    String.raw`(?:[Ii] have|[Ii]['’]ve got|[Ii] own|[Ww]e have|[Ww]e['’]ve got) (?<x>(?:an?|one|two|three|four|five|six|\d+|no|twin) (?:[\p{L}'-]+ ){0,3}?(?<n>${POSSESSIONS}))(?<y> (?:named|called) ${NAME}(?:(?:,| and|, and) ${NAME})*)?(?=$|[.,!]| (?:and|who|in|from|with|at|aged))`,
    ({ x, y = "" }) => me("has", `${x}${y}`, 0.85),
  ),
  rule(
    `[Mm]y (?:(?:older|younger|little|big|eldest|oldest|youngest|late|first|second) )?(?<r>${KIN}|${PEOPLE})(?:['’]s name)?(?:['’]s| is)(?: called| named)? (?<x>${NAME})(?=$|[.,!]| and)`,
    ({ r, x }) => me(r!, x, 0.9),
  ),
  rule(
    String.raw`[Mm]y (?<n>(?:(?:absolute|all-time) )?favou?rite [\p{L} -]{2,30}?) (?:is|are|has to be|would be) (?<x>.+)`,
    ({ n = "", x }) =>
      /\b(?:things?|ones?|parts?|memory|memories|moment)\b/.test(n)
        ? undefined
        : me(n.trim().replace(/ /g, "_"), x, 0.9),
  ),
  rule(
    String.raw`[Mm]y (?<n>(?:new |current |preferred |native |dream |main )?(?:${ATTRIBUTES})) (?:is|are|will be) (?:now )?(?!(?:a|an|the)? ?(?:great|good|bad|nice|like|so|very|really|too|not|killing|going|getting|always|pretty|quite|still|just|super|driving|being|making|coming|in|on (?!the \d|\d)|to be|over|broken|full|important|amazing|awesome|working)\b)(?<x>.+)`,
    ({ n = "", x }) =>
      me(n.trim().replace(/ /g, "_"), x, 0.85, /salary|religion|weight|address|blood/.test(n) ? PRIVATE : {}),
  ),
  rule(`${AM} (?:not|no longer) (?:an? )?(?<x>${STATES})(?: any ?more| now)?$`, ({ x }) =>
    me("is", x, 0.85, { ends: true }),
  ),
  rule(
    String.raw`${AM} (?:now )?the (?<x>(?:[\p{L}-]+ ){0,2}(?:CEO|CTO|CFO|COO|founder|co-founder|head|director|lead|manager|owner|maintainer|chair)(?: (?:of|at|for) .+)?)`,
    ({ x }) => me("job", x, 0.85),
  ),
  rule(`(?:[Ii]|${HAVE}) (?:got |gotten )?(?<v>married|engaged) to (?<x>${NAME})`, ({ v, x }) =>
    me(`${v}_to`, x),
  ),
  rule(
    String.raw`(?:[Ii]|${HAVE}|[Ww]e|[Ww]e['’]ve) ${SURELY}switched (?:over )?(?:from (?:\S+ ){1,3})?to (?<x>\p{Lu}.+)`,
    ({ x }) => me("uses", placeIn(x ?? ""), 0.85),
  ),
  rule(String.raw`living (?:in|near) (?<x>\p{Lu}.+)`, ({ x }) => me("lives_in", x, 0.85)),
  rule(String.raw`working (?:(?:at|for) (?<x>\p{Lu}.+)|as an? (?<y>.+))`, ({ x, y }) =>
    x === undefined ? me("job", y, 0.85) : me("works_at", x, 0.85),
  ),
  rule(String.raw`${HAVE} never (?<x>\p{L}+(?:ed|en|wn|ne|ght|de|ad|et|ome) .+)`, ({ x }) =>
    me("has_never", x, 0.85),
  ),
  rule(
    String.raw`(?:[Ii]|${HAVE}) ${SURELY}(?<v>adopted|founded|co-founded|launched|published|enrolled in|signed up for|graduated from|won|volunteered at|got promoted to|started learning|started taking|started playing) (?!(?:the|it)\b)(?<x>.+)`,
    ({ v = "", x }) => me(v.replace(/ /g, "_"), x, 0.8),
  ),
  rule(
    `${HAVE} ${SURELY}been (?<v>playing|studying|learning|teaching|running|practicing|practising|using|writing|painting|collecting|training|volunteering|coaching|married) (?<x>.+)`,
    ({ v = "", x }) =>
      /^(?:for|with|about|a lot|more|well)\b/.test(x ?? "") ? undefined : me(`has_been_${v}`, x, 0.75),
  ),
  rule(
    `(?:[Ii]|[Ww]e)(?:['’]ve| have)? ${SURELY}(?:decided|agreed|chosen) (?<x>(?:to|on|against|not to) .+)`,
    ({ x }) => me("decided", x, 0.8),
  ),
];
