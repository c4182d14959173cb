import { latePattern } from "../../base/index.js";
import { detectLanguage } from "../../view/index.js";
import type { AskedFor } from "./asked-for.js";

const sign = latePattern("iu");
const exact = latePattern("u");
const all = latePattern("giu");

const MONTH = sign`(?<!\p{L})(?:jan(?:uary|uar|vier)?|feb(?:ruary|ruar)?|février|march|märz|mars|april|avril|may|mai|june|juni|juin|july|juli|juillet|aug(?:ust)?|août|sept?(?:ember|embre)?|oct(?:ober|obre)?|oktober|nov(?:ember|embre)?|dec(?:ember)?|dezember|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)(?!\p{L})`;
const TIME_WORD = sign`(?<!\p{L})(?:\p{L}*day|\p{L}*days|\p{L}+tag|\p{L}+tags|mittwochs?|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|seconds?|minutes?|hours?|weeks?|weekends?|months?|years?|nights?|nightly|mornings?|evenings?|afternoons?|noon|midnight|quarters?|spring|summer|autumn|winter|christmas|easter|tonight|tomorrow|daily|weekly|monthly|yearly|annually|hourly|every|each|once|twice|times|until|till|since|before|after|while|when|whenever|soon|now|always|never|rarely|ago|already|longer|early|late|next|last|o['’]clock|tage?n?|wochen?|wochenende|monate?n?|monats|jahre?n?|stunden?|minuten?|sekunden?|nachts?|morgens?|abends?|mittags?|mitternacht|frühling|sommer|herbst|weihnachten|ostern|heute|gestern|täglich|wöchentlich|monatlich|jährlich|immer|nie|jede[nrsm]?|bis|seit|vor|nach|einmal|zweimal|nächste[nrsm]?|letzte[nrsm]?|uhr|jours?|semaines?|mois|ans|années?|heures?|nuits?|matins?|soirs?|midi|minuit|été|hiver|automne|printemps|chaque|tous|toutes|toujours|jamais|avant|après|depuis|jusqu['’]?\p{L}*|demain|hier|prochaine?|dernière?|día|días|semanas?|meses|años?|horas?|minutos?|noches?|mañanas?|tardes?|cada|todos|todas|siempre|nunca|antes|después|desde|hasta|ayer|hoy|próxim[oa]|últim[oa])(?!\p{L})`;
const CLOCK = sign`\d{1,2}[:.]\d\d|\d{1,2} ?(?:am|pm|uhr|h)(?!\p{L})|(?:at|um|à|a las|by|from|between) \d|(?:19|20)\d\d|\d{1,2}(?:st|nd|rd|th)(?!\p{L})|\d{1,2}[./]\d{1,2}`;
const CHINESE_TIME = exact`[年月日号点天周星期时早晚夜每]`;

/** Said of when, not of how much. */
const DATES = all`\d{1,2}(?:[:.]\d\d)? ?(?:am|pm|uhr|h)(?!\p{L})|\d{1,2}:\d\d|\d{1,2}(?:st|nd|rd|th|\.)? (?:of )?(?:jan|feb|fév|mar|mär|apr|avr|abr|ma[iy]|jun|jui|jul|aug|aoû|ago|sep|oct|okt|nov|dec|dez|déc|dic|de )\p{L}*|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}* \d{1,2}(?!\d)|(?:at|um|à|a las) \d{1,2}(?!\d)`;
const YEARS = all`(?<![\d.,])(?:19|20)\d\d(?![\d.,]*\d)`;
/** "Postgres 16", "Node 20": no age. */
const VERSIONS = latePattern("gu")`\p{Lu}\p{L}+ v?\d{1,3}(?:\.\d+)*(?![\p{N}])`;
const NUMBER = sign`(?<![\p{L}\p{N}_/-])[$€£v#]?\d|(?<!\p{L})(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|million|dozen|half|double|several|few|both|none|nobody|no|free|single|eine?[nrms]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|hundert|tausend|halbe?|mehrere|beide|kein\p{L}{0,2}|kostenlos|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|vingt|cent|mille|plusieurs|aucune?|gratuit|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|veinte|cien|mil|varios|ningun[oa]?|gratis)(?!\p{L})|[零一二三四五六七八九十百千万两半]`;
/** Several named one by one can be counted. */
const LISTED = exact`\p{Lu}\p{L}+,? (?:and|und|et|y) \p{Lu}\p{L}+`;

