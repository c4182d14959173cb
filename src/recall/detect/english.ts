import { cues } from "./cue.js";

const ACT =
  "do|done|say|said|answer|answered|reply|replied|finish|finished|start|started|send|sent|want|wanted|tell|told|promise|promised|decide|decided|ask|asked|mention|mentioned|need|recommend|suggest|report|reported|touch|push|pushed|merge|merged|leave|left|work on|worked on|commit|committed|review|reviewed|order|book|booked|pay|paid|approve|approved|respond|responded|call|called|complain|propose|proposed";
const STATE =
  "blocked|done|fixed|merged|deployed|finished|ready|released|closed|shipped|resolved|broken|failed|complete|completed|solved|landed|reviewed|approved|failing|pending|open|overdue|assigned|paid|down|online|cancelled|postponed";
const THING =
  "release|releases|outage|incident|deploy|deployment|migration|launch|call|talk|conversation|discussion|sprint|roadmap|meeting|standup|up|retro|refactor|refactoring|rewrite|staging|production|pipeline|build|dashboard|invoice|onboarding|rollout|out|backlog|milestone|milestones|demo|prototype|bug|ticket|tickets|customer|client|contract|budget|deadline|appointment|trip|flight|booking|plumber|dentist|landlord|party|wedding|config|configuration|database|server|service|repo|repository|wiki|note|notes|plan|decision|proposal|draft|report|spec|team|project|cache|schema|importer|parser|crawler|interview|order|delivery|review|experiment|handover|upgrade|feature|website|newsletter|workshop|offer|vendor|supplier|suppliers|agency|accountant|lawyer|boss|intern|neighbour|neighbor|babysitter|doctor|office|room|logo|redesign|relaunch|leak|password|wifi|login|checkout|audit|estimate|quote|payment|shipment|interviews|candidate|hotel|restaurant|car|keys|charger|garden|kitchen|apartment|flat|school|teacher|objections|feedback|survey|prices|pricing|licence|license|backup|backups|endpoint|branch|repository|test|tests|crash|rollback|hotfix|sandbox|cluster|domain|certificate|mailing|campaign|presentation|slides|minutes|summary|training|contact|venue|vacation|holiday";
/** Of these there is one in somebody's life, and whoever asks who, where, when or how many means that one. */
const OWN =
  "landlord|office|budget|meeting|customer|client|vendor|supplier|contract|deadline|invoice|appointment|workshop|wedding|party|plumber|dentist|flight|booking|interview|intern|boss|accountant|lawyer|babysitter|wifi|key|keys|launch|sprint|roadmap|demo|onboarding|offsite|retro|handover|review|audit|campaign|presentation|estimate|quote|delivery|apartment|charger";
const WORLD =
  "python|java|javascript|typescript|rust|golang|linux|windows|google|apple|microsoft|amazon|openai|react|docker|kubernetes|nasa|congress|parliament|people|humans|scientists|everyone|any|some|every|many|most|it|they|this|there|the|a|an|he|she";
const DAY = "monday|tuesday|wednesday|thursday|friday|saturday|sunday";

