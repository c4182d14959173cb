import { phrases, spaced } from "./words.js";

/** What a question wants to be told, where its words say so: an answer shows it, whatever else it says. */
export type AskedFor =
  | "person"
  | "name"
  | "time"
  | "span"
  | "amount"
  | "age"
  | "place"
  | "reason"
  | "colour"
  | "liking"
  | "opinion";

/** Phrases of five languages; `first` has to begin the question, perhaps after a word that joins or leads. */
interface Asking {
  readonly kind: AskedFor;
  readonly first?: readonly string[];
  readonly anywhere?: readonly string[];
  readonly pattern?: RegExp;
  /** In a script without blanks. */
  readonly unspaced?: RegExp;
}

/** In order: what says more comes first. */
const TABLE: readonly Asking[] = [
  {
    kind: "reason",
    first: phrases("why|how come|what for|warum|wieso|weshalb|weswegen|pourquoi|por qué"),
    unspaced: /为什么|为何/,
  },
  {
    kind: "opinion",
    pattern:
      /^ (?:and |so |but )?(?:what (?:did|does|do|has|have) (?!(?:i|we|you|it|they|this|that|the|our) )[^ ]+(?: [^ ]+){0,4}? (?:say|said|think|thought|complain|complained|feel|felt) (?:about|of|on|to) |was (?:hat|sagt|sagte|denkt|meint|meinte) (?!(?:ich|du|man|es) ).{0,60}(?:gesagt|gemeint|über|zu|zum|zur) )/,
  },
  {
    kind: "liking",
    anywhere: phrases(
      "favourite|favorite|favourites|favorites|préféré|préférée|préférés|favorito|favorita|preferido|preferida",
    ),
    pattern: / lieblings/,
    unspaced: /最喜欢|最爱/,
  },
  {
    kind: "colour",
    anywhere: phrases(
      "what colour|what color|which colour|which color|welche farbe|quelle couleur|qué color",
    ),
    unspaced: /什么颜色/,
  },
  {
    kind: "age",
    anywhere: phrases("how old|what age|wie alt|quel âge|qué edad|cuántos años"),
    unspaced: /多大|几岁|年龄/,
  },
  {
    kind: "span",
    anywhere: phrases(
      "how long|how often|how frequently|how soon|how recently|wie lange|wie oft|wie häufig|combien de temps|combien de fois|quelle fréquence|cuánto tiempo|cuánto dura|cada cuánto|qué frecuencia",
    ),
    unspaced: /多久|多长时间/,
  },
  {
    kind: "amount",
    anywhere: phrases(
      "how much|how many|how big|how large|how tall|how high|how heavy|how far|how fast|how expensive|how deep|how wide|wie viel|wie viele|wieviel|wie hoch|wie groß|wie schwer|wie weit|wie schnell|wie teuer|wie tief|wie breit|was kostet|combien|cuánto|cuánta|cuántos|cuántas",
    ),
    pattern:
      / (?:what|which|welcher?|welches|welchen|quelle?|cuál) .{0,40}?(?:number|version|price|cost|salary|deposit|budget|age|height|weight|temperature|threshold|size|latency|nummer|preis|gehalt|kaution|größe|numéro|prix|salaire|taille|número|precio|salario|tamaño) (?:$|(?:of|for|in|on|at|is|was|do|does|did|has|have|von|der|des|für|hat|ist|de|du|est|es|tiene) )/,
    unspaced: /多少|多高|多重|多远|多快/,
  },
  {
    kind: "name",
    pattern:
      / (?:what|what's|whats|wie|comment|cómo) (?:.{0,60} )?(?:name|names|called|named|heißt|heißen|heisst|genannt|s['’]appelle[^ ]*|se llaman?) /,
    unspaced: /叫什么|名字/,
  },
  { kind: "person", first: phrases("who|whose|whom|wer|wen|wem|wessen|qui|quién|quiénes") },
  {
    kind: "time",
    anywhere: phrases(
      "when|what date|which date|what day|which day|what month|which month|what year|which year|what time|which week|wann|welchem tag|welchem jahr|welchem monat|welcher woche|wie viel uhr|quand|quel jour|quelle heure|cuándo|qué día|qué hora",
    ),
    unspaced: /什么时候|何时|几点|哪天|哪年/,
  },
  { kind: "place", anywhere: phrases("where|wo|wohin|woher|où|dónde|adónde"), unspaced: /哪里|哪儿|在哪/ },
];

/** What may stand before the word that asks. */
const LEADS = /^ (?:(?:and|so|but|und|aber|et|mais|y|pero|with|to|from|for|mit|von|avec|à|con|de|a) ){0,2}/;
/** Who somebody or something is: anything that is told of them is an answer. */
const WHO_IS =
  /^ (?:who|wer|qui|quién) (?:'s|is|was|ist|war|est|es|era) (?:(?:mrs?|ms|dr|frau|herr) )?[^ ]+ $/;
const NAMED_SO =
  /^\W*(?:[Ww]ho|[Ww]er|[Qq]ui|[Qq]uién)(?:['’]s| is| was| ist| war| est| es| era)(?: \p{Lu}[\p{L}.-]*)+\W*$/u;
/** A pasted text asks for more than its question words say. */
const LONGEST = 250;

export function askedFor(question: string): AskedFor | undefined {
  if (question.length > LONGEST) return undefined;
  const text = spaced(question);
  if (WHO_IS.test(text) || NAMED_SO.test(question)) return undefined;
  const begins = ` ${text.replace(LEADS, "")}`;
  return TABLE.find(
    ({ first, anywhere, pattern, unspaced }) =>
      first?.some((phrase) => begins.startsWith(phrase)) ||
      anywhere?.some((phrase) => text.includes(phrase)) ||
      pattern?.test(text) ||
      unspaced?.test(question),
  )?.kind;
}
