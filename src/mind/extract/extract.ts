import { fold } from "../../gate/index.js";
import type { Fact, Message } from "../facts.js";
import { REDACTED } from "../guard.js";
import { clausesOf, isMasked, ownWords, type Span, sentencesOf } from "./clauses.js";
import { ABOUT_OTHERS, SECRET_NOUN } from "./english-others.js";
import { ABOUT_SPEAKER } from "./english-speaker.js";
import { WISHES } from "./english-wishes.js";
import { MAYBE_OTHER, OTHER_LANGUAGES } from "./other-languages.js";
import { withoutArticle } from "./phrase.js";
import type { Found, Rule } from "./rule.js";
import { factText } from "./say.js";
import {
  handsOver,
  isAsking,
  isHedge,
  isJest,
  isPassing,
  isRetracted,
  isSarcastic,
  isTask,
  isUnreal,
  opensCondition,
  opensFiction,
} from "./stance.js";

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