/** Signs in English. Points of one are enough; signs that only hint add up. */
export const ENGLISH = cues(() => [
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
  [
    "plan",
    0.6,
    "planned|scheduled|agenda|calendar|due|deadline|todo|todos;to do|dos;supposed to",
    { asked: true },
  ],
  [
    "soon",
    0.5,
    `next week|month|meeting|release|sprint|step|steps|${DAY};tomorrow;tonight;this week|afternoon|evening|weekend`,
    { asked: true },
  ],
  [
    "status",
    1.2,
    "status|state|progress;any news|update|updates",
    {
      says: /\b(?:status|state|progress) (?:of|on|with|for) (?:the|our|my|this|that|project|issue|pr|each|all|#)|\b(?:current|latest|what's the) status\b(?! code)|\bany (?:news|update|updates|progress)\b/,
    },
  ],
  [
    "status of",
    1.2,
    "status|state|progress of|on|with|for",
    { says: /\b(?:[Ss]tatus|[Ss]tate|[Pp]rogress) (?:of|on|with|for) [A-Z]/, cased: true },
  ],
  [
    "where are we",
    1.2,
    "where are|were|do|did|is|was we|things;how far along|are|is|have|has|did;how s|is|are the|our|my",
    {
      says: /\bwhere (?:are|were|do|did|is|was) (?:we|things)\b|\bhow far (?:along|are|is|have|has|did)\b|\bhow(?:'s| is| are) (?:the|our|my) [\w -]{2,40} (?:going|coming|progressing|doing)\b/,
    },
  ],
  [
    "left to do",
    1.1,
    "remain|remains|left|missing|outstanding|open|done;still to do",
    {
      says: /\bwhat(?:'s| is| are| else is)? (?:still )?(?:remains?|left|missing|outstanding|open|needs to be done|to be done)\b(?! (?:join|hand|side|value))|\bstill (?:to do|to be done|open)\b/,
    },
  ],
  ["still", 0.6, "still|yet", { asked: true }],
  [
    "is she still",
    0.5,
    "still|working",
    {
      says: /^\W{0,3}(?:Is|is|Does|does|Was|was) (?!Python|Java|Pluto|React|Rust|Linux|Windows|PHP)[A-Z][a-z]+ (?:still|working on)\b/,
      cased: true,
      asked: true,
    },
  ],
  ["now", 0.5, "right now;at the moment;currently;at present;as of now|today", { asked: true }],
  ["state", 0.5, STATE, { asked: true }],
  [
    "is the",
    0.6,
    "is|are|was|were|has|have|did the|that|our",
    {
      says: new RegExp(
        `^\\W{0,3}(?:is|are|was|were|has|have|did) (?:the|that|our) .{1,60}\\b(?:${STATE})\\b`,
      ),
    },
  ],
  [
    "items",
    0.6,
    "task|tasks|issues|tickets|prs|bugs|items|todos|branches|reviews|experiments|jobs|tests are|is|were|was|did|do|have|remain|failed",
    {
      says: /\b(?:which|what|whose|how many)(?: of (?:the|our))? (?:tasks?|issues|tickets|prs|bugs|items|todos|branches|reviews|experiments|jobs|tests) (?:are|is|were|was|did|do|have|remain|failed)\b/,
    },
  ],
  [
    "has she",
    1,
    `${ACT.replace("|work on|worked on", "")};work|worked|working on`,
    {
      // Optional words are looked back for: else each way to the list would be compiled by itself.
      first: /^\W{0,3}(?:has|have|did) /,
      says: new RegExp(
        `(?<=^\\W{0,3}(?:has|have|did) (?!(?:${WORLD})\\b)[\\w-]+(?: \\w+)? (?:already |yet |still )?)(?:${ACT})\\b`,
      ),
    },
  ],
  [
    "what did she",
    1,
    `${ACT.replace("|work on|worked on", "")}|like|prefer;work|worked|working on;up to;waiting for`,
    {
      first: /\b(?:what|when|where|why|how|who|which [\w ]{2,30}) (?:did|has|had|does|is|was) /,
      says: new RegExp(
        `\\b(?:what|when|where|why|how|who|which [\\w ]{2,30}) (?:did|has|had|does|is|was) (?!(?:${WORLD})\\b)[a-z]+ (?:${ACT}|working on|up to|waiting for|like|prefer)\\b`,
      ),
    },
  ],
  [
    "the agent",
    1,
    "agent|agents|bot|bots|assistant|assistants|shift|shifts|reviewer|reviewers|crew|crews|colleague|colleagues|intern|interns",
    {
      says: /\b(?:did|was|has|have|had|were|is)\b.{0,40}\b(?:the|our|my) (?:\w+[ -]){0,3}(?:agent|bot|assistant|shift|reviewer|crew|colleague|intern)s?\b|\b(?:the|our) (?:\w+[ -]){1,3}(?:agent|bot)\b.{0,40}\b(?:do|done|did|finish(?:ed)?|touch(?:ed)?|change[d]?|report(?:ed)?|say|said)\b/,
      asked: true,
    },
  ],
  ["handed over", 0.8, "hand|handed over|off;handover|handoff|handedover|handedoff"],
  [
    "who works",
    1.1,
    "who working|works|responsible|in|assigned|handling|handles|taking|on|owns|maintains|reviewing|looking|currently|is|s|was|are",
    {
      says: /\bwho(?:'s| is| was| are)? (?:currently )?(?:working on|works on|responsible for|in charge of|assigned to|handling|handles|taking care of|on call|owns|maintains|reviewing|looking into) (?:the|our|my|issue|pr|#|it|that|this)\b/,
    },
  ],
  [
    "the thing",
    0.6,
    THING,
    {
      says: new RegExp(
        `\\b(?:the|that|our|this) (?:\\w+[ -]){0,3}(?:${THING.replace("|standup|up", "|stand-?up").replace("|rollout|out", "|roll-?out")})\\b`,
      ),
    },
  ],
  ["things", 0.4, THING, { says: new RegExp(`\\b(?:${THING}) (?:\\w+ ){0,5}(?:${THING})\\b`), asked: true }],
  [
    "ours of its kind",
    1,
    OWN,
    {
      says: new RegExp(
        `^\\W{0,3}(?:who|where|when|how many|(?:on|in|at|by|until|since|for) (?:when|which \\w+|what \\w+))\\b.{0,60}\\b(?:the|that|our) (?:\\w+[ -]){0,2}(?:${OWN})\\b`,
      ),
    },
  ],
  ["came of it", 1, "came|come of;came|come out of", { asked: true }],
  [
    "what the file says",
    0.5,
    "about",
    { says: /\b(?:in|does|do) \S*\w\.\w{1,5}\b.{0,40}\babout\b/, asked: true },
  ],
  ["turned out", 0.6, "turn|turned|turns out", { asked: true }],
  ["should know", 1, "anything|something|what i|we should|must know|remember"],
  ["for us", 0.5, "us", { asked: true }],
  [
    "does she",
    1,
    "does|did|is drink|like|eat|live|prefer|want|drive|wear|play|study|love|hate|need;does|did",
    {
      says: /\b(?:[Dd]oes|[Dd]id) [A-Z][a-z]+ (?:drink|like|eat|live|prefer|want|drive|wear|play|study|love|hate|need)\b/,
      cased: true,
    },
  ],
  [
    "up to speed",
    1.5,
    "up to speed;recap*;me up on;me in on;where things stand",
    { says: /\b(?:bring|get|catch|fill) (?:me|us) (?:up|in)\b|\brecap\b|\bwhere things stand\b/ },
  ],
  ["did", 0.4, "did|was|were|happened|had;has|have been", { asked: true }],
  [
    "history",
    0.6,
    "decide|decided|decision|agreed|settled|chosen|chose|choosing|conclusion|outcome|lessons|rationale|tradeoff|tradeoffs;reason for;root cause;open points|questions;action items;trade off|offs",
    { asked: true },
  ],
  [
    "you to me",
    1.1,
    "should|must|do|did you",
    {
      says: /\b(?:should|must|do|did) you (?:\w+ ){0,2}(?:call|answer|address|write|speak|talk|reply|greet|respond|use)\b.{0,20}\b(?:me|us)\b/,
    },
  ],
  [
    "go on",
    1,
    "pick up;continue|resume|proceed;carry|go on;where we|i|it|you|they were|was|left|stopped|ended",
    {
      says: /\b(?:pick up|continue|resume|carry on|go on|proceed)\b.{0,60}\b(?:where|left|stopped|yesterday|our|last (?:time|session|week))\b|\bwhere (?:we|i|it|you|they) (?:were|was|left|stopped|ended)\b/,
    },
  ],
  [
    "project",
    1,
    "project|repo|service|team",
    { says: /\bproject [A-Z]\w+|\b(?:the|our) [A-Z]\w+ (?:project|repo|service|team)\b/, cased: true },
  ],
  [
    "again",
    0.6,
    "again;which;what was",
    {
      says: /\bagain\s?\?|\bwhich \w+ was (?:it|that)\b|\bwhat was (?:that|the name)\b|\bwhat(?:'s| is) (?:the|that) \w+(?: \w+)? (?:called|named) again\b/,
    },
  ],
  [
    "theirs",
    1,
    "s birthday|phone|number|address|email|e|manager|boss|wife|husband|partner|son|daughter|kid|kids|dog|cat|favorite|favourite|job|role|opinion|feedback|answer|reply|request|proposal|team|surname|anniversary|diet|allergy",
    { says: /\b[A-Z]\w+['’]s /, cased: true },
  ],
  [
    "fetch mine",
    1,
    "my|our|we|i",
    {
      says: /^\W{0,3}(?:please )?(?:list|show|tell|give|summari[sz]e|find|get|look up|check|recap|read)\b.{0,60}\b(?:my|our|we|i)\b/,
    },
  ],
  ["runbook", 0.5, "runbook|playbook|checklist|procedure;our process;steps for|to our|the", { layer: "L4" }],
  [
    "just now",
    0.4,
    "just now;in this session;a moment ago;earlier today;the last command|tool|output|run",
    { layer: "L2" },
  ],

  [
    "make",
    -1,
    "write|draft|compose|explain|translate|fix|sort|print|add|create|generate|implement|convert|refactor|compute|calculate|solve|define|describe|make|build|design|start|install|rewrite|rephrase|correct|format|improve|optimize|optimise|debug|imagine|suggest|recommend|compare|render|draw|plot|count|remove|replace|rename|delete|run|import|parse|use|turn|shorten|extend|update|apply|move|commit|push;set up;thank you",
    {
      says: /^\W{0,3}(?:please |now |then |can you |could you |would you |let's )?(?:write|draft|compose|explain|translate|fix|sort|print|add|create|generate|implement|convert|refactor|compute|calculate|solve|define|describe|make|build|design|start|set up|install|rewrite|rephrase|correct|format|improve|optimi[sz]e|debug|imagine|suggest|recommend|compare|render|draw|plot|count|remove|replace|rename|delete|run|import|parse|use|turn|shorten|extend|update|apply|move|commit|push|thank you)\b/,
    },
  ],
  [
    "keep it",
    -2,
    "remember|note|forget|memorise|memorize;keep in mind;make a note;write down",
    {
      says: /^\W{0,3}(?:please |also |and |now )*(?:remember|note|don['’]?t forget|do not forget|keep in mind|memori[sz]e|make a note|write down)(?: (?:that|to|this|it|my|the|i|we)\b|[:,])/,
      told: true,
    },
  ],
  [
    "told",
    -1.2,
    "we|i",
    {
      says: /^\W{0,3}(?:we|i)(?:['’](?:ve|re|m|d))? (?!(?:(?:am )?(?:trying to (?:re|think)|wondering|looking for)|forg|can['’]?t |cannot|do(?:n['’]?t| not) |wonder|need|want to|would|lost))/,
      told: true,
    },
  ],
  [
    "show",
    -0.5,
    "list|show|tell|give|summarise|summarize|find|help|check|review",
    {
      says: /^\W{0,3}(?:please |can you |could you )?(?:list|show|tell|give|summari[sz]e|find|help|check|review)\b/,
    },
  ],
  [
    "how to",
    -1,
    "why|when do|would i need|want|use;how do we compute|calculate|solve|prove|integrate|convert|sort|parse|define|write;how do|can|should|would|could|does i|you|one|someone;how to;do i find|put|click|need|set|install|get|download|learn|write|type|enter;do i have to",
    {
      says: /\b(?:why|when) (?:do|would) i\b|\bhow do we (?:compute|calculate|solve|prove|integrate|convert|sort|parse|define|write)\b|\bhow (?:do|can|should|would|could|does) (?:i|you|one|someone)\b|\bhow to\b|\b(?:where|what|which) (?:\w+ )?do i (?:find|put|click|need|have to|set|install|get|download|learn|write|type|enter)\b/,
    },
  ],
  [
    "at hand",
    -1,
    "my code*|function*|query*|script*|regex*|css*|essay*|sentence*|paragraph*|text*|loop*|array*|component*|cv*|html*|program*|class*;my app crash*",
  ],
  [
    "this",
    -0.5,
    "this|these|below|attached|above;the following",
    {
      says: /\b(?:this|these|the following|below|attached|above)\b(?! (?:morning|week|month|year|days|afternoon|evening|weekend|project|time))/,
    },
  ],
  [
    "meaning",
    -0.6,
    "what|who;version|versions|release|releases|history|creator|creators|author|inventor of;difference between",
    {
      says: /^\W{0,3}(?:what|who)(?:'s| is| are| was) an?\b|\bdifference between\b|\bwhat does\b.{0,60}\b(?:mean|stand for|contain|do)\b|\b(?:versions?|releases?|history|creators?|author|inventor) of [a-z]/,
    },
  ],
  [
    "in general",
    -0.6,
    "any country|company|person|one;average|worldwide|typically|popular;world wide;in general;most people;in the world;on earth;example of;from scratch;brand new;a new",
  ],
  [
    "shall we",
    -0.8,
    "shall|should|could|can we|i",
    { says: /\b(?:shall|should|could|can) (?:we|i)\b(?! (?:eat|drink|have \w+\W{0,3}$))/ },
  ],
  [
    "why broken",
    -0.8,
    "why is|does|do|are my;why isn|doesn|won t my;what s|is wrong with;can you fix|check|review|improve|explain|help",
  ],
]);
