import { thingIn } from "./phrase.js";
import type { Found, Rule } from "./rule.js";

const NAME = String.raw`\p{Lu}[\p{L}'’-]*(?:\s\p{Lu}[\p{L}'’-]+){0,2}`;
const HAN = String.raw`[^，。！？；、,.!?;\s]{1,20}`;

type Row = readonly [predicate: string, pattern: string, more?: Partial<Found>];
const PRIVATE: Partial<Found> = { sensitivity: "private" };

/** What people say of themselves most often, language by language. `x` is the object, `n` a name, `r` a relation. */
const ROWS: readonly Row[] = [
  // German
  ["name", `(?:ich heiße|mein name ist|ich bin der|ich bin die) (?<n>${NAME})`],
  ["preferred_name", `nenn(?:e|t)? mich (?:bitte )?(?<n>${NAME})`],
  ["lives_in", String.raw`(?:ich )?(?:wohne|lebe) (?:jetzt |seit \S+ )?(?:in|auf|bei) (?<x>.+)`],
  ["from", `(?:ich )?komme (?:ursprünglich )?aus (?<x>.+)`],
  ["works_at", `(?:ich )?arbeite (?:jetzt )?(?:bei|für) (?<x>.+)`],
  ["job", `ich (?:arbeite als|bin von beruf) (?<x>.+)`],
  ["likes", `ich (?:mag|liebe|bevorzuge) (?!nicht|keine?n?|es|das|dich|sie|ihn)(?<x>.+)`],
  ["dislikes", `ich (?:mag keine?n?|hasse|esse keine?n?|trinke keine?n?) (?<x>.+)`],
  ["allergic_to", `ich (?:bin|habe eine) allerg(?:isch|ie) (?:gegen|auf) (?<x>.+)`, PRIVATE],
  [
    "is",
    `ich bin (?<x>vegetarier(?:in)?|veganer(?:in)?|verheiratet|linkshänder(?:in)?|diabetiker(?:in)?)`,
    PRIVATE,
  ],
  [
    "preferred_language",
    String.raw`(?:bitte )?(?:antworte|sprich)(?: mir)? (?:bitte )?(?:immer|nur) (?:auf|in) (?<x>\p{Lu}\p{L}+)`,
  ],
  [
    "has",
    String.raw`ich habe (?<x>(?:eine?n?|zwei|drei|vier|\d+) (?:\p{L}+ )?(?:kinder|kind|hunde?|katzen?|söhne?|töchter|tochter|sohn|bruder|brüder|schwestern?))`,
  ],
  ["uses", "(?:ich|wir) (?:nutzen?|verwenden?|benutzen?) (?<x>.+)"],
  // Spanish
  ["name", `(?:me llamo|mi nombre es) (?<n>${NAME})`],
  ["preferred_name", `llámame (?<n>${NAME})`],
  ["lives_in", `(?:yo )?vivo en (?<x>.+)`],
  ["from", String.raw`soy de (?<x>\p{Lu}.+)`],
  ["works_at", `(?:yo )?trabajo (?:en|para) (?<x>.+)`],
  ["job", `trabajo como (?<x>.+)`],
  ["likes", `(?:me gustan?|me encantan?|prefiero) (?<x>.+)`],
  ["dislikes", `(?:no me gustan?|odio|no como|no bebo) (?<x>.+)`],
  ["allergic_to", `(?:soy alérgic[oa]|tengo alergia) (?:a la|al|a los|a las|a) (?<x>.+)`, PRIVATE],
  ["is", `soy (?<x>vegetarian[oa]|vegan[oa]|zurd[oa]|diabétic[oa]|casad[oa])`, PRIVATE],
  [
    "preferred_language",
    String.raw`(?:por favor,? )?(?:responde|contesta|háblame)(?:me)? siempre en (?<x>\p{L}+)`,
  ],
  // French
  ["name", `(?:je m['’]appelle|mon nom est|moi c['’]est) (?<n>${NAME})`],
  ["preferred_name", `appelle-moi (?<n>${NAME})`],
  ["lives_in", `(?:j['’]habite|je vis) (?:à|en|au|aux|dans) (?<x>.+)`],
  ["from", String.raw`je viens (?:de |d['’]|du )(?<x>\p{Lu}.+)`],
  ["works_at", `je travaille (?:chez|pour|à) (?<x>.+)`],
  [
    "job",
    `je (?:travaille comme|suis (?=(?:infirmi|médecin|professeur|ingénieur|avocat|étudiant|développeu))) ?(?<x>.+)`,
  ],
  ["likes", `(?:j['’]aime|j['’]adore|je préfère) (?!pas|bien que|que)(?<x>.+)`],
  ["dislikes", `(?:je n['’]aime pas|je déteste|je ne mange pas(?: de)?|je ne bois pas(?: de)?) (?<x>.+)`],
  ["allergic_to", `je suis allergique (?:aux|au|à la|à) (?<x>.+)`, PRIVATE],
  ["is", `je suis (?<x>végétarien(?:ne)?|végan[e]?|gauch(?:er|ère)|marié[e]?|diabétique)`, PRIVATE],
  ["preferred_language", String.raw`(?:réponds|répondez)(?:-moi)? toujours en (?<x>\p{L}+)`],
  // Italian
  ["name", `(?:mi chiamo|il mio nome è) (?<n>${NAME})`],
  ["lives_in", `(?:io )?(?:vivo|abito) (?:a|in) (?<x>.+)`],
  ["works_at", `(?:io )?lavoro (?:per|presso|alla|da|in) (?<x>.+)`],
  ["likes", `mi piac(?:e|ciono) (?<x>.+)`],
  ["dislikes", `(?:non mi piac(?:e|ciono)|odio|non mangio) (?<x>.+)`],
  ["allergic_to", `sono allergic[oa] (?:a|ai|alle|al|alla) (?<x>.+)`, PRIVATE],
  ["is", `sono (?<x>vegetarian[oa]|vegan[oa]|mancin[oa])`, PRIVATE],
  // Portuguese
  ["name", `(?:me chamo|chamo-me|meu nome é|o meu nome é) (?<n>${NAME})`],
  ["lives_in", `(?:eu )?moro (?:em|no|na) (?<x>.+)`],
  ["works_at", `(?:eu )?trabalho (?:na|no|em|para) (?<x>.+)`],
  ["likes", `(?:eu )?(?:gosto de|adoro|prefiro) (?<x>.+)`],
  ["dislikes", `(?:eu )?(?:não gosto de|odeio|não como) (?<x>.+)`],
  ["allergic_to", `(?:eu )?sou alérgic[oa] (?:a|ao|à) (?<x>.+)`, PRIVATE],
  // Dutch
  ["name", `(?:ik heet|mijn naam is) (?<n>${NAME})`],
  ["lives_in", `ik woon (?:nu )?in (?<x>.+)`],
  ["works_at", `ik werk (?:bij|voor) (?<x>.+)`],
  ["likes", `ik hou van (?<x>.+)`],
  ["dislikes", `ik (?:haat|eet geen|drink geen) (?<x>.+)`],
  // Chinese
  ["name", `(?:我叫|我的名字(?:是|叫))(?<x>${HAN})`],
  ["preferred_name", `(?:请)?叫我(?<x>${HAN})(?:就好|吧|就行)?`],
  ["lives_in", `我(?:现在|目前)?住在?(?<x>${HAN})`],
  ["from", `我(?:来自|是从)(?<x>${HAN})`],
  ["works_at", `我在(?<x>${HAN}?)(?:上班|工作)`],
  ["job", `我是(?:一名|一个|一位)(?<x>${HAN})`],
  ["likes", `我(?:很|最|非常|特别)?(?:喜欢|爱吃|爱喝|偏好)(?<x>${HAN})`],
  ["dislikes", `我(?:不喜欢|讨厌|不吃|不喝|从不吃|不能吃)(?<x>${HAN})`],
  ["allergic_to", `我对(?<x>${HAN})过敏`, PRIVATE],
  ["has", String.raw`我有(?<x>(?:一|两|三|四|\d)(?:个|只|条|位)${HAN})`],
  // Japanese
  ["name", `(?:私|僕|わたし)の名前は(?<x>${HAN}?)(?:です|だ|といいます)`],
  ["lives_in", `(?:私は|僕は)?(?<x>${HAN}?)に住んでい(?:ます|る)`],
  ["works_at", `(?:私は|僕は)?(?<x>${HAN}?)で働いてい(?:ます|る)`],
  ["likes", `(?:私は|僕は)(?<x>${HAN}?)が(?:大)?好き`],
  ["dislikes", `(?:私は|僕は)?(?<x>${HAN}?)(?:が(?:嫌い|苦手)|は食べません|は食べられません)`],
  ["allergic_to", `(?:私は|僕は)?(?<x>${HAN}?)アレルギーが?(?:あります|です)`, PRIVATE],
];

