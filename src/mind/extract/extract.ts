import { fold } from "../../gate/index.js";
import type { Fact, Message } from "../facts.js";
import { REDACTED } from "../guard.js";
import { clausesOf, isMasked, ownWords, type Span, sentencesOf } from "./clauses.js";
import { me, rule } from "./english-grammar.js";
import { ABOUT_OTHERS, SECRET_NOUN } from "./english-others.js";
import { ABOUT_SPEAKER } from "./english-speaker.js";
import { LANGUAGES } from "./english-words.js";
import { MAYBE_OTHER, OTHER_LANGUAGES } from "./other-languages.js";
import { inThirdPerson, withoutArticle } from "./phrase.js";
import type { Found, Rule } from "./rule.js";

function wishOf(given: string): Found | undefined {
  const wish = given.replace(/(?<![.!])[.!]+$/, "");
  if (wish.split(/\s+/).length > 25) return undefined;
  const said = inThirdPerson(wish.charAt(0).toLowerCase() + wish.slice(1));
  return { subject: "me", predicate: "asks_to", object: said, confidence: 0.9, text: `{me} asks: ${said}.` };
}

/** Wishes that are meant to last, said to an assistant. */
const WISHES: readonly Rule[] = [
  rule(
    `(?:[Pp]lease )?(?:[Aa]lways |[Ff]rom now on,? |[Ii]n (?:the )?future,? )+(?:please )?(?:answer|reply|respond|speak|talk|write)(?: (?:to|with) me| me)? (?:only )?in (?<x>${LANGUAGES})`,
    ({ x }) => me("preferred_language", x, 0.95),
  ),
  rule(
    `(?:[Pp]lease )?(?:answer|reply|respond|speak|talk)(?: to me| me)? (?:always|only) in (?<x>${LANGUAGES})`,
    ({ x }) => me("preferred_language", x, 0.95),
  ),
  rule(
    String.raw`(?:[Pp]lease )?(?<x>(?:(?:do not|don['’]t|never|always|only) )?(?:use|write|add|include|keep|make|give|put|call|mention|show|format) .*\b(?:in|of|for|with)? ?(?:your|all|the) (?:answers|replies|responses|messages|explanations)\b.*)`,
    ({ x = "" }) => wishOf(x),
  ),
  rule(
    "(?:[Pp]lease )?(?<x>(?:use|write|answer|reply|format|keep|give|show|avoid|include|skip|say) .+?),? (?:from now on|always|going forward|in (?:the )?future|every time)$",
    ({ x = "" }) => wishOf(`always ${x}`),
  ),
  rule(
    String.raw`(?:(?:[Ff]rom now on|[Gg]oing forward|[Ii]n (?:the )?future),? (?:please )?(?<y>\p{Ll}.+)|(?:[Pp]lease )?(?<x>(?:[Aa]lways|[Nn]ever) (?!give up|mind|say never|be )[\p{Ll}].+))`,
    ({ x, y }) => wishOf(x ?? y ?? ""),
  ),
].map((one) => ({ ...one, toAssistant: true }));

const ENGLISH: readonly Rule[] = [...WISHES, ...ABOUT_SPEAKER, ...ABOUT_OTHERS];

/** What the speaker is called in memory. */
const speakerOf = ({ name }: Message): string => name ?? "user";

/**
 * What people say of themselves and their world in a conversation, by rules and grammar: nothing is guessed, and what is
 * not plainly stated is left out. Messages must have passed `guarded`. `known` tells texts that came from memory.
 */
export function extractFacts(
  messages: readonly Message[],
  known: (text: string) => boolean = () => false,
): Fact[] {
  const people = new Set(messages.filter(({ role }) => role === "user").map(speakerOf));
  const toAssistant = people.size <= 1;
  const facts: Fact[] = [];
  let before = 0;
  for (const [turn, message] of messages.entries()) {
    if (message.role !== "user") continue;
    const said = inMessage(message, turn, toAssistant, known);
    if (said === "retracted") {
      // "Forget that" alone speaks of the turn before.
      if (message.content.length < 60) facts.length = before;
      continue;
    }
    before = facts.length;
    for (const fact of said) join(facts, fact);
  }
  return facts;
}

