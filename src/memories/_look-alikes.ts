/**
 * Pairs of statements that look alike and do not say the same: one frame, with another object, subject, value, time,
 * condition, place or manner in it, affirmed, denied, or said to have ended. Both may be true of almost all of them.
 */
export interface LookAlike {
  readonly language: string;
  readonly differsIn: string;
  readonly old: string;
  readonly fresh: string;
}

/** How one language puts a sentence: what is true, what is not, what has ended, and what is new. */
interface Frame {
  readonly language: string;
  readonly says: (slots: Slots) => string;
  readonly forms: Readonly<Record<string, (slots: Slots) => string>>;
}

type Slots = Readonly<Record<Slot, string>>;
type Slot = "subject" | "object" | "when" | "where";

/** What stands in a slot: any two of one row may be told of the same frame, and tell two things. */
type Fillings = Readonly<Record<Slot, readonly (readonly string[])[]>>;

const ENGLISH: Fillings = {
  subject: [
    ["Max", "Lena"],
    ["Our cat", "Our dog"],
    ["The board", "The jury"],
    ["The billing team", "The search team"],
  ],
  object: [
    ["nuts", "pollen"],
    ["jazz", "rock"],
    ["invoices", "logs"],
    ["cat food", "dog food"],
    ["green tea", "black tea"],
    ["the red bike", "the blue bike"],
    ["board games", "video games"],
    ["Berlin", "Hamburg"],
    ["Postgres", "Redis"],
    ["port 80", "port 443"],
  ],
  when: [
    ["", "on Mondays"],
    ["in the morning", "in the evening"],
    ["in winter", "in summer"],
    ["", "when it rains"],
  ],
  where: [
    ["", "at home"],
    ["in Paris", "in Lyon"],
    ["at work", "at the gym"],
    ["", "for guests"],
  ],
};

const sentence = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join(" ");

const english = (third: string, plain: string): Frame => ({
  language: "en",
  says: ({ subject, object, where, when }) => sentence(subject, third, object, where, when),
  forms: {
    affirmed: ({ subject, object, where, when }) => sentence(subject, third, object, where, when),
    denied: ({ subject, object, where, when }) => sentence(subject, "does not", plain, object, where, when),
    ended: ({ subject, object, where, when }) => sentence(subject, "no longer", third, object, where, when),
    "not any more": ({ subject, object, where, when }) =>
      sentence(subject, "does not", plain, object, where, when, "any more"),
    now: ({ subject, object, where, when }) => sentence(subject, "now", third, object, where, when),
    since: ({ subject, object, where, when }) => sentence(subject, third, object, where, when, "since June"),
    "from now on": ({ subject, object, where, when }) =>
      sentence("From now on", subject, third, object, where, when),
  },
});

const german = (verb: string): Frame => ({
  language: "de",
  says: ({ subject, object, where, when }) => sentence(subject, verb, object, where, when),
  forms: {
    affirmed: ({ subject, object, where, when }) => sentence(subject, verb, object, where, when),
    denied: ({ subject, object, where, when }) => sentence(subject, verb, object, where, when, "nicht"),
    ended: ({ subject, object, where, when }) => sentence(subject, verb, object, where, when, "nicht mehr"),
    now: ({ subject, object, where, when }) => sentence(subject, verb, "jetzt", object, where, when),
    "from now on": ({ subject, object, where, when }) =>
      sentence(subject, verb, "ab sofort", object, where, when),
  },
});
const GERMAN: Fillings = {
  subject: [
    ["Max", "Lena"],
    ["Die Katze", "Der Hund"],
  ],
  object: [
    ["Nüsse", "Pollen"],
    ["Jazz", "Rock"],
    ["Rechnungen", "Protokolle"],
    ["Katzenfutter", "Hundefutter"],
  ],
  when: [
    ["", "montags"],
    ["im Winter", "im Sommer"],
  ],
  where: [
    ["", "zu Hause"],
    ["in Paris", "in Lyon"],
  ],
};

const french = (verb: string): Frame => ({
  language: "fr",
  says: ({ subject, object, where, when }) => sentence(subject, verb, object, where, when),
  forms: {
    affirmed: ({ subject, object, where, when }) => sentence(subject, verb, object, where, when),
    denied: ({ subject, object, where, when }) => sentence(subject, "ne", verb, "pas", object, where, when),
    ended: ({ subject, object, where, when }) => sentence(subject, "ne", verb, "plus", object, where, when),
    now: ({ subject, object, where, when }) => sentence("Désormais", subject, verb, object, where, when),
  },
});
const FRENCH: Fillings = {
  subject: [
    ["Max", "Léna"],
    ["Le chat", "Le chien"],
  ],
  object: [
    ["les noix", "le pollen"],
    ["le jazz", "le rock"],
    ["les factures", "les journaux"],
  ],
  when: [
    ["", "le lundi"],
    ["en hiver", "en été"],
  ],
  where: [
    ["", "à la maison"],
    ["à Paris", "à Lyon"],
  ],
};

