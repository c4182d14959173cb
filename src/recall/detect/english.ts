import { cues } from "./cue.js";

const ACT =
  "do|done|say|said|answer|answered|reply|replied|finish|finished|start|started|send|sent|want|wanted|tell|told|promise|promised|decide|decided|ask|asked|mention|mentioned|need|recommend|suggest|report|reported|touch|push|pushed|merge|merged|leave|left|work on|worked on|commit|committed|review|reviewed|order|book|booked|pay|paid|approve|approved|respond|responded|call|called|complain|propose|proposed";
const STATE =
  "blocked|done|fixed|merged|deployed|finished|ready|released|closed|shipped|resolved|broken|failed|completed?|solved|landed|reviewed|approved|failing|pending|open|overdue|assigned|paid|down|online|cancelled|postponed";
const THING =
  "releases?|outage|incident|deploy(?:ment)?|migration|launch|sprint|roadmap|meeting|stand-?up|retro|refactor(?:ing)?|rewrite|staging|production|pipeline|build|dashboard|invoice|onboarding|roll-?out|backlog|milestones?|demo|prototype|bug|tickets?|customer|client|contract|budget|deadline|appointment|trip|flight|booking|plumber|dentist|landlord|party|wedding|config(?:uration)?|database|server|service|repo(?:sitory)?|wiki|notes?|plan|decision|proposal|draft|report|spec|team|project|cache|schema|importer|parser|crawler|interview|order|delivery|review|experiment|handover|upgrade|feature|website|newsletter|workshop|offer";
const WORLD =
  "python|java|javascript|typescript|rust|golang|linux|windows|google|apple|microsoft|amazon|openai|react|docker|kubernetes|nasa|congress|parliament|people|humans|scientists|everyone|any|some|every|many|most|it|they|this|there|the|a|an|he|she";

/**
 * Signs in English. Points of one are enough; signs that only hint add up. Where words are optional before a long list of
 * words, they are looked back for: else each way to the list would be compiled by itself, which takes ten times as long.
 */
