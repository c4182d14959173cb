import { detectLanguage } from "../../language/index.js";
import { checkGiven, text } from "../../repo/index.js";
import { CHINESE } from "./chinese.js";
import { COMMON } from "./common.js";
import { type Cue, type LayerName, said } from "./cue.js";
import { ENGLISH } from "./english.js";
import { FRENCH } from "./french.js";
import { GERMAN } from "./german.js";
import { SPANISH } from "./spanish.js";
import { weigh } from "./weigh.js";
import { wordsOf } from "./wording.js";

export interface Detection {
  /** Does it ask for something that only memory can tell? */
  readonly recall: boolean;
  /** How sure that is, 0 to 1; from one half on it is a recall. */
  readonly score: number;
  /** Is it put as a question, and does nothing say that memory could not answer it? */
  readonly asks: boolean;
  /** The signs that spoke for and against it. */
  readonly signs: readonly string[];
  /** Where the answer is likely to be, in the order of asking. */
  readonly layers: readonly LayerName[];
}

const BY_LANGUAGE: Readonly<Record<string, () => readonly Cue[]>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
  zh: CHINESE,
};

/** A long prompt says what it wants at its beginning or at its end. */
const GLANCE = 500;
/** What is quoted is spoken of, not said. */
const QUOTED =
  /```[\s\S]{0,5000}?(?:```|$)|`[^`\n]{1,300}`|"[^"\n]{1,300}"|“[^”\n]{1,300}”|„[^“”\n]{1,300}[“”]|«[^»\n]{1,300}»|「[^」\n]{1,300}」/gu;
/** Whoever greets before asking asks all the same. */
const GREETING =
  /^(?:\s*(?:hey|hi|hello|hallo|moin|ok|okay|so|also|well|um|bonjour|salut|coucou|hola|oye|buenas|thanks|danke|merci|gracias|你好|您好|嗨|谢谢)(?: (?:there|again|claude))?(?:\s*[,.!，。！…]+\s*|\s+(?=\S)))+/iu;
/** In small letters, as `REQUEST`. */
const ASKS =
  /[?？¿]|^\W{0,3}(?:what|whats|which|who|whose|when|where|why|how|is|are|was|were|did|do|does|has|have|had|since when|was|wer|wen|wem|wann|wo|warum|wieso|wie|welche\w*|hat|habe|haben|ist|sind|seit wann|qui|que|quoi|quand|où|pourquoi|comment|quel\w*|est-ce|qué|quién|cuándo|dónde|cómo|cuál|por qué)(?!\p{L})|^\W{0,3}(?:i|we) (?:need (?:the|to know)|want to know|would like to know|wonder|am looking for|forgot|can['’]?t remember|don['’]?t remember)|^\W{0,3}ich (?:weiß nicht mehr|habe? vergessen)|(?:什么|哪|谁|吗|几|多少|怎么|为什么|没有[？?]?$)/u;

/** What is put as a question and asks for a deed. */
const REQUEST =
  /\b(?:can|could|would|will) you\b|\b(?:kannst|könntest|würdest) du\b|\b(?:peux|pourrais)-tu\b|\b(?:puedes|podrías)\b|你能|帮我/u;

/** A door asks before it opens a store, and recall asks again: patterns used twice would be compiled once more. */
let last: { readonly prompt: string; readonly detection: Detection } | undefined;

/** Does a prompt need memory? By signs and wording that can be named, so that it can be said why; nothing is stored or looked up. */
export function detectRecall(prompt: string): Detection {
  checkGiven("detectRecall", { prompt }, { prompt: text });
  if (last?.prompt !== prompt) last = { prompt, detection: judged(prompt) };
  return last.detection;
}

function judged(prompt: string): Detection {
  const { plain, language, signs, isAsked } = read(prompt);
  const { logit, telling } = weigh(plain.text, language, signs);
  const score = 1 / (1 + Math.exp(-logit));
  const likely = new Set(signs.flatMap(({ layer }) => layer ?? []));
  return {
    recall: score > 0.5,
    score,
    asks: isAsked && !REQUEST.test(plain.small) && signs.every(({ points }) => points > 0),
    signs: [...signs.map(({ name, points }) => `${points < 0 ? "-" : "+"} ${name}`), ...telling],
    layers: score > 0.5 ? ["L1", ...[...likely].sort()] : [],
  };
}

/** A prompt without what is quoted in it, and the signs it shows. */
function read(prompt: string) {
  const text = glance(prompt).replace(QUOTED, " … ").replace(GREETING, "").trim();
  const found = text.includes("¿") ? "es" : detectLanguage(text)?.code;
  const language = found !== undefined && found in BY_LANGUAGE ? found : "en";
  const all = [...COMMON(), ...BY_LANGUAGE[language]!()];
  const plain = said(withoutMaterial(text, all));
  const isAsked = ASKS.test(plain.small);
  return {
    plain,
    language,
    isAsked,
    signs: all.filter((cue) => !(isAsked ? cue.told : cue.asked) && cue.isIn(plain)),
  };
}

/** What a prompt is weighed by: bench/train-detector.mjs fits the weights to it. */
export function materialOf(prompt: string) {
  const { plain, language, signs } = read(prompt);
  return { language, words: wordsOf(plain.text, language), signs };
}

/** "Translate: …": what follows the colon is to be worked on, not asked. */
function withoutMaterial(text: string, all: readonly Cue[]): string {
  const [head] = /^[^:：\n]{1,80}[:：]/u.exec(text) ?? [];
  if (head === undefined) return text;
  const before = said(head);
  const isWork = FOLLOWING.test(before.small) || all.some(({ points, isIn }) => points <= -1 && isIn(before));
  return isWork ? head : text;
}

const FOLLOWING =
  /\b(?:following|below|folgende\w*|suivante?s?|siguientes?)\b|ci-dessous|以下|下面|这句|这段/u;

const glance = (text: string): string =>
  text.length <= 2 * GLANCE ? text : `${text.slice(0, GLANCE)}\n${text.slice(-GLANCE)}`.toWellFormed();
