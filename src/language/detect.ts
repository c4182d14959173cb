import { latePattern } from "../core/base/index.js";
import { WordMap } from "./english.js";

/**
 * One row per language: its code, the Snowball algorithm that stems it, and its commonest function words. The words serve
 * twice: they tell languages apart in short texts, and they are the stop words. Adding a language is adding a row.
 */
export interface Language {
  readonly code: string;
  /** Name of the Snowball algorithm; a language without one is folded and not stemmed. */
  readonly stemmer?: string;
  readonly words: ReadonlySet<string>;
}

function row(code: string, stemmer: string | undefined, list: string): Language {
  let words: ReadonlySet<string> | undefined;
  return {
    code,
    ...(stemmer === undefined ? {} : { stemmer }),
    // Made when first asked for: all of them together would slow every start.
    get words() {
      words ??= new Set(list.split(" "));
      return words;
    },
  };
}

const ENGLISH =
  "a about above after again all also am an and any are as at be because been before being below between both but by " +
  "can could did do does doing done down during each few for from further get got had has have having he her here hers " +
  "herself him himself his how i if in into is it its itself just let me more most my myself no nor not of off on once " +
  "only or other our ours ourselves out over own same she should so some such than that the their theirs them " +
  "themselves then there these they this those through to too under until up very was we were what when where which " +
  "while who whom whose why will with would you your yours yourself yourselves";

/** Latin script, the likeliest first: the first row wins where the evidence is equal. */
export const LATIN: readonly Language[] = [
  row("en", "english", ENGLISH),
  row(
    "de",
    "german",
    "der die das den dem des ein eine einer eines einem einen und oder aber nicht auch ist sind war waren wird werden wurde hat haben hatte ich du er sie es wir ihr mich mir dich dir ihn ihm uns euch mein dein sein unser mit von zu zum zur im am auf aus bei nach vor über unter für gegen ohne um an als wie wenn weil dass ob was wer wo wann warum welche welcher welches kann muss soll noch schon nur so sehr hier da dann doch man kein keine",
  ),
  row(
    "fr",
    "french",
    "le la les un une des du de et ou mais ne pas plus est sont était être a ont avait avoir je tu il elle on nous vous ils elles me te se lui leur mon ton son ma ta sa mes tes ses notre votre nos vos ce cet cette ces que qui quoi dont où quand comment pourquoi quel quelle avec sans pour par sur sous dans en au aux chez entre vers si très aussi comme l d j qu n c s m t",
  ),
  row(
    "es",
    "spanish",
    "el la los las un una unos unas de del y o pero no es son era fue ser está están estar ha han había haber yo tú él ella nosotros ellos ellas me te se le les lo mi tu su mis tus sus nuestro que qué quien quién cuál cuándo cuando dónde donde cómo como por para con sin sobre entre en a al muy más también si sí porque ya este esta esto ese esa eso",
  ),
  row(
    "it",
    "italian",
    "il lo la i gli le un uno una di del della dei delle dello degli e o ma non è sono era erano essere ha hanno aveva avere io tu lui lei noi voi loro mi ti si ci vi mio tuo suo mia tua sua che chi cosa quando dove come perché quale con senza per su tra fra in a al alla nel nella da dal dalla molto più anche se questo questa quello quella",
  ),
  row(
    "pt",
    "portuguese",
    "o a os as um uma uns umas de do da dos das e ou mas não é são era foi ser está estão estar tem têm tinha ter eu tu ele ela nós eles elas me te se lhe meu teu seu minha tua sua nosso que quem qual quando onde como por porque para com sem sobre entre em no na nos nas ao à muito mais também este esta isto esse essa isso você",
  ),
  row(
    "nl",
    "dutch",
    "de het een en of maar niet ook is zijn was waren wordt werd worden heeft hebben had ik jij je hij zij ze wij we jullie mij me hem haar ons hun mijn jouw uw met van naar te op in uit bij voor over onder door tegen zonder om aan als dan dat die dit deze wie wat waar wanneer waarom hoe welke kan moet nog al alleen zo zeer hier daar er geen",
  ),
  row(
    "sv",
    "swedish",
    "en ett den det de och eller men inte också är var vara har hade ha jag du han hon vi ni mig dig honom henne oss min din sin vår med av till på i ur vid för över under från om som när var varför hur vilken vem vad att så mycket här där kan ska skulle blir blev",
  ),
  row(
    "da",
    "danish",
    "en et den det de og eller men ikke også er var være har havde have jeg du han hun vi mig dig ham hende os min din sin vores med af til på i ud ved for over under fra om som når hvor hvorfor hvordan hvilken hvem hvad at så meget her der kan skal skulle bliver blev",
  ),
  row(
    "no",
    "norwegian",
    "en et ei den det de og eller men ikke også er var være har hadde ha jeg du han hun vi meg deg ham henne oss min din sin vår med av til på i ut ved for over under fra om som når hvor hvorfor hvordan hvilken hvem hva at så mye her der kan skal skulle blir ble",
  ),
  row(
    "fi",
    "finnish",
    "ja tai mutta ei en et emme on ovat oli olivat olla ole minä sinä hän me te he minun sinun hänen se ne tämä tuo nämä että jos kun koska missä mikä kuka milloin miksi miten kanssa ilman myös vain niin hyvin joka mitä",
  ),
  row(
    "hu",
    "hungarian",
    "a az egy és vagy de nem is van volt vannak lesz én te ő mi ti ők hogy ha mert mikor hol mi ki miért hogyan melyik ez azt ezt csak már még nagyon itt ott meg el fel be ki",
  ),
  row(
    "ro",
    "romanian",
    "un o niște și sau dar nu este sunt era au a avut fi eu tu el ea noi voi ei ele mă te se îl îi meu tău său mea ta sa că care ce cine când unde cum de ce la din pe cu fără pentru prin între în mai și foarte dacă acest această",
  ),
  row(
    "cs",
    "czech",
    "a i nebo ale ne není je jsou byl byla bylo být mám má mají já ty on ona my vy oni mě tě se si můj tvůj jeho její že když kdy kde jak proč kdo co který která s z do na v ve o u pro po před pod nad bez tak velmi také jen už",
  ),
  row(
    "pl",
    undefined,
    "i lub ale nie jest są był była było być mam ma mają ja ty on ona my wy oni mnie się mój twój jego jej że kiedy gdzie jak dlaczego kto co który która z do na w we o u dla po przed pod nad bez tak bardzo też tylko już czy",
  ),
  row(
    "tr",
    "turkish",
    "bir ve veya ama değil da de ile için gibi çok daha en bu şu o ben sen biz siz onlar ne kim nerede nasıl neden hangi mi mı var yok idi oldu olan her hiç ki",
  ),
  row(
    "ca",
    "catalan",
    "el la els les un una uns unes de del dels i o però no és són era ser ha han jo tu ell ella nosaltres amb sense per sobre entre en a al als que qui què quan on com perquè molt més també aquest aquesta això",
  ),
];

