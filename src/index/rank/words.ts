/**
 * What questions and answers look like in a language: data, one row each. A language without a row keeps everything that
 * does not need words: question marks, numeric dates.
 */
export interface AskingWords {
  /** Say what kind of answer is wanted rather than what it is about; they count less. Stems are compared. */
  readonly generic: readonly string[];
  /** Stand in questions about anything: verbs that say little, how much and how often, when. Answers do without them. */
  readonly light: readonly string[];
  /** The question wants a name, a time. */
  readonly asksName: RegExp;
  readonly asksTime: RegExp;
  /** The question is about what the assistant said, once the polite forms are taken out. */
  readonly polite: RegExp;
  readonly asksAssistant: RegExp;
  /** An answer holds a time. */
  readonly time: RegExp;
  /** Whether a capital inside a sentence marks a name. */
  readonly capitalsAreNames: boolean;
  readonly months: readonly string[];
}

const ENGLISH: AskingWords = {
  generic:
    "kind type sort many much long often way thing mention say tell describe name according different various certain specific".split(
      " ",
    ),
  light:
    "use take make give go come keep put set want need like love think know believe feel find see look try start happen involve include consider decide plan choose prefer call work live stay spend become ask talk discuss suggest recommend remember recall remind forget usual usually normal normally general typical current currently now nowadays today recent recently latest last first next new main particular exact exactly actual actually really ever never always sometimes still yet already later ago since time day date week month year moment person people someone somebody anyone anybody everyone something anything everything nothing place part point number reason purpose example detail information fact answer question one two good best better great big important favorite favourite right please thank else instead apart besides together during towards".split(
      " ",
    ),
  asksName: /\b(?:who|whose|whom|which|where|name|names|named|called)\b/i,
  asksTime: /\b(?:when|how long|how recently|(?:what|which) (?:date|day|month|year|time|week|season))\b/i,
  polite:
    /\b(?:can|could|would|will) you\b|\bdo you (?:think|know|remember|recall|have)\b|\bthank you\b|\bif you\b/gi,
  asksAssistant: /\b(?:you|your|yours|you['’]ve|you['’]d)\b/i,
  time: /\b(?:yesterday|today|tonight|tomorrow|ago|last|next|week|weekend|month|year|day|morning|evening|night|since|recently|soon|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|fall|winter|(?:19|20)\d\d)s?\b/i,
  capitalsAreNames: true,
  months: "january february march april may june july august september october november december".split(" "),
};

const GERMAN: AskingWords = {
  generic: "art sorte viel viele lange oft ding sache sagen nennen name verschieden bestimmt".split(" "),
  light:
    "nutzen benutzen verwenden nehmen machen geben gehen kommen halten wollen brauchen mögen denken wissen finden sehen versuchen passieren entscheiden wählen bleiben fragen reden sprechen erinnern vergessen üblich normal normalerweise gewöhnlich aktuell derzeit gerade jetzt heute neulich zuletzt letzte erste nächste neu alt eigentlich wirklich genau jemals immer manchmal bereits später zeit tag datum woche monat jahr mensch leute jemand etwas alles nichts ort teil grund beispiel frage antwort gut beste besser wichtig bitte danke".split(
      " ",
    ),
  asksName: /(?<!\p{L})(?:wer|wen|wem|wessen|welche[rsmn]?|wo|wohin|heißt|heissen|name)(?!\p{L})/iu,
  asksTime: /(?<!\p{L})(?:wann|wie lange|seit wann|an welchem tag|in welchem (?:jahr|monat))(?!\p{L})/iu,
  polite: /(?<!\p{L})(?:kannst|könntest|würdest|weißt) du(?!\p{L})/giu,
  asksAssistant: /(?<!\p{L})(?:du|dein\p{L}*|dir|dich|sie mir)(?!\p{L})/iu,
  time: /(?<!\p{L})(?:gestern|heute|morgen|vor|letzte[nrs]?|nächste[nrs]?|woche|monat|jahr|tag|abend|nacht|seit|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|frühling|sommer|herbst|winter|(?:19|20)\d\d)(?!\p{L})/iu,
  capitalsAreNames: false,
  months: "januar februar märz april mai juni juli august september oktober november dezember".split(" "),
};

const NOTHING = /(?!)/;
const OTHER: AskingWords = {
  generic: [],
  light: [],
  asksName: NOTHING,
  asksTime: NOTHING,
  polite: NOTHING,
  asksAssistant: NOTHING,
  time: NOTHING,
  capitalsAreNames: false,
  months: [],
};

const FRENCH: AskingWords = {
  ...OTHER,
  generic:
    "genre type sorte beaucoup combien longtemps souvent façon chose dire nommer nom différent certain".split(
      " ",
    ),
  light:
    "utiliser prendre faire donner aller venir garder mettre vouloir falloir aimer penser savoir croire trouver voir essayer commencer passer arriver décider choisir préférer appeler rester devenir demander parler discuter proposer recommander souvenir rappeler oublier habituel habituellement normalement général actuel actuellement maintenant aujourd'hui récent récemment dernier dernière premier première prochain prochaine nouveau nouvelle exactement vraiment jamais toujours parfois encore déjà depuis temps jour date semaine mois année moment personne gens quelqu'un chose endroit partie raison exemple détail question réponse bon bonne meilleur important merci".split(
      " ",
    ),
};

const SPANISH: AskingWords = {
  ...OTHER,
  generic:
    "tipo clase mucho cuánto tiempo frecuencia manera cosa decir nombrar nombre diferente cierto".split(" "),
  light:
    "usar utilizar tomar hacer dar ir venir guardar poner querer necesitar gustar pensar saber creer encontrar ver intentar empezar pasar ocurrir decidir elegir preferir llamar quedar volver preguntar hablar discutir proponer recomendar recordar olvidar habitual habitualmente normalmente general actual actualmente ahora hoy reciente recientemente último última primero primera próximo próxima nuevo nueva exactamente realmente nunca siempre todavía aún ya desde tiempo día fecha semana mes año momento persona gente alguien algo lugar parte razón ejemplo detalle pregunta respuesta bueno buena mejor importante gracias".split(
      " ",
    ),
};

const BY_LANGUAGE: Readonly<Record<string, AskingWords>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
};

/** A text that shows no language is read as English. */
export const askingWords = (language: string | undefined): AskingWords =>
  language === undefined ? ENGLISH : Object.hasOwn(BY_LANGUAGE, language) ? BY_LANGUAGE[language]! : OTHER;

export const allMonths: readonly (readonly string[])[] = Object.values(BY_LANGUAGE).map(
  ({ months }) => months,
);
