import { type Class, isSecret, type Join, type Value } from "./credential.js";
import { makeOf } from "./plausible.js";
import type { Finding, Kind } from "./rule.js";
import { matchesOf } from "./rule.js";

/**
 * "password = x", "the root password for the router is x", "密码 x". A keyword is found by a pattern; what follows it
 * is read by hand, step by step, so that no input can make it slow.
 */
const WORDS =
  /pass(?:word|wort|phrase|code)?|p[as]{0,3}w(?:or|r|)d|pw(?![a-z])|kennwort|senha|mot de passe|wachtwoord|adgangskode|salasana|heslo|\b(?:clave|chave|chiave) (?:(?:de )?api|priva[dt]a)|\bclave(?= (?:del?|para)\b)|(?:recovery|backup|door|gate|garage|safe|alarm|locker|padlock|access|entry|security) code|\bpin\b|api[ _-]?key|access[ _-]?key|secret|token|bearer|credentials?|auth(?:entication|orization)?(?![a-z])|key(?![a-z])|[a-z_]api(?![a-z])|login/gi;
const FOREIGN =
  /contraseña|clé (?:d['’])?api|clé (?:privée|secrète)|(?:api[- ]?|private[rn]? |geheime[rn]? )schlüssel|hasło|lösenord|şifre|mật khẩu|пароль|ключ(?: api)?|密码|密碼|口令|密钥|私钥|パスワード|暗証番号|秘密鍵|비밀번호|암호|סיסמה|كلمة المرور|كلمة السر|पासवर्ड/giu;

/** What a name must not end with: then it names something about the secret. */
const ABOUT =
  /(?:ids?|ur[li]|files?|paths?|names?|types?|length|size|count|limit|usage|policy|polic(?:y|ies)|chars?|words?|store|tab|ing|ed|s?for|hint|field|column|version|expir\w{0,20}|ttl|signatures?|pressed|code|press|board|ring|provider|manager|endpoint|host|results?|method|server)$/i;
/** What makes any key one that nobody else may hold. */
const PRIVATE =
  /(?:private|secret|signing|encryption|decryption|master|admin|deploy|wallet|hmac|ssh)[ _-]?$/i;
/** Keys by which things are found: what they are is written where everybody reads it. */
const FINDING =
  /(?:s3|object|bucket|storage|cache|restore|idempotency|dedup\w{0,14}|partition|sort|shard|primary|foreign|routing|lookup|redis|map|row|index|slot|message|document|record|cursor|group|join|hash)[ _-]?$/i;
/** The name of a secret in a cloud, not the secret. */
const RESOURCE = /\barn:[\w-]{2,20}:[\w:./-]{0,90}:$/;

function classOf(word: string, before: string): Class {
  const w = word.toLowerCase();
  if (/^(?:pin|.* code)$/.test(w)) return "pin";
  if (w === "login" || w.startsWith("credential")) return "login";
  if (w === "key" && PRIVATE.test(before)) return "token";
  if (/^(?:key|auth(?!\w*token)\w*|.?api)$/.test(w)) return "key";
  return /secret|token|bearer|api|access|secure|密钥|私钥|schlüssel|clé|priv|秘密鍵|ключ/.test(w)
    ? "token"
    : "password";
}

/** Whole words for a password, at the end of a name: "DB_PASSWORD", "WLAN-Passwort". */
const PASSWORD =
  /(?:pass(?:word|wort|phrase|wd|ord)|pwd?|kennwort|senha|mot de passe|wachtwoord|adgangskode|salasana|heslo|[\u0080-\uffff].*)$/i;
/** "user: ann, pass: …": of a test that passes nobody says whose it is. */
const ACCOUNT =
  /\b(?:user(?:[ _-]?name)?|login|account|e-?mail)["']?\s{0,2}[:=]\s{0,2}\S{1,60}[\s,;/|]{1,4}["']?$/i;
/** Before a name, what only programs write. */
const PROGRAM =
  /[{}()<>$\\|[\]]|\/\/|\b(?:const|let|var|val|def|type|function|class|public|protected|readonly|final|string|export|import|return|if)\b/;

/** So much before a keyword and behind it is read. */
const BEFORE = 120;
const BEHIND = 512;

export function findAssignments(text: string): Finding[] {
  const found: Finding[] = [];
  // What stands in a text over and over is judged once.
  const judged = new Map<string, Finding | undefined>();
  for (const { 0: word, index } of keywords(text)) {
    const from = Math.max(0, index - BEFORE);
    const around = text.slice(from, index + word.length + BEHIND);
    const isWhole = index >= BEFORE;
    const finding =
      isWhole && judged.has(around) ? judged.get(around) : assignmentAt(around, index - from, word);
    if (isWhole) judged.set(around, finding);
    if (finding) found.push({ ...finding, start: from + finding.start, end: from + finding.end });
  }
  return found;
}

function assignmentAt(text: string, at: number, word: string): Finding | undefined {
  if (!standsAlone(text, at, word)) return undefined;
  const before = text.slice(0, at);
  if ((/^key$/i.test(word) && FINDING.test(before.slice(-24))) || RESOURCE.test(before)) return undefined;
  const about = classOf(word, before.slice(-16));
  const isOption = /(?:^|\s)--?[\w-]{0,24}$/.test(before.slice(-24));
  const name = { before, end: at + word.length, about, isOption };
  const secret = valuesOf(text, name).find((read) => isSecret(reading(text, word, name, read)));
  if (!secret) return undefined;
  const kind: Kind = about === "token" || about === "key" ? "secret" : "password";
  return { kind, rule: "assignment", start: secret.start, end: secret.end };
}

/** A name of a secret: what stands before it, where its keyword ends, and what it promises. */
interface Name {
  readonly before: string;
  readonly end: number;
  readonly about: Class;
  readonly isOption: boolean;
}

/** A value with everything by which it is decided whether it is a secret. */
function reading(text: string, word: string, { before, about }: Name, read: Read): Value {
  const value = text.slice(read.start, read.end);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const isNamed = PASSWORD.test(word + read.tail) || (/^pass$/i.test(word) && ACCOUNT.test(line));
  const isPlain = () =>
    read.isTight ? !/[{}()<>\\[\]]|\/\//.test(line) : !PROGRAM.test(line) && !/[=;]/.test(line);
  return {
    text: value,
    make: makeOf(value),
    about,
    join: read.join,
    isQuoted: read.quoted,
    isGiven: read.isGiven && isNamed,
    isSpoken: isNamed && isPlain(),
    behind: text.slice(read.end, read.end + 40).split("\n", 1)[0] as string,
  };
}

function keywords(text: string): RegExpExecArray[] {
  const known = [...matchesOf(text, WORDS)];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ordinary text need not be searched twice
  return /[^\x00-\x7f]/.test(text) ? [...known, ...text.matchAll(FOREIGN)] : known;
}

/** "compass" and "monkey" hold no keyword; "userPass" and "my_key" do. */
function standsAlone(text: string, at: number, word: string): boolean {
  // Within a word of base64 every short keyword occurs by chance.
  if (/[A-Za-z0-9+/]{24}$/.test(text.slice(Math.max(0, at - 24), at))) return false;
  if (word.length > 5 || /^\P{ASCII}/u.test(word))
    return !/public[ _-]?$/i.test(text.slice(Math.max(0, at - 8), at));
  if (word.startsWith("_")) return true;
  const before = text[at - 1] ?? " ";
  if (/public[ _-]?$/i.test(text.slice(Math.max(0, at - 8), at))) return false;
  return !/\p{Ll}/u.test(before) || /\p{Lu}/u.test(word[0] as string);
}

/** How a value is joined to its name, and where it begins. */
interface Joint {
  readonly at: number;
  readonly join: Join;
  /** Nothing but a value can follow. */
  readonly isGiven: boolean;
  /** Without a blank, as in settings and addresses. */
  readonly isTight?: boolean;
}

interface Read extends Omit<Joint, "at"> {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
  /** What follows the keyword in the same name. */
  readonly tail: string;
}

const TYPED = /^:\s?(?:str|string|String)\s?=/;
const CODE = /^(?::{1,3}\??=|\?=|=>|->|=|:|%3D|：)/;
const PROSE = /(?:is|are|was|ist|lautet|es|est|é|è|war|now|to)\s/iy;
const EASTERN = /^(?:是|为|為|は|은|는)/;
/** After a name: what it is the password of. */
const OF =
  /^(?:for|of|to|on|in|at|from|für|von|vom|zum|zur|der|des|im|am|del?|para|pour|du|da|do|per|van|voor|do|dla|от|для|к)\s/i;

/** Where the value of a name may stand: mostly in one place, after verbs in several. */
function valuesOf(text: string, { before, end, about, isOption }: Name): Read[] {
  TAIL.lastIndex = end;
  const tail = TAIL.exec(text)?.[0] ?? "";
  if (tail !== "" && ABOUT.test(tail)) return [];
  CLOSING.lastIndex = end + tail.length;
  const [closing = "", gap = ""] = CLOSING.exec(text) ?? [];
  const isElement = closing.endsWith(">") && /<[\w:.-]{0,40}$/.test(before);
  if (closing.endsWith(">") && !isElement) return [];
  const at = end + tail.length + closing.length;
  const here = text.slice(at, at + 96);
  const joints = isElement ? [ELEMENT] : (jointsOf(here, gap !== "") ?? besides(gap, about, isOption));
  const reads: Read[] = [];
  for (const joint of joints) {
    const value = valueAt(text, at + joint.at, about);
    if (value)
      reads.push({
        ...joint,
        ...value,
        tail,
        isGiven: joint.isGiven || (value.quoted && !here.startsWith(",")),
      });
  }
  return reads;
}
const TAIL = /[A-Za-z0-9_]{0,40}/y;
/** What closes the name, and blanks. */
const CLOSING = /["'`)\]}\\]{0,6}(?:>|([ \t]{0,4}))/y;

/** What an element of XML holds. */
const ELEMENT: Joint = { at: 0, join: "code", isGiven: false };
const DASH = /^(?:[–—→]|-(?=[ \t]))/;

/** The name has a line of its own, and what it holds has the next. */
const BELOW = /^[:：][ \t]{0,4}(?:\r?\n){1,2}[ \t]{0,12}(?=[^\s:]{4,60}[ \t]{0,4}(?:\r?\n|$))/;

function jointsOf(here: string, hasGap: boolean): readonly Joint[] | undefined {
  const below = BELOW.exec(here)?.[0].length;
  if (below !== undefined) return [{ at: below, join: "code", isGiven: false }];
  const sign = (TYPED.exec(here) ?? CODE.exec(here))?.[0];
  if (sign !== undefined) {
    const isTight = sign === "=" && !hasGap && !/^=\s/.test(here);
    return [{ at: sign.length, join: "code", isGiven: isTight || sign === ":" || sign === "：", isTight }];
  }
  if (/^,\s{0,2}["'`]/.test(here)) return [{ at: 1, join: "code", isGiven: false }];
  if (EASTERN.test(here)) return [{ at: 1, join: "prose", isGiven: true }];
  const later = saidLater(here);
  if (later.length > 0) return later;
  return DASH.test(here) ? [{ at: 1, join: "prose", isGiven: false }] : undefined;
}

/** The value merely stands beside the name, or follows an option. */
function besides(gap: string, about: Class, isOption: boolean): readonly Joint[] {
  if (gap === "" || about === "key" || about === "login") return [];
  return [{ at: 0, join: isOption ? "code" : "beside", isGiven: false }];
}

/** "… for the router is x", "… of the OAuth app: x": the verb or colon may come some words later. */
function saidLater(here: string): Joint[] {
  const joints: Joint[] = [];
  const reach = /^[^.;\n"'`=<>|]{0,48}/.exec(here)?.[0].length ?? 0;
  for (let at = 0; at <= reach && joints.length < 4; at++) {
    if (at > 0 && here[at] === ":" && here[at + 1] === " ") {
      joints.push({ at: at + 1, join: "prose", isGiven: OF.test(here) });
      break;
    }
    if (at > 0 && !/\s/.test(here[at - 1] as string)) continue;
    PROSE.lastIndex = at;
    const verb = PROSE.exec(here)?.[0];
    if (verb) joints.push({ at: at + verb.length, join: "prose", isGiven: /^lautet/i.test(verb) });
  }
  return joints;
}

/** "credentials: admin / x" */
const PAIR = /^ {0,3}[\w.@-]{2,40} ?\/ ?([^\s/]{6,64})/;
/** In Chinese, Japanese and Korean the sentence goes on without a blank. */
const EASTERN_TEXT = /^[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{8}/;
const BEFORE_EASTERN = /^[\x21-\x7e]{4,}(?=[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af])/;

function valueAt(
  text: string,
  from: number,
  about: Class,
): Pick<Read, "start" | "end" | "quoted"> | undefined {
  const pair = about === "login" ? PAIR.exec(text.slice(from, from + 120)) : undefined;
  if (pair) {
    const end = from + pair[0].length;
    return { start: end - (pair[1] as string).length, end, quoted: true };
  }
  const lead =
    /^[ \t]{0,4}(?:[brfu]?["'`]{1,3}|\\["']|[“„«‘‚][ \u00a0]?)?/.exec(text.slice(from, from + 10))?.[0] ?? "";
  const quoted = /["'`“„«‘‚]/.test(lead);
  const start = from + lead.length;
  const window = text.slice(start, start + 260);
  const value = (quoted ? /^[^"'`\n\\“”»’]{0,255}/ : /^[^\s"'`,;<>()|]{0,255}/).exec(window)?.[0] ?? "";
  const cut = quoted
    ? value.trimEnd()
    : (value.replace(/(?<![.:\])}])[.:\])}]+$/, "").split("&")[0] as string);
  if (EASTERN_TEXT.test(cut)) return undefined;
  const own = BEFORE_EASTERN.exec(cut)?.[0] ?? cut;
  return own.length < 4 ? undefined : { start, end: start + own.length, quoted };
}