const script = latePattern("u");

/** Scripts that one language decides, or where the commonest one is assumed. */
const BY_SCRIPT: readonly { readonly script: () => RegExp; readonly language: Language }[] = [
  { script: script`[\p{Script=Hiragana}\p{Script=Katakana}]`, language: row("ja", undefined, "") },
  { script: script`\p{Script=Han}`, language: row("zh", undefined, "") },
  { script: script`\p{Script=Hangul}`, language: row("ko", undefined, "") },
  { script: script`\p{Script=Thai}`, language: row("th", undefined, "") },
  {
    script: script`\p{Script=Cyrillic}`,
    language: row(
      "ru",
      "russian",
      "и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было вот от меня о из ему теперь когда ну ли если или ни быть был него до вас нибудь уже для мы тебя их чем была сам чтоб без будто где кто это какой какая",
    ),
  },
  {
    script: script`\p{Script=Arabic}`,
    language: row(
      "ar",
      "arabic",
      "في من على إلى عن مع هذا هذه ذلك التي الذي هو هي أن إن كان لا ما لم قد و أو ثم",
    ),
  },
  {
    script: script`\p{Script=Armenian}`,
    language: row("hy", "armenian", "և է են եմ որ մի այս այդ իր նա ես դու մենք"),
  },
  { script: script`\p{Script=Tamil}`, language: row("ta", "tamil", "") },
  {
    script: script`\p{Script=Greek}`,
    language: row("el", undefined, "ο η το οι τα του της των και ή δεν είναι ήταν με σε για από που να θα"),
  },
];

const BY_CODE = new Map(
  [...LATIN, ...BY_SCRIPT.map(({ language }) => language)].map((one) => [one.code, one]),
);

/** The language of a code such as `de` or `de-AT`; undefined when there is no table for it. */
export const languageOf = (code: string): Language | undefined =>
  BY_CODE.get(code) ?? BY_CODE.get(code.toLowerCase().split(/[-_]/u)[0] ?? "");

/** A text shows its language early; only one that does not is read further. */
const GLANCES = [120, 600];
/** A few letters of another script are a quotation. A Chinese character is as much as a word of Latin letters. */
const ENOUGH_OTHER = 0.1;
/** One function word among many others is chance. */
const ENOUGH_WORDS = 0.15;