/** Somebody of the family and what they are called. */
const KIN: readonly (readonly [string, string])[] = [
  ["brother", "bruder|hermano|frère|fratello|irmão|broer|哥哥|弟弟|兄|弟"],
  ["sister", "schwester|hermana|sœur|soeur|sorella|irmã|zus|姐姐|妹妹|姉|妹"],
  ["wife", "frau|esposa|mujer|femme|moglie|vrouw|妻子|老婆|妻"],
  ["husband", "mann|esposo|marido|mari|marito|丈夫|老公|夫"],
  ["son", "sohn|hijo|fils|figlio|filho|zoon|儿子|息子"],
  ["daughter", "tochter|hija|fille|figlia|filha|dochter|女儿|娘"],
  ["mother", "mutter|madre|mère|mãe|moeder|妈妈|母亲|母"],
  ["father", "vater|padre|père|pai|vader|爸爸|父亲|父"],
  ["dog", "hund|perro|chien|cane|cachorro|hond|狗|犬"],
  ["cat", "katze|gato|gata|chat|gatto|kat|猫"],
];
const MY = `(?:mein|meine|mi|mon|ma|il mio|la mia|mio|mia|meu|minha|o meu|a minha|mijn) `;
const CALLED = ` (?:heißt|ist|se llama|es|s['’]appelle|est|si chiama|è|se chama|é|heet) `;

