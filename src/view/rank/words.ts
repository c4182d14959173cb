/**
 * What questions and answers look like in a language: data, one row each. A language without a row keeps everything that
 * does not need words: digits, question marks, numeric dates.
 */
export interface AskingWords {
  /** Say what kind of answer is wanted rather than what it is about; they count less. Stems are compared. */
  readonly generic: readonly string[];
  /** The question wants a name, a time, a number. */
  readonly asksName: RegExp;
  readonly asksTime: RegExp;
  readonly asksNumber: RegExp;
  /** The question is about what the assistant said, once the polite forms are taken out. */
  readonly polite: RegExp;
  readonly asksAssistant: RegExp;
  /** The question is about the one who asks. */
  readonly asksSelf: RegExp;
  /** An answer holds a time or a number. */
  readonly time: RegExp;
  readonly number: RegExp;
  /** Whether a capital inside a sentence marks a name. */
  readonly capitalsAreNames: boolean;
  readonly months: readonly string[];
}

const ENGLISH: AskingWords = {
  generic:
    "kind type sort many much long often way thing mention say tell describe name according different various certain specific".split(
      " ",
    ),
  asksName: /\b(?:who|whose|whom|which|where|name|names|named|called)\b/i,
  asksTime: /\b(?:when|how long|how recently|(?:what|which) (?:date|day|month|year|time|week|season))\b/i,
  asksNumber: /\bhow (?:many|much|old|often|far|tall|big|large)\b/i,
  polite:
    /\b(?:can|could|would|will) you\b|\bdo you (?:think|know|remember|recall|have)\b|\bthank you\b|\bif you\b/gi,
  asksAssistant: /\b(?:you|your|yours|you['’]ve|you['’]d)\b/i,
  asksSelf: /\b(?:i|my|me|mine|i['’]m|i['’]ve)\b/i,
  time: /\b(?:yesterday|today|tonight|tomorrow|ago|last|next|week|weekend|month|year|day|morning|evening|night|since|recently|soon|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|fall|winter|(?:19|20)\d\d)s?\b/i,
  number:
    /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|twenty|thirty|forty|fifty|hundred|thousand|million|once|twice|couple|several|few|half|both)\b/i,
  capitalsAreNames: true,
  months: "january february march april may june july august september october november december".split(" "),
};

const GERMAN: AskingWords = {
  generic: "art sorte viel viele lange oft ding sache sagen nennen name verschieden bestimmt".split(" "),
  asksName: /(?<!\p{L})(?:wer|wen|wem|wessen|welche[rsmn]?|wo|wohin|heißt|heissen|name)(?!\p{L})/iu,
  asksTime: /(?<!\p{L})(?:wann|wie lange|seit wann|an welchem tag|in welchem (?:jahr|monat))(?!\p{L})/iu,
  asksNumber: /(?<!\p{L})wie ?(?:viele?|alt|oft|hoch|groß|weit)(?!\p{L})/iu,
  polite: /(?<!\p{L})(?:kannst|könntest|würdest|weißt) du(?!\p{L})/giu,
  asksAssistant: /(?<!\p{L})(?:du|dein\p{L}*|dir|dich|sie mir)(?!\p{L})/iu,
  asksSelf: /(?<!\p{L})(?:ich|mein\p{L}*|mir|mich)(?!\p{L})/iu,
  time: /(?<!\p{L})(?:gestern|heute|morgen|vor|letzte[nrs]?|nächste[nrs]?|woche|monat|jahr|tag|abend|nacht|seit|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|frühling|sommer|herbst|winter|(?:19|20)\d\d)(?!\p{L})/iu,
  number:
    /\d|(?<!\p{L})(?:eins?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|dutzend|hundert|tausend|einmal|zweimal|paar|mehrere|halb|beide)(?!\p{L})/iu,
  capitalsAreNames: false,
  months: "januar februar märz april mai juni juli august september oktober november dezember".split(" "),
};

const NOTHING = /(?!)/;
const OTHER: AskingWords = {
  generic: [],
  asksName: NOTHING,
  asksTime: NOTHING,
  asksNumber: NOTHING,
  polite: NOTHING,
  asksAssistant: NOTHING,
  asksSelf: NOTHING,
  time: NOTHING,
  number: /\d/,
  capitalsAreNames: false,
  months: [],
};

const BY_LANGUAGE: Readonly<Record<string, AskingWords>> = { en: ENGLISH, de: GERMAN };

/** A text that shows no language is read as English. */
export const askingWords = (language: string | undefined): AskingWords =>
  language === undefined ? ENGLISH : Object.hasOwn(BY_LANGUAGE, language) ? BY_LANGUAGE[language]! : OTHER;

export const allMonths: readonly (readonly string[])[] = Object.values(BY_LANGUAGE).map(
  ({ months }) => months,
);
