import type { Finding, Kind } from "./finding.js";
import { matchesOf } from "./matches.js";
import { entropy, isPlaceholder, isReference, makeOf } from "./plausible.js";

/**
 * "password = x", "the root password for the router is x", "密码 x". A keyword is found by a pattern; what follows it
 * is read by hand, step by step, so that no input can make it slow.
 */
const WORDS =
  /pass(?:word|wort|phrase|code)?|p[as]{0,3}w(?:or|r|)d|pw(?![a-z])|kennwort|senha|mot de passe|\bclave(?= (?:del?|para)\b)|(?:recovery|backup|door|access|entry|security) code|\bpin\b|api[ _-]?key|access[ _-]?key|secret|token|bearer|credentials?|auth(?:entication|orization)?(?![a-z])|key(?![a-z])|[a-z_]api(?![a-z])|login/gi;
const FOREIGN = /contraseña|пароль|密码|密碼|密钥|パスワード|비밀번호/giu;

/** What a name must not end with: then it names something about the secret. */
const ABOUT =
  /(?:ids?|ur[li]|files?|paths?|names?|types?|length|size|count|limit|usage|policy|polic(?:y|ies)|chars?|words?|store|tab|ing|ed|s?for|hint|field|column|version|expir\w*|ttl|signatures?|pressed|code|press|board|ring|provider|manager|endpoint|host|results?|method|server)$/i;
/** Things that mix letters and digits without being secret. */
const COMMON =
  /^(?:base\d\d?|sha-?\d+|md5|utf-?\d+|aes-?\d+|rsa-?\d+|oauth\d?|https?|ipv?\d|ed25519|ecdsa|[hre]s\d+|v?\d+(?:\.\d+)+|v\d+|\d+-?(?:st|nd|rd|th|k|m|gb|mb|kb|ms|s|h|d|chars?|characters?|days?|digits?|bits?|hours?|months?|weeks?|years?|min(?:utes?)?|sec(?:onds?)?|letters?|tokens?|words?|times?)|win32|x?86|x64|log4j|s3|ec2|k8s|i18n|2fa|mfa|1password|bcrypt)(?![a-z0-9])/i;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

type Class = "password" | "pin" | "token" | "key" | "login";
const classOf = (word: string): Class => {
  const w = word.toLowerCase();
  if (/^(?:pin|.* code)$/.test(w)) return "pin";
  if (w === "login" || w.startsWith("credential")) return "login";
  if (/^(?:key|auth\w*|.?api)$/.test(w)) return "key";
  return /secret|token|bearer|api|access|密钥|secure/.test(w) ? "token" : "password";
};

/** How the value is joined to its name: written like code, said in a sentence, or merely standing beside it. */
type Join = "code" | "prose" | "beside";

export function findAssignments(text: string): Finding[] {
  const found: Finding[] = [];
  for (const match of keywords(text)) {
    const [word] = match;
    if (!standsAlone(text, match.index, word)) continue;
    const about = classOf(word);
    const isOption = /(?:^|\s)--?[\w-]*$/.test(text.slice(Math.max(0, match.index - 24), match.index));
    const read = readValue(text, match.index + word.length, about, isOption);
    if (!read) continue;
    const { start, end, join, quoted } = read;
    const value = text.slice(start, end);
    if (!isSecret(value, about, join, quoted) && !isCode(value, about, join, text.slice(end, end + 4)))
      continue;
    const kind: Kind = about === "token" || about === "key" ? "secret" : "password";
    found.push({ kind, rule: "assignment", start, end });
  }
  return found;
}

function keywords(text: string): RegExpExecArray[] {
  const known = [...matchesOf(text, WORDS)];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ordinary text need not be searched twice
  return /[^\x00-\x7f]/.test(text) ? [...known, ...text.matchAll(FOREIGN)] : known;
}

/** "compass" and "monkey" hold no keyword; "userPass" and "my_key" do. */
function standsAlone(text: string, at: number, word: string): boolean {
  if (word.length > 5 || /^\P{ASCII}/u.test(word))
    return !/public[ _-]?$/i.test(text.slice(Math.max(0, at - 8), at));
  if (word.startsWith("_")) return true;
  const before = text[at - 1] ?? " ";
  if (/public[ _-]?$/i.test(text.slice(Math.max(0, at - 8), at))) return false;
  return !/\p{Ll}/u.test(before) || /\p{Lu}/u.test(word[0] as string);
}

interface Read {
  readonly start: number;
  readonly end: number;
  readonly join: Join;
  readonly quoted: boolean;
}

const TYPED = /^:\s?(?:str|string|String)\s?=/;
const CODE = /^(?::{1,3}\??=|\?=|=>|->|=|:|%3D|：)/;
const PROSE = /^(?:is|are|was|ist|lautet|es|est|é|è|war|now|to)\s/i;

