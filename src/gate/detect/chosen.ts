import { isPlaceholder } from "./plausible.js";

/**
 * Passwords that people choose are words, and words also tell of passwords: "password: sunshine" holds one, "password:
 * required" and "the password is strict" do not. What decides is how the word is joined, what follows, and what it says.
 */

/** Words that say something of a password, or stand for one, in the languages whose words for "password" are known. */
const SAYS = new Set(
  `block allow redact deny drop skip ignore exclude include mask omit contact call provide choose pick create verify confirm
  ask see saw use used using set reset read write keep kept change rotate renew type enter send sent store save share tell
  get give find look check try need here there this that these those same none null nil void undefined unknown unset never
  always later soon maybe pending todo tbd missing lost gone forgotten hidden secret private public shared common internal
  required mandatory optional needed wanted allowed valid invalid correct incorrect wrong right true false good bad fine weak
  strong stronger strict stricter safe secure insecure unsafe simple complex complicated easy hard long longer short shorter
  new newer old older current former previous latest default initial temporary permanent final first last next other another
  different identical similar random unique empty blank plain plaintext cleartext hash hashed salt salted encrypted encoded
  masked stored saved known well very too also still just only now not no yes okay with without from into inside under over
  above below behind between about after before because since when where what which who whom whose why how until unless than
  then they them their mine yours ours your their his her its our the and but for both each every some any all many most
  string text word words number numbers char chars varchar boolean bool object array list value values field fields input
  output param params parameter option options argument variable const env environment config settings data body request
  response form label title name user username users login email mail account admin root owner guest client server host
  database table column model schema type types class function method module file path vault keychain keepass bitwarden
  lastpass dashlane onepassword wallet manager safe drawer letter paper note notes wiki docs chat phone card policy rule
  rules security authentication authorization access credential credentials token tokens apikey password passwords passwort
  passphrase pass pwd generated expired expires leaked stolen breached compromised broken disabled enabled deprecated
  protected important essential personal confidential sensitive obvious trivial guessable memorable readable visible minimum
  maximum least length limit sure possible impossible necessary ready done fixed open closed active inactive available
  example sample dummy fake test testing demo placeholder something nothing anything everything nobody someone whatever
  alphanumeric numeric numerical lowercase uppercase digits letters symbols characters granted denied accepted rejected failed failure success
  abgelaufen falsch richtig korrekt ungültig gültig schwach stark sicher unsicher kurz lang gleich geheim bekannt unbekannt
  nötig notwendig erforderlich pflicht leer fehlt steht liegt siehe frage fragen immer neu alt wichtig vergessen geändert
  gespeichert gesperrt zurückgesetzt verschlüsselt hier dort nicht kein keine noch schon auch sehr zufällig optional unverändert
  expiré expirée obligatoire requis requise oublié faible fort forte valide invalide incorrect incorrecte correct voir demander
  inconnu inconnue perdu perdue changé modifié stocké chiffré ici aucun aucune vide nouveau ancien même trop très toujours
  caducada vencida obligatoria obligatorio incorrecta correcta débil fuerte segura inválida válida olvidada perdida pendiente
  nueva vieja misma larga corta secreta aquí ninguna ninguno ver preguntar guardada cambiada vacía demasiado muy siempre también
  fraca forte inválida obrigatória esquecida expirada segura nova antiga aqui nenhuma vazia muito sempre pendente
  scaduta scaduto errata corretta debole sicura obbligatoria dimenticata nuova vecchia stessa lunga corta segreta vuota molto
  verlopen verplicht vergeten onjuist juist zwak sterk veilig onbekend nieuw oud zelfde leeg hier niet geen zeer
  wymagane wymagany nieznane błędne słabe silne puste nowe stare zapomniane wygasło tutaj
  устарел истёк истек неверный неверен верный забыт изменён сменён слабый сильный обязательно обязателен нужен неизвестен пустой
  новый старый тот тут здесь нет хранится смотри спроси временный`.split(/\s+/),
);

/** Small words: of "state-of-the-art" nobody makes a password, and of "easy-to-guess" neither. */
const SMALL =
  /^(?:a|an|the|to|of|in|on|at|by|for|from|and|or|not|non|no|up|out|off|over|is|it|be|as|well|so|too|un|per|pre|post|re|one|two|all|half|self|ever|once)$/i;
/** How words end that say what was done, can be done or is so. */
const TELLING =
  /(?:[a-z]{2}(?:ed|ing|able|ible|less|ness|ment|tion|wise|like|based|only|sensitive|specific|proof|grade|level|side|wide|time|free|safe|ready|aware)|[a-zäöü]{3}(?:bar|lich|ung|iert|isch))$/i;
/** Names of things in programs: "get_user_password", "db_config_value". */
const NAMING =
  /^(?:get|set|new|old|my|your|user|users|db|env|config|input|value|field|var|arg|param|hash|hashed|default|test|current|confirm|repeat|name|file|path|id|url|policy|reset|admin|root|app|api|http|https|self|this|data|type|form|page|login|auth\w*|key|token|secret|pass\w*|pwd|string|text|required|min|max|length)$/i;

const WORD = /^\p{L}[\p{L}\p{M}]{3,31}$/u;
const SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** "correct-horse-battery": at least three words that together say nothing, of which one in three may say something. */
export function isPassphrase(value: string): boolean {
  const words = value.split(/[-_.~+]/);
  if (words.length < 3 || value.length < 12 || words.some((word) => !/^\p{L}{2,16}\d{0,4}$/u.test(word)))
    return false;
  if (words.some((word) => SMALL.test(word) || NAMING.test(word))) return false;
  if (words.filter((word) => SAYS.has(word.toLowerCase())).length > words.length / 3) return false;
  return !TELLING.test(value) && words.filter((word) => word.length >= 4).length >= 3;
}

/** "correct horse battery staple": words drawn for a passphrase; a sentence about one needs more of the others. */
export function isWords(words: readonly string[]): boolean {
  if (new Set(words).size < words.length || words.some((word) => SMALL.test(word))) return false;
  const telling = words.filter(
    (word) => SAYS.has(word.toLowerCase()) || NAMING.test(word) || TELLING.test(word),
  );
  return telling.length <= words.length / 4;
}

/** One word that says nothing of passwords. */
export const isPlainWord = (value: string): boolean =>
  WORD.test(value) &&
  !SCRIPT.test(value) &&
  !SAYS.has(value.toLowerCase()) &&
  !TELLING.test(value) &&
  !/pass|pwd|secret|token|wort|word|user|input|hash|param|valu|field|string/i.test(value) &&
  !isPlaceholder(value);

/** The passwords that most people choose. After "is", any other plain word may as well describe a password as be one. */
const FAMOUS = new Set(
  `sunshine princess dragon monkey football baseball basketball superman batman iloveyou letmein welcome shadow master qwerty
  qwertyuiop qwertz azerty asdfgh asdfghjkl zxcvbn zxcvbnm trustno1 starwars pokemon chocolate butterfly whatever cookie
  pepper ginger summer winter flower soccer hockey killer hunter jordan michael jennifer jessica ashley daniel charlie
  thomas robert andrew matthew joshua george tigger buster maggie bailey cheese banana orange purple yellow computer internet
  samsung google liverpool chelsea arsenal barcelona juventus schalke bayern passw0rd hallo schatz sommer sonnenschein
  geheim123 soleil doudou loulou bonjour chouchou amour tequiero estrella princesa corazon teamo mariposa brasil flamengo
  opensesame swordfish rosebud mypassword changeit`.split(/\s+/),
);
export const isFamous = (value: string): boolean => FAMOUS.has(value.toLowerCase());