const spanish = (verb: string): Frame => ({
  language: "es",
  says: ({ subject, object, where, when }) => sentence(subject, verb, object, where, when),
  forms: {
    affirmed: ({ subject, object, where, when }) => sentence(subject, verb, object, where, when),
    denied: ({ subject, object, where, when }) => sentence(subject, "no", verb, object, where, when),
    ended: ({ subject, object, where, when }) => sentence(subject, "ya no", verb, object, where, when),
    now: ({ subject, object, where, when }) => sentence(subject, "ahora", verb, object, where, when),
  },
});
const SPANISH: Fillings = {
  subject: [
    ["Max", "Lena"],
    ["El gato", "El perro"],
  ],
  object: [
    ["nueces", "polen"],
    ["jazz", "rock"],
    ["facturas", "registros"],
  ],
  when: [
    ["", "los lunes"],
    ["en invierno", "en verano"],
  ],
  where: [
    ["", "en casa"],
    ["en París", "en Lyon"],
  ],
};

const chinese = (verb: string): Frame => ({
  language: "zh",
  says: ({ subject, object, where, when }) => `${subject}${when}${where}${verb}${object}`,
  forms: {
    affirmed: ({ subject, object, where, when }) => `${subject}${when}${where}${verb}${object}`,
    denied: ({ subject, object, where, when }) => `${subject}${when}${where}不${verb}${object}`,
    ended: ({ subject, object, where, when }) => `${subject}${when}${where}不再${verb}${object}`,
    now: ({ subject, object, where, when }) => `${subject}现在${when}${where}${verb}${object}`,
  },
});
const CHINESE: Fillings = {
  subject: [
    ["小明", "小红"],
    ["我家的猫", "我家的狗"],
  ],
  object: [
    ["绿茶", "红茶"],
    ["爵士乐", "摇滚乐"],
    ["苹果", "香蕉"],
  ],
  when: [
    ["", "周一"],
    ["冬天", "夏天"],
  ],
  where: [
    ["", "在家"],
    ["在巴黎", "在里昂"],
  ],
};

const FRAMES: readonly (readonly [Frame, Fillings])[] = [
  ...[
    "likes/like",
    "collects/collect",
    "is allergic to/be allergic to",
    "keeps/keep",
    "avoids/avoid",
    "handles/handle",
  ].map((verb) => [english(...(verb.split("/") as [string, string])), ENGLISH] as const),
  ...["mag", "sammelt", "verträgt"].map((verb) => [german(verb), GERMAN] as const),
  ...["aime", "garde"].map((verb) => [french(verb), FRENCH] as const),
  ...["prefiere", "guarda"].map((verb) => [spanish(verb), SPANISH] as const),
  ...["喜欢", "收集"].map((verb) => [chinese(verb), CHINESE] as const),
];

/** One small word says another time, direction, number, duty or person. */
const SMALL: readonly (readonly [string, string])[] = [
  ["Max is a member of the chess club", "Max was a member of the chess club"],
  ["Max has a key to the archive", "Max had a key to the archive"],
  ["The night bus runs to Bonn", "The night bus runs from Bonn"],
  ["Guests must use the side entrance", "Guests may use the side entrance"],
  ["All invoices of the branch are checked", "Some invoices of the branch are checked"],
  ["My dentist works in the old town", "Your dentist works in the old town"],
  ["She keeps the keys of the shed", "He keeps the keys of the shed"],
  ["We meet the auditors in the library", "They meet the auditors in the library"],
  ["Max will visit the museum in Turin", "Max has visited the museum in Turin"],
];

const SLOTS: readonly Slot[] = ["subject", "object", "when", "where"];

/** Every pair of the frames above: in one slot another thing, in each form. */
export function lookAlikes(): LookAlike[] {
  const pairs = new Map<string, LookAlike>();
  for (const [{ language, says, forms }, fillings] of FRAMES) {
    const plain: Slots = {
      subject: fillings.subject[0]![0]!,
      object: fillings.object[0]![0]!,
      when: "",
      where: "",
    };
    for (const slot of SLOTS)
      for (const row of fillings[slot])
        for (const [one, other] of [row, [...row].reverse()] as [string, string][])
          for (const [form, say] of Object.entries(forms)) {
            const [old, fresh] = [says({ ...plain, [slot]: one }), say({ ...plain, [slot]: other })];
            pairs.set(`${old}\n${fresh}`, { language, differsIn: `${slot}, ${form}`, old, fresh });
          }
  }
  for (const pair of SMALL)
    for (const [old, fresh] of [pair, [pair[1], pair[0]]] as const)
      pairs.set(`${old}\n${fresh}`, { language: "en", differsIn: "a small word", old, fresh });
  return [...pairs.values()];
}