const REASON = sign`(?<!\p{L})(?:because|since|due|so|therefore|reasons?|cause[ds]?|after|thanks|too|in order|avoid|prevents?|weil|da|denn|wegen|damit|deshalb|daher|darum|nachdem|grund|parce|puisque|pour|afin|grâce|après|trop|porque|por|debido|para|pues|razón|demasiado|to (?:keep|save|make|get|have|be|reduce|stop|help|allow|support|improve|protect)|um .{1,60}? zu \p{L}+|car (?:il|elle|on|nous|le|la|les|ils))(?!\p{L})|因为|由于|所以|为了`;
const COLOUR = sign`(?<!\p{L})(?:dunkel|hell)?(?:red|blue|green|yellow|black|white|gr[ea]y|brown|orange|pink|purple|violet|silver|gold(?:en)?|beige|turquoise|dark|light|rote?[nrsm]?|blaue?[nrsm]?|grüne?[nrsm]?|gelbe?[nrsm]?|schwarze?[nrsm]?|weiße?[nrsm]?|graue?[nrsm]?|braune?[nrsm]?|lila|rosa|rouges?|bleue?s?|verte?s?|jaunes?|noire?s?|blanc(?:he)?s?|grise?s?|marron|roj[oa]s?|azul(?:es)?|verdes?|amarill[oa]s?|negr[oa]s?|blanc[oa]s?|gris|marrón)(?!\p{L})|[红蓝绿黄黑白灰紫粉棕橙]`;
const LIKING = sign`(?<!\p{L})(?:favou?rites?|likes?|liked|loves?|loved|prefers?|preferred|enjoys?|adores?|fan|best|always|mostly|crazy|keen|lieblings\p{L}*|mag|mögen|liebt|liebe|bevorzugt|bevorzuge|gerne?|am liebsten|aimes?|aimé|préfère|préférée?s?|adore|gustan?|prefier[eo]|encantan?|favorit[oa]s?|preferid[oa]s?|ama)(?!\p{L})|喜欢|爱`;
const OPINION = sign`(?<!\p{L})(?:say|says|said|tells?|told|thinks?|thought|finds?|found|feels?|felt|believes?|wants?|wanted|likes?|liked|loves?|hates?|hated|prefers?|asks?|asked|suggests?|suggested|proposed?|complain\p{L}*|mentioned|warned|insists?|insisted|agreed?|disagreed?|argued?|worr\p{L}+|concern\p{L}*|opinion|considers?|happy|unhappy|against|objected|reported|noted|explained|recommends?|recommended|decided|sagt|sagte|gesagt|meint|meinte|gemeint|findet|fand|denkt|glaubt|wollte|möchte|mag|bittet|bat|schlug|empfiehlt|dagegen|dafür)(?!\p{L})|[“”„"«»]`;

const PLACE = sign`(?<!\p{L})(?:in|at|on|to|from|under|behind|near|next|above|below|inside|into|onto|outside|beside|between|around|here|home|upstairs|downstairs|im|auf|bei|beim|unter|hinter|neben|über|zu|zum|zur|aus|nach|hier|zuhause|au|aux|dans|chez|sous|sur|derrière|près|ici|en|al|del|bajo|detrás|junto|sobre|aquí)(?= [\p{L}\d]|[.,]|$)|(?<!\p{L})(?:am|an|vor) (?:der|dem|die|den|das|\p{L}+(?:hof|platz|see|markt|berg|tor|park))|(?<!\p{L})(?:à|de) \p{L}|(?<!\p{L})(?:restaurant|hotel|café|church|hall|office|room|house|flat|station|airport|school|hospital|shop|store|street|road|avenue|square|park|garden|kitchen|cellar|garage|city|town|village|floor|building|bucket|cloud|repo|repository|folder|directory|drawer|shelf|address|straße|stadt|adresse|rue|ville|calle|ciudad|dirección)(?!\p{L})|[\w.-]+/[\w./-]+|https?:`;
const CHINESE_PLACE = exact`[在于到去住里上]`;
/** Said of when, in words that also say where. */
const WHEN = all`(?<!\p{L})(?:in|on|at|from|by|to|before|after|until|im|am|um|ab|bis|en|le|au|el|a) (?:the )?(?:first|second|third|end|beginning|early|late|next|last|every|\d[\d:.]*|(?:19|20)\d\d)?(?:(?:st|nd|rd|th|\.) ?(?:of )?)? ?(?:each |the )?(?:january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|\p{L}+tags?|mittwochs?|spring|summer|autumn|winter|weekends?|(?:the )?(?:morning|evening|afternoon|night|noon)|am|pm|uhr|(?:19|20)\d\d)(?!\p{L})`;