/** A later statement about the same slot replaces an earlier one of this conversation; the same again adds nothing. */
function join(facts: Fact[], fact: Fact): void {
  const slot = slotOf(fact);
  const isSame = (other: Fact) =>
    slotOf(other) === slot && fold(other.triple.object) === fold(fact.triple.object);
  if (fact.op === "forget") {
    // What was only said a moment ago goes at once; what was stored before is still to be forgotten.
    const kept = facts.filter((other) => other.op === "forget" || !(isSame(other) || isAbout(fact, other)));
    facts.splice(0, facts.length, ...kept, fact);
    return;
  }
  if (facts.some((other) => isSame(other) && other.op !== "forget")) return;
  // An end that a beginning follows is one change.
  const end = facts.findLastIndex((other) => other.op === "forget" && slotOf(other) === slot);
  if (end >= 0) facts.splice(end, 1);
  facts.push(end < 0 ? fact : { ...fact, op: "modify" });
}

/** A wish that names no more than what it is about. */
const isAbout = ({ triple: { predicate, object } }: Fact, { text }: Fact): boolean =>
  predicate === ABOUT && ` ${fold(text)} `.includes(` ${fold(object)} `);
const ABOUT = "about";

const slotOf = ({ triple: { subject, predicate } }: Fact): string =>
  JSON.stringify([fold(subject), fold(predicate)]);

function inMessage(
  message: Message,
  turn: number,
  toAssistant: boolean,
  known: (text: string) => boolean,
): Fact[] | "retracted" {
  const own = ownWords(message.content);
  if (isRetracted(own)) return "retracted";
  if (isSarcastic(own)) return [];
  const speaker = speakerOf(message);
  const facts: Fact[] = [];
  for (const sentence of sentencesOf(own)) {
    const asked = forgetRequest(message, turn, sentence.text);
    if (asked) {
      facts.push(asked);
      continue;
    }
    if (opensFiction(sentence.text)) break;
    if (isTask(sentence.text)) {
      if (handsOver(sentence.text)) break;
      continue;
    }
    if (isPassing(sentence.text) || isJest(sentence.text) || known(sentence.text)) continue;
    const replaced = correction(sentence, facts.at(-1), message.content);
    if (replaced) facts[facts.length - 1] = replaced;
    else facts.push(...inSentence(sentence, { speaker, turn, toAssistant, content: message.content }));
  }
  return facts;
}

interface Where {
  readonly speaker: string;
  readonly turn: number;
  readonly toAssistant: boolean;
  readonly content: string;
}