export const ENGLISH = cues(() => [
  ["we did", 1.2, /\b(?:did|have|had|were) (?:we|i)\b|\b(?:do|are) we\b(?! (?:need|have) to)/i],
  [
    "we said",
    1.1,
    /\b(?:we|i) (?:had|decided|agreed|discussed|talked|said|mentioned|told|chose|planned|wanted|settled|promised|asked|recommended|left|stopped|noted|saved|wrote down)\b/i,
  ],
  [
    "we went",
    1,
    /\bwe (?:did|liked|used|tried|bought|ordered|visited|went|met|picked|named|put|set up|built|wrote|moved|saw|got|dropped|hired|booked|paid|ate|watched|read|ran)\b/i,
    { asked: true },
  ],
  ["was decided", 1.5, /\b(?:was|were|got|been) (?:decided|agreed|settled|concluded)\b/i],
  ["you have my", 1.1, /\byou (?:should |must )?(?:have|know|got) (?:my|our)\b/i],
  [
    "on for",
    1,
    /\bwhat(?:'s| is| do i have| have i got) (?:on |up |planned )?(?:for|on) (?:today|tomorrow|tonight|next|this|mon|tues|wednes|thurs|fri|satur|sun)/i,
  ],
  [
    "who is away",
    0.8,
    /\bwho(?:'s| is) (?:on|out|away|in|off)\b.{0,20}\b(?:today|tomorrow|this|next|now)\b/i,
  ],
  ["blocking", 1, /\bwhat(?:'s| is)? (?:still )?(?:block(?:ing|s)|holding up) (?:the|our|us|me|that)\b/i],
  [
    "works again",
    1,
    /^\W{0,3}(?:(?:is|are) (?:the|our) .{1,40} (?:working|running|up|back|live|green|passing) (?:again|yet)|did (?:the|our) .{1,40} (?:succeed|pass|fail|run|arrive|go through|work))\b/i,
  ],
  ["mine", 1, /\b(?:my|our|mine|ours)\b/i, { asked: true }],
  [
    "about me",
    1.1,
    /\b(?:know|remember|noted?|stored?|remembered) about (?:me|us|my|our)\b|\b(?:am|was) i\b/i,
  ],
  ["what do i", 1.1, /\b(?:what|which|who|where|when|how (?:often|much|many|long))\b.{0,60}\bdo i\b/i],
  ["practice", 0.6, /\bhow (?:do|did|does) (?:we|the team|our)\b/i, { layer: "L4" }],
  [
    "habit",
    0.9,
    /\b(?:favou?rite|prefer(?:red|ence)?s?|usual(?:ly)?|normally|always)\b(?=.*\b(?:i|my|me|we|our|us)\b)|\b(?:i|my|me|we|our|us)\b.{0,80}\b(?:favou?rite|prefer(?:red|ence)?s?|usual(?:ly)?|normally|always|like best)\b/i,
  ],
  [
    "take my",
    1,
    /\bhow do i \w+ (?:my|it)\b|\bhow do i (?:usually |normally |always )?(?:like|want|prefer|spell my|call|take)\b/i,
  ],
  [
    "may eat",
    1.5,
    /\b(?:can|may|should) i (?:eat|drink|have (?:this|that|nuts|milk))\b|^can i have (?!an? |the |some |it\b|more )\w+\W{0,3}$|\b(?:i|my|me|i['’]m)\b.{0,30}\ballerg|\ballergic to\b/i,
  ],
  [
    "remember",
    1.3,
    /\b(?:do|did|can|could|don't) you (?:still )?(?:remember|recall)\b|\bdo you still know\b|\btell me again\b|\bremind me\b(?! (?:to|at|in|when)\b)|\b(?:forgot|forgotten|forget (?:what|who|where|which|when|how)|(?:can'?t|cannot|don'?t) (?:remember|recall))\b|\byou (?:told|said|mentioned|recommended|suggested|promised|wrote|showed me|gave me|know my|know (?:that|what|where|how) (?:i|we))\b|\bin (?:your|the|my|our) memory\b/i,
  ],
  [
    "past",
    0.8,
    /(?:^|[\s(])(?:yesterday|last (?:week|month|year|night|session|meeting|sprint|summer|winter|spring|autumn|fall|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|last time(?= (?:we|i|you|he|she|they|it)\b|\s*[,?.!]|\s*$)|earlier (?:today|this week)|this morning|a while (?:ago|back)|(?:days?|weeks?|months?|hours?|minutes?|years?|long) ago|so far|until now|up to now|previously|the other day|recently|lately|left off|since when|(?:previous|earlier|last|past) (?:session|conversation|chat|meeting|discussion|decision|talk|sessions|conversations|chats|meetings|discussions|decisions))\b/,
  ],
  ["Past", 0.8, /^(?:Yesterday|Last (?:week|month|year|night|session)|Previously|Recently|Earlier)\b/],
  [
    "as before",
    1.3,
    /\bas (?:i|we|you) (?:said|mentioned|discussed|agreed|told)\b|\bas (?:discussed|agreed|usual|always|before)\b|\b(?:my|our) usual\b|\bthe usual\s?(?:[.,?!]|$|way\b|place\b|one\b)|\b(?:same\b.{0,30}\bas|like) (?:last time|before)\b/i,
  ],
  [
    "before",
    0.5,
    /\b(?:said|mentioned|told|asked|discussed|used|tried|saw|seen|did|talked)\b.{0,40}\b(?:before|already|earlier)\b/i,
  ],
  [
    "plan",
    0.6,
    /\b(?:planned|scheduled|agenda|calendar|due|deadline|to-?dos?|supposed to)\b/i,
    { asked: true },
  ],
  [
    "soon",
    0.5,
    /\b(?:next (?:week|month|meeting|release|sprint|steps?|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|tomorrow|tonight|this (?:week|afternoon|evening|weekend))\b/i,
    { asked: true },
  ],
  [
    "status",
    1.2,
    /\b(?:status|state|progress) (?:of|on|with|for) (?:the|our|my|this|that|project|issue|pr|each|all|[A-Z#])|\b(?:current|latest|what's the) status\b(?! code)|\bany (?:news|update|updates|progress)\b/,
  ],
  [
    "where are we",
    1.2,
    /\bwhere (?:are|were|do|did|is|was) (?:we|things)\b|\bhow far (?:along|are|is|have|has|did)\b|\bhow(?:'s| is| are) (?:the|our|my) [\w -]{2,40} (?:going|coming|progressing|doing)\b/i,
  ],
  [
    "left to do",
    1.1,
    /\bwhat(?:'s| is| are| else is)? (?:still )?(?:remains?|left|missing|outstanding|open|needs to be done|to be done)\b(?! (?:join|hand|side|value))|\bstill (?:to do|to be done|open)\b/i,
  ],
  ["still", 0.6, /\bstill\b|\byet\b/i, { asked: true }],
  ["now", 0.5, /\b(?:right now|at the moment|currently|at present|as of (?:now|today))\b/i, { asked: true }],
  ["state", 0.5, new RegExp(`\\b(?:${STATE})\\b`, "i"), { asked: true }],
  [
    "is the",
    0.6,
    new RegExp(`^\\W{0,3}(?:is|are|was|were|has|have|did) (?:the|that|our) .{1,60}\\b(?:${STATE})\\b`, "i"),
  ],
  [
    "items",
    0.6,
    /\b(?:which|what|whose|how many)(?: of (?:the|our))? (?:tasks?|issues|tickets|prs|bugs|items|todos|branches|reviews|experiments|jobs|tests) (?:are|is|were|was|did|do|have|remain|failed)\b/i,
  ],
  [
    "has she",
    1,
    new RegExp(
      `(?<=^\\W{0,3}(?:has|have|did|is|was) (?!(?:${WORLD})\\b)[\\w-]+(?: \\w+)? (?:already |yet |still )?)(?:${ACT}|working on)\\b`,
      "i",
    ),
  ],
  [
    "what did she",
    1,
    new RegExp(
      `\\b(?:what|when|where|why|how|who|which [\\w ]{2,30}) (?:did|has|had|does|is|was) (?!(?:${WORLD})\\b)[A-Za-z]+ (?:${ACT}|working on|up to|waiting for|like|prefer)\\b`,
      "i",
    ),
  ],
  [
    "the agent",
    1,
    /\b(?:did|was|has|have|had|were|is)\b.{0,40}\b(?:the|our|my) (?:\w+[ -]){0,3}(?:agent|bot|assistant|shift|reviewer|crew|colleague|intern)s?\b|\b(?:the|our) (?:\w+[ -]){1,3}(?:agent|bot)\b.{0,40}\b(?:do|done|did|finish(?:ed)?|touch(?:ed)?|change[d]?|report(?:ed)?|say|said)\b/i,
    { asked: true },
  ],
  ["handed over", 0.8, /\bhand(?:ed)?[ -]?(?:over|off)\b/i],
  [
    "who works",
    1.1,
    /\bwho(?:'s| is| was| are)? (?:currently )?(?:working on|works on|responsible for|in charge of|assigned to|handling|handles|taking care of|on call|owns|maintains|reviewing|looking into) (?:the|our|my|issue|pr|#|it|that|this)\b/i,
  ],
  ["the thing", 0.6, new RegExp(`(?<=\\b(?:the|that|our|this) (?:\\w+[ -]){0,3})(?:${THING})\\b`, "i")],
  ["did", 0.4, /\b(?:did|was|were|has been|have been|happened|had)\b/i, { asked: true }],
  [
    "history",
    0.5,
    /\b(?:decided?|decision|agreed|settled|chosen|chose|choosing|reason for|root cause|conclusion|outcome|open points|open questions|action items|lessons|rationale|trade-?offs?)\b/i,
    { asked: true },
  ],
  [
    "you to me",
    1.1,
    /\b(?:should|must|do|did) you (?:\w+ ){0,2}(?:call|answer|address|write|speak|talk|reply|greet|respond|use)\b.{0,20}\b(?:me|us)\b/i,
  ],
  [
    "go on",
    1,
    /\b(?:pick up|continue|resume|carry on|go on|proceed)\b.{0,60}\b(?:where|left|stopped|yesterday|our|last (?:time|session|week))\b|\bwhere (?:we|i|it|you|they) (?:were|was|left|stopped|ended)\b/i,
  ],
  ["project", 1, /\bproject [A-Z]\w+|\b(?:the|our) [A-Z]\w+ (?:project|repo|service|team)\b/],
  [
    "again",
    0.6,
    /\bagain\s?\?|\bwhich one was (?:it|that)\b|\bwhat was (?:that|the name)\b|\bwhat(?:'s| is) (?:the|that) \w+(?: \w+)? (?:called|named) again\b/i,
  ],
  [
    "theirs",
    1,
    /\b[A-Z]\w+['’]s (?:birthday|phone|number|address|e-?mail|manager|boss|wife|husband|partner|son|daughter|kids?|dog|cat|favou?rite|job|role|opinion|feedback|answer|reply|request|proposal|team|surname|anniversary|diet|allergy)\b/,
  ],
  [
    "fetch mine",
    1,
    /^\W{0,3}(?:please )?(?:list|show|tell|give|summari[sz]e|find|get|look up|check|recap|read)\b.{0,60}\b(?:my|our|we|i)\b/i,
  ],
  [
    "runbook",
    0.5,
    /\b(?:runbook|playbook|checklist|procedure|our process|steps (?:for|to) (?:our|the))\b/i,
    { layer: "L4" },
  ],
  [
    "just now",
    0.4,
    /\b(?:just now|in this session|a moment ago|earlier today|the last (?:command|tool|output|run))\b/i,
    { layer: "L2" },
  ],

  [
    "make",
    -1,
    /^\W{0,3}(?:please |now |then |can you |could you |would you |let's )?(?:write|draft|compose|explain|translate|fix|sort|print|add|create|generate|implement|convert|refactor|compute|calculate|solve|define|describe|make|build|design|start|set up|install|rewrite|rephrase|correct|format|improve|optimi[sz]e|debug|imagine|suggest|recommend|compare|render|draw|plot|count|remove|replace|rename|delete|run|import|parse|use|turn|shorten|extend|thanks|thank you|hello|hi|hey)\b/i,
  ],
  [
    "show",
    -0.5,
    /^\W{0,3}(?:please |can you |could you )?(?:list|show|tell|give|summari[sz]e|find|help|check|review)\b/i,
  ],
  [
    "how to",
    -1,
    /\bhow (?:do|can|should|would|could|does) (?:i|you|one|someone)\b|\bhow to\b|\b(?:where|what|which) (?:\w+ )?do i (?:find|put|click|need|have to|set|install|get|download|learn|write|type|enter)\b/i,
  ],
  [
    "at hand",
    -1,
    /\bmy (?:code|function|query|script|regex|css|essay|sentence|paragraph|text|loop|array|component|cv|css|html|program|class|component|app crash)/i,
  ],
  [
    "this",
    -0.5,
    /\b(?:this|these|the following|below|attached|above)\b(?! (?:morning|week|month|year|days|afternoon|evening|weekend|project|time))/i,
  ],
  [
    "meaning",
    -0.6,
    /^\W{0,3}(?:what|who)(?:'s| is| are| was) an?\b|\bdifference between\b|\bwhat does\b.{0,60}\b(?:mean|stand for|contain|do)\b|\b(?:versions?|releases?|history|creators?|author|inventor) of [a-z]/i,
  ],
  [
    "in general",
    -0.6,
    /\b(?:any (?:country|company|person|one)|average|world-?wide|in general|typically|popular|most people|in the world|on earth|example of|from scratch|brand[- ]new|a new)\b/i,
  ],
  ["shall we", -0.8, /\b(?:shall|should|could|can) (?:we|i)\b(?! (?:eat|drink|have \w+\W{0,3}$))/i],
  [
    "why broken",
    -0.8,
    /\bwhy (?:is|does|do|are|isn't|doesn't|won't) my\b|\bwhat(?:'s| is) wrong with\b|\bcan you (?:fix|check|review|improve|explain|help)\b/i,
  ],
]);