const BEYOND_LATIN = /[Ͱ-\u{10FFFF}]/u;
const LETTERS = latePattern("gu")`\p{L}`;
const WORDS = /[a-zà-ɏ]+(?:['’][a-zà-ɏ]+)*/g;

const BEYOND_ASCII = /[^\0-\x7f]/;
const A = "a".charCodeAt(0);
const Z = "z".charCodeAt(0);
const APOSTROPHE = "'".charCodeAt(0);
const CURLY_APOSTROPHE = "’".charCodeAt(0);

/** Function words, each with a number, and the rows of `LATIN` that each belongs to. */
interface Owners {
  readonly words: WordMap;
  readonly rows: readonly (readonly number[])[];
}
function ownersOfWords(): Owners {
  const found = new Map<string, number[]>();
  LATIN.forEach(({ words }, row) => {
    for (const word of words) found.set(word, [...(found.get(word) ?? []), row]);
  });
  const words = new WordMap();
  [...found.keys()].forEach((word, number) => {
    words.add(word, number);
  });
  return { words, rows: [...found.values()] };
}
let owners: Owners | undefined;

/**
 * The language of a short text: by script where one decides, else by which language owns most of its function words.
 * Undefined when nothing speaks for any, as with a name or an identifier.
 */
export function detectLanguage(text: string): Language | undefined {
  if (last?.text !== text) last = { text, language: detected(text) };
  return last.language;
}

/** A text that is judged, compared and indexed is asked about several times in a row. */
let last: { readonly text: string; readonly language: Language | undefined } | undefined;

function detected(text: string): Language | undefined {
  for (const length of GLANCES) {
    const glance = text.slice(0, length);
    const isPlain = !BEYOND_ASCII.test(glance);
    const found = isPlain ? byPlainFunctionWords(glance.toLowerCase()) : ofAny(glance.normalize("NFC"));
    if (found || text.length <= length) return found;
  }
  return undefined;
}

const ofAny = (text: string): Language | undefined => byScript(text) ?? byFunctionWords(text.toLowerCase());

function byScript(text: string): Language | undefined {
  if (!BEYOND_LATIN.test(text)) return undefined;
  const letters = text.match(LETTERS()) ?? [];
  for (const { script, language } of BY_SCRIPT) {
    const own = letters.filter((letter) => script().test(letter)).length;
    if (own > 0 && own >= letters.length * ENOUGH_OTHER) return language;
  }
  return undefined;
}

/** How many function words each language owns among those heard: of the text that is being looked at. */
const heard = new Uint32Array(LATIN.length);

function hear({ words, rows }: Owners, text: string, from: number, to: number): void {
  let word = words.get(text, from, to);
  const cut = word >= 0 ? -1 : elision(text, from, to);
  if (cut >= 0) word = words.get(text, from, cut);
  if (word < 0) return;
  const owning = rows[word]!;
  for (let at = 0; at < owning.length; at++) heard[owning[at]!]!++;
}

/** Who owns most of so many words, if that is enough to tell. */
function winner(count: number): Language | undefined {
  let best = 0;
  for (let row = 1; row < heard.length; row++) if (heard[row]! > heard[best]!) best = row;
  const most = heard[best]!;
  heard.fill(0);
  return most === 0 || most < count * ENOUGH_WORDS ? undefined : LATIN[best];
}

function byFunctionWords(low: string): Language | undefined {
  owners ??= ownersOfWords();
  let count = 0;
  for (const { 0: word, index } of low.matchAll(WORDS)) {
    hear(owners, low, index, index + word.length);
    count++;
  }
  return winner(count);
}

/** The same for a text of ASCII, which most are, in a third of the time. */
function byPlainFunctionWords(low: string): Language | undefined {
  owners ??= ownersOfWords();
  const end = low.length;
  const isLetter = (at: number): boolean => at < end && low.charCodeAt(at) >= A && low.charCodeAt(at) <= Z;
  let count = 0;
  for (let at = 0; at < end; at++) {
    if (!isLetter(at)) continue;
    const from = at;
    for (at++; isLetter(at) || (isLetter(at + 1) && low.charCodeAt(at) === APOSTROPHE); ) at++;
    hear(owners, low, from, at);
    count++;
  }
  return winner(count);
}

/** Where the article of `l'amour` ends, or -1; the stump of an English `isn't` shows nothing. */
function elision(text: string, from: number, to: number): number {
  for (let at = from + 1; at < to && at < from + 3; at++) {
    const sign = text.charCodeAt(at);
    if (sign === APOSTROPHE || sign === CURLY_APOSTROPHE) return at;
  }
  return -1;
}