/** Rules ignore case; a name does not. */
const PROPER = new RegExp(`^${NAME}`, "u");

const rowRule = ([predicate, pattern, more]: Row): Rule => ({
  pattern: new RegExp(`^(?:${pattern})`, "iu"),
  make: ({ n, x }) => {
    const name = n === undefined ? undefined : PROPER.exec(n)?.[0];
    if (n !== undefined && name === undefined) return undefined;
    const object =
      name ??
      (x === undefined
        ? undefined
        : thingIn(x.replace(/^(?:el|la|los|las|le|les|il|lo|o|os|as|de|du|des) /iu, "")));
    return object === undefined ? undefined : { subject: "me", predicate, object, confidence: 0.85, ...more };
  },
});

const kinRules = KIN.flatMap(([relation, names]): Rule[] => [
  {
    pattern: new RegExp(`^${MY}(?:${names})${CALLED}(?<n>.+)`, "iu"),
    make: ({ n = "" }) => {
      const name = PROPER.exec(n)?.[0];
      return name === undefined
        ? undefined
        : { subject: "me", predicate: relation, object: name, confidence: 0.85 };
    },
  },
  {
    pattern: new RegExp(`^我的?(?:${names})(?:叫|名叫|的名字(?:是|叫))(?<n>${HAN})`, "u"),
    make: ({ n = "" }) => ({ subject: "me", predicate: relation, object: n, confidence: 0.85 }),
  },
]);

/** "… y vive en Quito": the subject is the one named just before. */
const THEY: readonly Rule[] = (
  [
    [
      "lives_in",
      `(?:er |sie |él |ella |il |elle )?(?:vive en|vive a|habite à|vit à|wohnt in|mora em|woont in) (?<x>.+)`,
    ],
    [
      "works_at",
      `(?:er |sie |él |ella |il |elle )?(?:trabaja en|travaille chez|arbeitet bei|lavora per|trabalha na|werkt bij) (?<x>.+)`,
    ],
  ] as const
).map(([predicate, pattern]) => ({
  pattern: new RegExp(`^(?:${pattern})`, "iu"),
  make: ({ x = "" }) => {
    const object = thingIn(x);
    return object === undefined ? undefined : { subject: "them", predicate, object, confidence: 0.75 };
  },
}));

export const OTHER_LANGUAGES: readonly Rule[] = [...ROWS.map(rowRule), ...kinRules, ...THEY];
/** A clause that none of these words begins is not worth trying. */
export const MAYBE_OTHER =
  /^(?:ich|wir |wohne|lebe|arbeite |komme |mein|nenn|bitte|antworte|sprich|me|mi|yo|llámame|vivo|soy|trabajo|no |odio|prefiero|tengo|responde|contesta|por favor|je|j['’]|mon|ma |moi|appelle|répond|io|abito|lavoro|non|sono|il mio|la mia|eu|moro|trabalho|gosto|adoro|não|meu|minha|o meu|a minha|chamo|sou|ik|mijn|er |sie |él |ella |il |elle |viv|trabaja|habite|vit |wohnt|arbeitet|mora |woont|werkt|lavora|travaille|trabalha|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/iu;
