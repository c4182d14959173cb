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

/** Signs in English of matters that only those know who live with them: plans, how things stand, who does what. */
export const ENGLISH_MATTERS = cues(() => [
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
  // Of technical things everybody speaks two at a time.
  ["things", 0.4, OWN, { says: new RegExp(`\\b(?:${OWN}) (?:\\w+ ){0,5}(?:${OWN})\\b`), asked: true }],
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
]);
