/** How something is said decides whether it is meant. Each pattern is a manner of speaking, never a topic. */

/** The whole message is not meant, or is not to be kept. */
const RETRACTED =
  /\b(?:off the record|(?:don['’]?t|do not|please don['’]?t|never) (?:remember|store|save|keep|note|record|memori[sz]e) (?:that|this|it|any of)|forget (?:that|this|it|i said|what i (?:just )?said)(?: last (?:bit|part))?(?=\s*(?:$|[.!,]))|(?:scratch|strike|ignore|disregard) (?:that|this)(?=\s*(?:$|[.!]))|just (?:kidding|joking)|i['’]?m (?:kidding|joking)|only joking|between (?:us|you and me)|keep (?:this|that) between|not for the record)\b|\bjk\b|\bunter uns\b|\bvergiss (?:das|es)\b|\b(?:merk|speicher)e? (?:dir )?das (?:bitte )?nicht\b|\bolvida (?:eso|esto|lo que dije)\b|\bno (?:lo |la )?(?:guardes|recuerdes)\b|\boublie (?:ça|cela)\b|(?:别|不要|不用)(?:记|保存)|忘(?:了|掉)(?:它|这个|这件)|(?:覚え|記録し)ないで/iu;
const SARCASTIC =
  /^\s*(?:oh,? (?:sure|great|wonderful|joy|yeah|fantastic|lovely|perfect)|(?:great|wonderful|fantastic|lovely|perfect|brilliant|awesome)[,!.]* (?:another|more|yet another|just what|exactly what|one more)|yeah,? right|sure,? because|wow,? thanks|because (?:obviously|clearly|of course) |as if )|\bjust what i (?:needed|wanted|always wanted)\b|\b(?:favou?rite thing in the (?:whole )?world|couldn['’]t be happier|how (?:wonderful|lovely)|said no one ever|what could possibly go wrong|nothing (?:beats|better than) (?:a |an |another )?(?:\w+ )?(?:meeting|outage|traffic|bug|deadline|delay)s?)\b|(?:^|\s)\/s\b|🙄|\bna (?:toll|super|klasse|prima)\b|(?:^|[.!]\s+)not[.!]*\s*$/iu;
/** Shouting a liking is mostly not liking it. */
const SHOUTED = /\b(?:LOVE|ADORE|ENJOY|LIKE)\b(?=.{0,400}\p{Ll})/u;
const FICTION =
  /\b(?:imagine|pretend|suppose|picture this|role-?play|let['’]?s play|let['’]?s say|what if|hypothetically|assume|act as|you are now|in (?:this|the|my) (?:story|game|novel|scenario|dream|book)|dreamt?|stell dir vor|angenommen|imagina|supongamos|imagine que|假如|如果我|假设|想象)/iu;
/** Somebody else's text follows, or a text is to be made. */
const TASK =
  /^\s*(?:(?:please|can you|could you|hey|ok|hi|now|just|and|then|bitte|por favor)[, ]+)*(?:translate|summari[sz]e|rewrite|rephrase|paraphrase|proofread|edit|correct (?:this|the|my)|shorten|write|draft|compose|generate|create|make up|complete|continue|quote|parse|count|classify|analy[sz]e|read|review (?:this|the)|explain|describe|repeat|reply|respond to|spell|convert|format this|schreib|übersetze|fass|escribe|traduce|resume|écris|traduis|résume|翻译|总结|写一|写个|請寫|请写)(?![\p{L}])/iu;
const HANDS_OVER =
  /[:：]|\b(?:following|below|this (?:text|page|email|e-mail|mail|article|message|log|paragraph|document|note))\b/iu;

/** The sentence is not a statement about how things are. */
const UNREAL =
  /\b(?:if|unless|whether|wish|would(?!(?: always)? (?:like|prefer|rather))|wouldn['’]t|might|maybe|perhaps|probably|possibly|supposed(?:ly)?|apparently|i guess|i think|i suppose|i wonder|wondering|not sure|unsure|i bet|could have|should have|as though|hopefully|i hope|rumou?r|they say|it is said|allegedly|someday|one day|wenn|falls|vielleicht|würde|wäre|hätte|ojalá|quizás|tal vez|si yo|peut-être|si j['’])\b|如果|要是|也许|可能|もし|たぶん/iu;
const PASSING =
  /\b(?:right now|at the moment|for the moment|today|tonight|tomorrow|this (?:morning|afternoon|evening|second|minute)|just now|in a (?:hurry|rush|minute|sec)|on my way|running late|brb|yesterday|heute|gerade|im moment|morgen|gestern|hoy|ahora mismo|mañana|ayer|aujourd['’]hui|en ce moment|demain|hier)\b|今天|现在|刚才|明天|昨天|今日|今は/iu;
const JESTING = /\b(?:haha+|lol|lmao|rofl|hehe+)\b|😂|🤣|哈哈/iu;
const ASKING =
  /^(?:and |but |so |or |well,? |hmm,? |also,? |ok,? |then )*(?:can|could|would|will|do|does|did|don['’]t|doesn['’]t|is|isn['’]t|are|aren['’]t|was|were|have you|has|had|should|shall|may|what|what['’]s|how|how['’]s|which|when|where|why|who|whose|who['’]s|any|wanna|want to|ever|right|got any|was ist|wer|wie|wo|wann|warum|kannst|qué|quién|cómo|dónde|cuándo|quel|quelle|comment|où|est-ce)\b/iu;

export type Manner = "statement" | "unreal" | "passing";

/** What follows in the sentence depends on it. */
const CONDITION = /^(?:if|unless|were i|had i|should i|once i|wenn|falls|si|if only)\s|^(?:如果|要是|もし)/iu;
/** Said after a statement, it takes half of it back. */
const HEDGE =
  /^(?:i (?:guess|think|suppose|believe|bet|imagine)|maybe|perhaps|probably|possibly|not sure|or so|or something|glaube ich|creo|je crois|je pense)(?: so)?[.!]*$/iu;

export const opensCondition = (clause: string): boolean => CONDITION.test(clause);
export const isHedge = (clause: string): boolean => HEDGE.test(clause);
export const isRetracted = (text: string): boolean => RETRACTED.test(text);
export const isSarcastic = (text: string): boolean => SARCASTIC.test(text) || SHOUTED.test(text);
export const isAsking = (clause: string): boolean => ASKING.test(clause);
export const isJest = (text: string): boolean => JESTING.test(text);
export const isPassing = (text: string): boolean => PASSING.test(text);
export const isUnreal = (clause: string): boolean => UNREAL.test(clause);

/** From this sentence on nothing of the message is the speaker's own statement. */
export const opensFiction = (sentence: string): boolean => FICTION.test(sentence);
export const isTask = (sentence: string): boolean => TASK.test(sentence);
export const handsOver = (sentence: string): boolean => HANDS_OVER.test(sentence);