const NAME = latePattern("gu")`(?<=(\S+) |^)\p{Lu}[\p{L}\p{N}'’-]*`;
const NO_NAME = sign`^(?:i|i['’]\p{L}+|\p{L}*days?|mon|tue|wed|thu|fri|sat|sun|\p{L}+tags?|mittwochs?|am|pm|utc|ok)$`;
/** A sentence that begins with a thing, not with somebody: it is counted, or there are several of it. */
const NOUN = exact`^\S+ (?:[#\d]|(?:are|were|have|must|should|need|do|go|get|take|run|live|follow|happen|sind|waren|haben|müssen|werden|sollen|sont|ont|doivent|son|están|deben)(?!\p{L}))`;
/** Before a common noun; what follows is no name of somebody. */
const DETERMINER = sign`^(?:der|die|das|dem|den|des|ein|eine[nmrs]?|kein|keine[nmrs]?|unser\p{L}*|mein\p{L}*|dein\p{L}*|sein\p{L}*|ihr\p{L}*|im|am|zum|zur|beim|vom|ins|ans|alle|jede[nmrs]?|\p{Ll}+(?:e|en|er|es|em))$`;
/** Before a place or a thing that something is done in or with; whom or what somebody is named is told otherwise. */
const PLACING = sign`^(?:in|at|on|into|auf|nach|aus|en|dans)$`;
const SOMEBODY = sign`(?<!\p{L})(?:\p{L}*(?:team|mother|father|brother|sister|mum|mom|dad|grandma|grandpa|aunt|uncle|cousin|wife|husband|partner|girlfriend|boyfriend|friend|daughter|son|neighbou?r|boss|manager|lead|owner|colleague|landlord|landlady|tenant|engineer|developer|designer|writer|author|driver|plumber|gardener|cleaner|teacher|lawyer|baker|electrician|carpenter|painter|tailor|advis[eo]r|director|maintainer|reviewer|founder|trainer|coach|doctor|vet|nurse|dentist|therapist|accountant|assistant|intern|student|contractor|freelancer|sweep|people|person|guild|group|department|company|agency|customer|client|admin|staff|committee)s?|everyone|everybody|anyone|anybody|nobody|somebody|someone|ops|legal|finance|hr|marketing|sales|support|security|\p{L}{3,}(?:erin|frau|mann|leute|innen|abteilung|chef)|freundin|kollegin|ärztin|arzt|nachbar|niemand|jeder|alle|mutter|vater|schwester|bruder|oma|opa|équipe|mère|père|sœur|frère|voisine?|personne|clients?|\p{L}{4,}(?:eur|euse|iste)|equipo|madre|padre|hermana|hermano|vecin[oa]|nadie|cliente|\p{L}{4,}(?:dor|dora|ista))(?![\p{L}-])`;
/** What is named after itself: paths, identifiers, quotations. */
const IDENTIFIER = sign`[\p{L}\p{N}]+[_/.-][\p{L}\p{N}]|["“„«'‘]\p{L}`;

const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}-]+/gu) ?? []).map((word) => word.replace(/-?s$/u, ""));

/** The names a text holds beyond those that the question names. */
function newNames(text: string, question: string): { readonly name: string; readonly before: string }[] {
  const known = new Set(wordsOf(question));
  const isGerman = detectLanguage(text)?.code === "de";
  return [...text.matchAll(NAME())]
    .map(({ 0: name, 1: before = "", index }) => ({ name, before: before.toLowerCase(), index }))
    .filter(({ name, before, index }) => {
      const bare = name.replace(/['’]\p{L}*$/u, "");
      if (NO_NAME().test(bare) || MONTH().test(bare) || wordsOf(bare).every((word) => known.has(word)))
        return false;
      if (isGerman && (DETERMINER().test(before) || DETERMINER().test(bare))) return false;
      const startsSentence = index === 0 || /[.!?:]$/.test(before);
      if (!startsSentence) return true;
      return !detectLanguage(text)?.words.has(bare.toLowerCase()) && !NOUN().test(text.slice(index));
    });
}

const isPerson = (text: string, question: string): boolean =>
  newNames(text, question).some(({ before }) => !PLACING().test(before)) ||
  SOMEBODY().test(without(text, question));

/** A text without the words of the question, and without its own punctuation. */
function without(text: string, question: string): string {
  const known = new Set(wordsOf(question));
  return text
    .split(/\s+/)
    .filter((word) => !wordsOf(word).every((one) => known.has(one)))
    .join(" ");
}

const isTime = (text: string): boolean =>
  [MONTH, TIME_WORD, CLOCK, CHINESE_TIME].some((pattern) => pattern().test(text));

/** Does a text show what was asked for, beside what the question says itself? */
export const shows: Readonly<Record<AskedFor, (text: string, question: string) => boolean>> = {
  person: isPerson,
  name: (text, question) =>
    newNames(text, question).length > 0 || IDENTIFIER().test(text) || /[叫名姓]/.test(text),
  time: (text) => isTime(text),
  span: (text) => isTime(text),
  amount: (text) => NUMBER().test(text.replace(DATES(), " ").replace(YEARS(), " ")) || LISTED().test(text),
  age: (text) => NUMBER().test(text.replace(DATES(), " ").replace(VERSIONS(), " ")),
  place: (text) => PLACE().test(text.replace(WHEN(), " ")) || CHINESE_PLACE().test(text),
  reason: (text) => REASON().test(text),
  colour: (text) => COLOUR().test(text),
  liking: (text) => LIKING().test(text),
  opinion: (text) => OPINION().test(text),
};
