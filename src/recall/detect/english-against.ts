import { cues } from "./cue.js";

/** Signs in English that a prompt asks for something else: a task, the world, what lies at hand, something to keep. */
export const ENGLISH_AGAINST = cues(() => [
  [
    "make",
    -1,
    "write|draft|compose|explain|translate|fix|sort|print|add|create|generate|implement|convert|refactor|compute|calculate|solve|define|describe|make|build|design|start|install|rewrite|rephrase|correct|format|improve|optimize|optimise|debug|imagine|suggest|recommend|compare|render|draw|plot|count|remove|replace|rename|delete|run|import|parse|use|turn|shorten|extend|update|apply|move|commit|push;set up;thank you",
    { begins: true },
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
  ["show", -0.5, "list|show|tell|give|summarise|summarize|find|help|check|review", { begins: true }],
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
