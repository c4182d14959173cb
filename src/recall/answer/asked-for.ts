import { latePattern } from "../../base/index.js";

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

const asks = latePattern("iu");

/** In order: what says more comes first. Words of five languages in one pattern; none of them is a word of another that asks otherwise. */
const TABLE: readonly (readonly [AskedFor, () => RegExp])[] = [
  [
    "reason",
    asks`^\W*(?:(?:and|so|but|und|aber|et|mais|y|pero) )?(?:why|how come|what for|warum|wieso|weshalb|weswegen|pourquoi|por qué)(?!\p{L})|为什么|为何`,
  ],
  [
    "opinion",
    asks`(?<!\p{L})what (?:did|does|do|has|have) (?!(?:i|we|you|it|they|this|that|the \p{L}+ (?:file|page|adr|doc|docs|log|message|error))\b)[\p{L}'’. -]{2,40}? (?:say|said|think|thought|complain|complained|feel|felt) (?:about|of|on|to)(?!\p{L})|(?<!\p{L})was (?:hat|sagt|sagte|denkt|meint|meinte) (?!(?:ich|du|man|es)(?!\p{L})).{0,60}(?:gesagt|gemeint|über|zu|zum|zur)(?!\p{L})`,
  ],
  [
    "liking",
    asks`(?<!\p{L})(?:favou?rite|lieblings\p{L}+|préférée?s?|favorit[oa]s?|preferid[oa]s?)(?!\p{L})|最喜欢|最爱`,
  ],
  [
    "colour",
    asks`(?<!\p{L})(?:(?:what|which) colou?r|welche farbe|quelle couleur|(?:de )?qué color)(?!\p{L})|什么颜色`,
  ],
  [
    "age",
    asks`(?<!\p{L})(?:how old|what age|wie alt|quel âge|(?:qué|cuántos) (?:edad|años))(?!\p{L})|多大|几岁|年龄`,
  ],
  [
    "span",
    asks`(?<!\p{L})(?:how (?:long|often|frequently|soon|recently)|wie (?:lange|oft|häufig)|(?:pendant |depuis )?combien de (?:temps|fois)|(?:à )?quelle fréquence|cuánto (?:tiempo|dura)|cada cuánto|con qué frecuencia)(?!\p{L})|多久|多长时间`,
  ],
  [
    "amount",
    asks`(?<!\p{L})(?:how (?:much|many|big|large|tall|high|heavy|far|fast|expensive|deep|wide)|wie (?:viele?|hoch|groß|schwer|weit|schnell|teuer|tief|breit)|(?:was|wieviel) kostet|combien|cuánt[oa]s?)(?!\p{L})|多少|多高|多重|多远|多快`,
  ],
  [
    "amount",
    asks`(?<!\p{L})(?:what|what['’]?s|which|welche[rsmn]?|quell?e?|cuál)(?!\p{L}).{0,40}? (?:number|version|price|cost|salary|deposit|budget|age|height|weight|temperature|threshold|size|latency|nummer|\p{L}+nummer|preis|gehalt|kaution|größe|numéro|prix|salaire|taille|número|precio|salario|tamaño)(?=\W*$| (?:of|for|in|on|at|is|was|do|does|did|has|have|von|der|des|für|hat|ist|de|du|est|es|tiene)(?!\p{L}))`,
  ],
  [
    "name",
    asks`(?<!\p{L})(?:what['’]?s?|wie|comment|cómo)(?!\p{L}).{0,60}?(?<!\p{L})(?:name|names|called|named|heißt|heißen|heisst|genannt|s['’]appelle\p{L}*|se llaman?)(?!\p{L})|叫什么|名字`,
  ],
  [
    "person",
    asks`^\W*(?:(?:and|so|but|und|aber|et|mais|y|pero|with|to|from|mit|von|avec|à|con|de) )?(?:who|who['’]s|whose|whom|wer|wen|wem|wessen|qui|quién|quiénes)(?!\p{L})`,
  ],
  [
    "time",
    asks`(?<!\p{L})(?:when|since when|until when|by when|(?:what|which|on what|on which) (?:date|day|month|year|time|week)|wann|bis wann|seit wann|(?:an|in|zu) welche[mr] (?:tag|jahr|monat|woche|uhrzeit)|um wie viel uhr|quand|quel jour|à quelle heure|cuándo|qué día|a qué hora)(?!\p{L})|什么时候|何时|几点|哪天|哪年`,
  ],
  ["place", asks`(?<!\p{L})(?:where|where['’]s|wo|wohin|woher|où|dónde|adónde)(?!\p{L})|哪里|哪儿|在哪`],
];

/** A pasted text asks for more than its question words say. */
const LONGEST = 250;

/** Who somebody or something is: anything that is told of them is an answer. */
const WHO_IS = latePattern(
  "u",
)`^\W*(?:[Ww]ho|[Ww]er|[Qq]ui|[Qq]uién)(?:['’]?s| is| was| ist| war| est| es| era)(?: \p{L}\S*| (?:\p{Lu}\S*(?: |$))+)\W*$`;

export const askedFor = (question: string): AskedFor | undefined =>
  question.length > LONGEST || WHO_IS().test(question)
    ? undefined
    : TABLE.find(([, pattern]) => pattern().test(question))?.[0];