function readValue(text: string, from: number, about: Class, isOption: boolean): Read | undefined {
  const rest = text.slice(from, from + 320);
  const tail = /^[A-Za-z0-9_]{0,40}/.exec(rest)?.[0] ?? "";
  if (tail !== "" && ABOUT.test(tail)) return undefined;
  let at = tail.length;
  at += /^["'`)\]}\\]{0,6}/.exec(rest.slice(at))?.[0].length ?? 0;
  const gap = /^[ \t]{0,4}/.exec(rest.slice(at))?.[0].length ?? 0;
  const here = rest.slice(at + gap);
  const code = TYPED.exec(here) ?? CODE.exec(here);
  if (code) return valueAt(text, from + at + gap + code[0].length, "code", about);
  if (/^,\s{0,2}["'`]/.test(here)) return valueAt(text, from + at + gap + 1, "code", about);
  const prose = saidLater(here);
  if (prose !== undefined) return valueAt(text, from + at + gap + prose.at, prose.join, about);
  if (/^(?:是|为|は)/.test(here)) return valueAt(text, from + at + gap + 1, "prose", about);
  if (gap === 0 || about === "key" || about === "login") return undefined;
  return valueAt(text, from + at + gap, isOption ? "code" : "beside", about);
}

/** "… for the router is x", "… of the OAuth app: x": the verb or colon may come some words later. */
function saidLater(here: string): { at: number; join: Join } | undefined {
  const reach = /^[^.;\n"'`=<>]{0,48}/.exec(here)?.[0].length ?? 0;
  for (let at = 0; at <= reach; at++) {
    if (at > 0 && here[at] === ":" && here[at + 1] === " ") return { at: at + 1, join: "prose" };
    if (at > 0 && !/\s/.test(here[at - 1] as string)) continue;
    const verb = PROSE.exec(here.slice(at, at + 10));
    if (verb) return { at: at + verb[0].length, join: "prose" };
  }
  return undefined;
}

/** "credentials: admin / x" */
const PAIR = /^ {0,3}[\w.@-]{2,40} ?\/ ?([^\s/]{6,64})/;

function valueAt(text: string, from: number, join: Join, about: Class): Read | undefined {
  const pair = about === "login" ? PAIR.exec(text.slice(from, from + 120)) : undefined;
  if (pair)
    return {
      start: from + pair[0].length - (pair[1] as string).length,
      end: from + pair[0].length,
      join,
      quoted: true,
    };
  const lead = /^[ \t]{0,4}(?:[brfu]?["'`]{1,3}|\\["'])?/.exec(text.slice(from, from + 10))?.[0] ?? "";
  const quote = /["'`]/.exec(lead)?.[0];
  const start = from + lead.length;
  const window = text.slice(start, start + 260);
  const value = (quote ? /^[^"'`\n\\]{0,255}/ : /^[^\s"'`,;<>()|]{0,255}/).exec(window)?.[0] ?? "";
  const clean = quote ? value : value.replace(/[.:\])}]+$/, "");
  const cut = quote ? clean : (clean.split("&")[0] as string);
  return cut.length < 4 ? undefined : { start, end: start + cut.length, join, quoted: quote !== undefined };
}

/** "the passcode is 774411." Before more words digits are a number of something. */
const isCode = (value: string, about: Class, join: Join, behind: string): boolean =>
  about === "password" && join === "prose" && /^\d{4,12}$/.test(value) && /^\s*(?:[.,;!)]|$)/.test(behind);

function isSecret(value: string, about: Class, join: Join, quoted: boolean): boolean {
  if (/\s/.test(value) && !/^\S+ \S+$/.test(value)) return false;
  const { lower, upper, digit, symbol } = makeOf(value);
  if (COMMON.test(value) || (isReference(value) && !(about === "password" && digit && join !== "beside")))
    return false;
  const letter = lower || upper;
  if (about === "pin")
    return join !== "beside" && /^(?:\d{4,8}#?|(?=\w*\d)[A-Z0-9]{4}(?:-[A-Z0-9]{4}){1,6})$/.test(value);
  if (UUID.test(value)) return join === "code" && (about === "token" || about === "key");
  if (isPlaceholder(value)) return false;
  if (about === "login") {
    if (join === "beside" || !digit || !letter) return false;
    return (quoted && lower && (upper || symbol) && value.length >= 8) || (quoted && value.length >= 32);
  }
  if (about === "password") {
    if (join === "code") {
      if (value.length < 6) return false;
      if (letter && digit) return true;
      if (!letter) return /^\d{6,12}$/.test(value) || (digit && symbol && !/^[\d.,:/%+-]+$/.test(value));
      if (/@\w+\./.test(value)) return false;
      return (
        (quoted ? /[!@#$%^&*]/ : /[!@#$%^*]\S*\p{L}/u).test(value) ||
        (lower && upper && /\p{Ll}\p{Lu}/u.test(value) && value.length >= 8 && !symbol)
      );
    }
    return letter && digit && value.length >= (join === "prose" ? 6 : 8) && !/^\d+[-\p{L}]+$/u.test(value);
  }
  if (!digit || !letter) return false;
  const mixed = lower && upper;
  if (about === "key")
    return (
      join === "code" &&
      value.length >= 12 &&
      (mixed || value.length >= 20) &&
      entropy(value) >= 3.2 &&
      !/^(?:[A-Z]?[a-z]+)+[-_ .]?[\d.]+$/.test(value)
    );
  if (join === "code" && mixed && value.length >= 8 && !/^[A-Z]?[a-z]+[-_ ]?\d+$/.test(value))
    return entropy(value) >= 2.7;
  return value.length >= 16 && entropy(value) >= 3 && !/^[a-z]+(?:[-_.][a-z0-9]+){1,}$/i.test(value);
}