const LEAD =
  /^(?:(?:no|nope|nah|nein)[,.!]\s*|(?:(?:no,? )?wait|correction|(?:scratch|strike) that|i mean)[,:.!]\s*|(?:hi|hello|hey|well|yeah|yes|yep|ok|okay|oh|ah|so|also|and|but|btw|by the way|for the record|fyi|just so you know|actually|honestly|to be honest|personally|as for me|for me|sure|right|remember(?: that)?|note(?: that)?|please remember(?: that)?|please note(?: that)?|don['’]t forget(?: that)?|keep in mind(?: that)?|in fact|besides|plus|anyway|sorry|thanks(?: [^,.!]{1,20})?|because|since|übrigens|ja|also|hallo|hola|sí|bueno|salut|bonjour|oui|por cierto|你好|对了|另外|其实)(?:[,:!，]\s*|\s+(?=\S)))+/iu;
const CHANGED =
  /\b(?:actually|no,? wait|scratch that|no longer|any ?more|instead|now|changed|switched|moved|correction|not .{1,100} but|that['’]s wrong|used to|inzwischen|jetzt|ahora|maintenant)\b|现在|不再/iu;

function inSentence(sentence: Span, where: Where): Fact[] {
  const facts: Fact[] = [];
  const clauses = clausesOf(sentence);
  const isQuestion = /[?？]\s*$/.test(sentence.text);
  const asking = clauses.findIndex(({ text }) => isAsking(text.replace(LEAD, "")));
  if (isQuestion && asking < 0) return facts;
  let named: string | undefined;
  let liked: string | undefined;
  for (const [at, clause] of clauses.entries()) {
    if (asking >= 0 && at >= asking && (isQuestion || at === asking)) {
      if (isQuestion) break;
      continue;
    }
    if (opensCondition(clause.text.replace(LEAD, ""))) break;
    if (isHedge(clauses[at + 1]?.text ?? "")) continue;
    if (isMasked(clause.text) || isUnreal(clause.text) || clause.text.includes(REDACTED)) continue;
    for (const found of matches(clause.text, where.toAssistant)) {
      const subject =
        found.subject === "them"
          ? named
          : found.subject === "me"
            ? where.speaker
            : ownerOf(found, where.speaker);
      const object = found.object === "it" ? liked : found.object;
      if (subject === undefined || object === undefined) continue;
      if (SECRET_NOUN.test(`${subject} ${found.predicate}`)) continue;
      facts.push(factOf({ ...found, subject, object }, clause, where, CHANGED.test(sentence.text)));
      named = found.subject === "me" ? (/^\p{L}/u.test(object) ? object : named) : subject;
      liked = object;
    }
  }
  return facts;
}

/** Among several people "sister" would be nobody's. */
const ownerOf = ({ subject, who }: Found, speaker: string): string =>
  speaker !== "user" && who?.startsWith("{me}") ? `${speaker}'s ${subject}` : subject;

const IT =
  /^(?<lead>i (?:really )?(?:hate|can['’]?t stand|don['’]?t like|love|like|prefer)) (?:it|that|them)[.!]*$/i;

/** Nobody corrects, wishes or tells one thing of themselves in more; longer is pasted, or made to keep us busy. */
const LONGEST = 400;

/** The first rule that reads a clause. */
function matches(given: string, toAssistant: boolean): readonly Found[] {
  const clause = given.replace(LEAD, "").replace(/(?<![\s.!。！…])[\s.!。！…]+$/u, "");
  if (clause.length < 3 || clause.length > LONGEST) return [];
  const it = IT.exec(clause);
  if (it) {
    const isLiked = /love|(?<!don['’]?t )like|prefer/i.test(it.groups!.lead!);
    return [{ subject: "me", predicate: isLiked ? "likes" : "dislikes", object: "it", confidence: 0.8 }];
  }
  if (MAYBE_OTHER.test(clause))
    for (const rule of OTHER_LANGUAGES) {
      const found = tried(rule, clause, toAssistant);
      if (found) return found.map((one) => (one.subject === "me" ? { ...one, text: `{me}: ${given}` } : one));
    }
  for (const rule of ENGLISH) {
    const found = tried(rule, clause, toAssistant);
    if (found) return found;
  }
  return [];
}

function tried(rule: Rule, clause: string, toAssistant: boolean): readonly Found[] | undefined {
  if (rule.toAssistant && !toAssistant) return undefined;
  const match = rule.pattern.exec(clause);
  if (!match) return undefined;
  const made = rule.make(match.groups ?? {});
  const list = made === undefined ? [] : "subject" in made ? [made as Found] : (made as readonly Found[]);
  return list.length === 0 ? undefined : list;
}

function factOf(found: Found, clause: Span, where: Where, isChange: boolean): Fact {
  const { speaker, turn, content } = where;
  const evidence = content.slice(clause.start, clause.start + clause.text.length);
  const { subject, predicate, confidence } = found;
  const object = withoutArticle(found.object);
  return {
    op: found.ends ? "forget" : isChange ? "modify" : "add",
    triple: { subject, predicate, object },
    text: factText(found, speaker),
    lifetime: /\bfor (?:now|this (?:session|conversation|chat|task))\b/i.test(clause.text)
      ? "session"
      : "permanent",
    confidence,
    sensitivity: found.sensitivity ?? "normal",
    evidence,
    turn,
  };
}

const FIX =
  /^\s*(?:(?:no|oh|sorry|oops|wait|hm+|ah|nein|perdón)[,. ]+)*(?:(?:no,? wait|wait|correction|sorry|actually|(?:scratch|strike) that|i mean(?:t)?|make (?:that|it)|rather|i meant to say|should be|it['’]s|nein|quiero decir)[,: ]+)+(?<x>.+?)[.!]*$/iu;
const SHAPES = [
  /^(?:on |the )*\d{1,2}(?:st|nd|rd|th)?(?: of)? \p{L}+|^(?:on )?\p{Lu}\p{L}+ \d{1,2}/u,
  /^[$€£]?\d/u,
  /^(?:on |at |in )?\p{Lu}/u,
];
const shapeOf = (text: string): number => SHAPES.findIndex((shape) => shape.test(text));

/** "No wait, 21 June": the last thing said, with another object of the same shape. A clause of its own is read as one. */
function correction(sentence: Span, last: Fact | undefined, content: string): Fact | undefined {
  if (!last || sentence.text.length > LONGEST) return undefined;
  const said = FIX.exec(sentence.text)?.groups?.x?.trim();
  if (!said || said.split(/\s+/).length > 5 || isMasked(said)) return undefined;
  if (matches(said, true).length > 0) return undefined;
  if (shapeOf(said) < 0 || shapeOf(said) !== shapeOf(last.triple.object)) return undefined;
  const { subject, predicate } = last.triple;
  const evidence = content.slice(sentence.start, sentence.start + sentence.text.length).trim();
  const triple = { subject, predicate, object: said };
  return { ...last, triple, text: last.text.replace(last.triple.object, () => said), evidence };
}

const FORGET =
  /^\s*(?:(?:please|ok|okay|and|also|can you|could you|hey)[, ]+)*(?:forget|delete|remove|erase|stop remembering)(?: everything)?(?: you know)? (?:about |that |what i(?:['’]ve)? (?:just )?(?:said|told you)(?: earlier| before)? about )?(?<x>(?:i|my|the|our)\b.+?)(?:\s+from (?:your )?memory)?[.!?]*\s*$/iu;

/** A wish that something stored be forgotten, in words that say what. */
function forgetRequest(message: Message, turn: number, sentence: string): Fact | undefined {
  const rest = sentence.length <= LONGEST ? FORGET.exec(sentence)?.groups?.x : undefined;
  if (rest === undefined || isMasked(sentence) || rest.split(/\s+/).length > MOST) return undefined;
  const [found] = matches(rest.replace(/^i\b/, "I"), true);
  const speaker = speakerOf(message);
  const about = withoutArticle(rest.replace(/^(?:what )?i (?:said|told you) about /i, ""));
  const subject = found === undefined || found.subject === "me" ? speaker : found.subject;
  const triple = found
    ? { subject, predicate: found.predicate, object: withoutArticle(found.object) }
    : { subject, predicate: ABOUT, object: about };
  return {
    ...{ op: "forget", triple, text: rest, lifetime: "permanent", confidence: 0.9, sensitivity: "normal" },
    evidence: sentence.trim(),
    turn,
  };
}
const MOST = 12;

/** Predicates that do not read as a verb. */
const VERBS: Readonly<Record<string, string>> = {
  name: "is called",
  preferred_name: "wants to be called",
  preferred_language: "wants answers in",
  job: "works as",
  is_a: "is a",
  age: "has the age of",
  from: "is from",
  born: "was born in",
  allergic_to: "is allergic to",
  intolerant_to: "is intolerant to",
  married_to: "is married to",
  engaged_to: "is engaged to",
  prefers_to: "would rather",
  decided: "decided",
};
const NOUNS =
  /^(?:favou?rite_|preferred_|native_|new_|current_|dream_|main_)|^(?:health|diet|religion|nationality)$/;
const VERBAL =
  /^(?:is|has|lives|works|likes|dislikes|prefers|avoids|grew|always|usually|normally|typically|does|decided|asks|allergic|can|must|moved|start|end|open|close|use|deploy|adopted|founded|co-founded|launched|published|enrolled|signed|graduated|won|volunteered|got|started)(?:_|$)|s$|_(?:on|to|by|in|at|for)$/;

/** The fact as a sentence that stands alone. */
function factText({ subject, predicate, object, text, who: named }: Found, speaker: string): string {
  const whole = speaker === "user" ? "The user" : speaker;
  if (text !== undefined) return text.replace("{me}", whole);
  const phrase = named?.replace("{me}", whole);
  const who =
    phrase !== undefined
      ? phrase.charAt(0).toUpperCase() + phrase.slice(1)
      : subject === "user"
        ? "The user"
        : subject === speaker
          ? whole
          : subject.charAt(0).toUpperCase() + subject.slice(1);
  const verb = VERBS[predicate];
  if (verb !== undefined) return `${who} ${verb} ${object}.`;
  const words = predicate.replace(/_/g, " ");
  if (NOUNS.test(predicate) || !VERBAL.test(predicate)) return `${who}'s ${words} is ${object}.`;
  return `${who} ${words} ${object}.`;
}

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

/** What follows in the sentence depends on it. */
const CONDITION = /^(?:if|unless|were i|had i|should i|once i|wenn|falls|si|if only)\s|^(?:如果|要是|もし)/iu;
/** Said after a statement, it takes half of it back. */
const HEDGE =
  /^(?:i (?:guess|think|suppose|believe|bet|imagine)|maybe|perhaps|probably|possibly|not sure|or so|or something|glaube ich|creo|je crois|je pense)(?: so)?[.!]*$/iu;

const opensCondition = (clause: string): boolean => CONDITION.test(clause);
const isHedge = (clause: string): boolean => HEDGE.test(clause);
const isRetracted = (text: string): boolean => RETRACTED.test(text);
const isSarcastic = (text: string): boolean => SARCASTIC.test(text) || SHOUTED.test(text);
const isAsking = (clause: string): boolean => ASKING.test(clause);
const isJest = (text: string): boolean => JESTING.test(text);
const isPassing = (text: string): boolean => PASSING.test(text);
const isUnreal = (clause: string): boolean => UNREAL.test(clause);

/** From this sentence on nothing of the message is the speaker's own statement. */
const opensFiction = (sentence: string): boolean => FICTION.test(sentence);
const isTask = (sentence: string): boolean => TASK.test(sentence);
const handsOver = (sentence: string): boolean => HANDS_OVER.test(sentence);
