import { isWords } from "./chosen.js";
import { entropy, isPlaceholder, isRandom, isReference, isScrambled, makeOf } from "./plausible.js";
import type { Rule } from "./rule.js";

const B64 = "A-Za-z0-9+/";

/** A private key goes on to its footer, or to the end of what was given. */
function endOfArmour(text: string, start: number): number {
  const footer = text.indexOf("-----END", start);
  const close = footer < 0 ? -1 : text.indexOf("-----", footer + 8);
  return close < 0 ? text.length : close + 5;
}

const LINE = /[A-Za-z0-9+/]{1,16384}={0,2}/y;
const BREAK = /[ \t"',]{0,4}(?:\r?\n|(?:\\{1,2}r)?\\{1,2}n)[ \t"'>]{0,8}/y;
/** Nobody wraps at more; a longer line stands alone. */
const WIDEST = 80;
/** A body goes on line by line; the last may be shorter than those before. */
function endOfBody(text: string, start: number): number {
  let end = start;
  let width = 0;
  for (let at = start; ; ) {
    LINE.lastIndex = at;
    const line = LINE.exec(text)?.[0] ?? "";
    if (line === "" || (width > 0 && line.length > width)) return end;
    end = at + line.length;
    if (line.endsWith("=") || line.length < width || line.length > WIDEST) return end;
    width = line.length;
    BREAK.lastIndex = end;
    const gap = BREAK.exec(text)?.[0] ?? "";
    if (gap === "") return end;
    at = end + gap.length;
  }
}

/** `A` base64 characters, lines of them or one. */
const body = (start: string, length: number): RegExp =>
  new RegExp(`(?<![${B64}])${start}(?:[${B64}]|(?<=[${B64}]{30})(?:\\r?\\n|\\\\n)){${length}}`, "g");

/** What DER writes first in the private keys of RSA and DSA, in PKCS#8 and PKCS#12, and in those of curves; in base64. */
const DER: readonly (readonly [anchors: readonly string[], start: string, length: number])[] = [
  [["AIBA", "QIBA", "gIBA", "wIBA"], `MII[${B64}]{2}[AQgw]IBA[DAz]`, 100],
  [["MIG", "MIH"], `MI[GH][${B64}]AgEAM`, 60],
  [["MHcCAQEEI", "MIGkAgEBBD", "MIHcAgEBBEI"], "(?:MHcCAQEEI|MIGkAgEBBD|MIHcAgEBBEI)", 40],
  [["CAQAwBQYDK2V"], "M(?:C4|EY|Ec|FE|FM)CAQAwBQYDK2V", 40],
  [["hkiG9w0BBQ0"], `MII[${B64}]{8,24}hkiG9w0BBQ0`, 60],
];

/** Private keys by what they begin with: their header, or their first bytes where the header was left out. */
const PRIVATE_KEY_RULES: readonly Rule[] = [
  {
    name: "private-key",
    kind: "secret",
    anchors: ["PRIVATE KEY"],
    // The words of the header are taken one by one, so that a row of capitals is read only once.
    pattern: /-----BEGIN (?:[A-Z0-9-]{2,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g,
    endOf: endOfArmour,
  },
  {
    name: "private-key",
    kind: "secret",
    anchors: ["PRIVATE KEY"],
    pattern: /---- BEGIN SSH2 (?:ENCRYPTED )?PRIVATE KEY ----/g,
    endOf: (text, start) => {
      const footer = text.indexOf("---- END", start + 10);
      return footer < 0 ? text.length : Math.min(text.length, footer + 40);
    },
  },
  {
    name: "private-key",
    kind: "secret",
    // "-----BEGIN" in base64, at the three ways it can fall on its grid.
    anchors: ["LS0tLS1CRUdJTi", "0tLS0tQkVHSU4", "tLS0tLUJFR0lO"],
    longest: 50,
    pattern: /(?:LS0tLS1CRUdJTi|0tLS0tQkVHSU4|tLS0tLUJFR0lO)[A-Za-z0-9+/]{40,4000}/g,
    endOf: endOfBody,
  },
  {
    name: "private-key",
    kind: "secret",
    // "openssh-key-v1" in base64.
    anchors: ["b3BlbnNzaC1rZXktdj"],
    longest: 50,
    pattern: body("b3BlbnNzaC1rZXktdj", 40),
    endOf: endOfBody,
  },
  ...DER.map(
    ([anchors, start, length]): Rule => ({
      name: "private-key",
      kind: "secret",
      anchors,
      longest: 36,
      pattern: body(start, length),
      accepts: (value) => isRandom(value, 4),
      endOf: endOfBody,
    }),
  ),
  {
    name: "private-key",
    kind: "secret",
    anchors: ["Private-Lines: "],
    pattern: /Private-Lines: \d{1,3}\r?\n([A-Za-z0-9+/]{20,100})/g,
    endOf: endOfBody,
  },
  {
    name: "private-key",
    kind: "secret",
    anchors: ["\nlQ"],
    longest: 64,
    pattern: new RegExp(`(?<=\\n)lQ[${B64}]{2}B[FG][${B64}]{58}\\r?\\n[${B64}]{64}`, "g"),
    endOf: endOfBody,
  },
  {
    name: "private-key",
    kind: "secret",
    // OpenSSH alone writes lines of 70; pictures have more of them than any key.
    anchors: ["\n"],
    longest: 70,
    pattern: new RegExp(
      `(?<![^\\s"'>])[${B64}]{70}(?:\\r?\\n[ \\t>]{0,8}[${B64}]{70}){1,2000}(?![${B64}=])`,
      "g",
    ),
    accepts: (value, { index, input }) =>
      value.length < 60 * 72 &&
      isRandom(value, 4.5) &&
      !/PUBLIC KEY|CERTIFICATE|image|png|jpe?g|gif|pdf/i.test(input.slice(Math.max(0, index - 200), index)),
    endOf: endOfBody,
  },
];

/** Names of cookies that let somebody in, where a header says that they are cookies. */
const SESSION = /sess|sid|auth|token|jwt|login|logged|remember|csrf|xsrf|identity|ticket|refresh/i;
/** Names that only session cookies have, whatever stands before them. */
const COOKIES =
  /^(?:PHPSESSID|JSESSIONID|ASPSESSIONID[A-Z]*|ASP\.NET_SessionId|\.AspNet(?:Core)?\..+|(?:connect|express)\.sid|koa\.sess(?:\.sig)?|ci_session|symfony|rack\.session|\w+_session|session(?:[-_]?id)?|sess(?:ion)?_?token|sid|__(?:Host|Secure)-.+|wordpress_(?:logged_in|sec)_\w+|auth[-_]?(?:token|cookie|session)|remember_\w+|[SH]?S?APISID|[SH]SID|cf_clearance|XSRF-TOKEN|csrftoken)$/i;
const HEADER = /cookie["']?\s{0,2}[:= ]|(?:^|\s)-b[ =]|\bcookie\b/i;

const VALUE = "[A-Za-z0-9%._~+/:|!-]";
/** What a server draws for a session: long, and neither words, a date nor a number. */
function isDrawn(value: string): boolean {
  const { lower, upper, digit } = makeOf(value);
  if (!(lower || upper) || isPlaceholder(value) || /^\d{4}-\d\d-\d\d/.test(value)) return false;
  if (!digit && !(lower && upper && value.length >= 24)) return false;
  return entropy(value) >= 2.8 && !/^(?:[a-z]{2,}[-_.])+[a-z0-9]+$/i.test(value);
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Secrets that travel in headers and addresses of the web. */
const WEB_RULES: readonly Rule[] = [
  {
    name: "cookie",
    kind: "secret",
    anchors: ["="],
    longest: 16,
    pattern: new RegExp(`(?<![\\w.-])([\\w.-]{3,80})=(${VALUE}{12,4000}={0,2})`, "g"),
    accepts: (value, { 1: name = "", index, input }) => {
      if (!isDrawn(value)) return false;
      if (COOKIES.test(name)) return value.length >= 16 && !UUID.test(value);
      const line = input.slice(Math.max(0, index - 1000), index);
      return SESSION.test(name) && HEADER.test(line.slice(line.lastIndexOf("\n") + 1));
    },
  },
  {
    name: "signed-url",
    kind: "secret",
    anchors: ["sig=", "ignature=", "ecurity-Token=", "hdnea=", "hdnts=", "oken=", "?code=", "&code="],
    longest: 28,
    pattern:
      /(?<=[?&;\s"'])(?:sig|(?:X-(?:Amz|Goog|Oss|Cos|Ms)-)?Signature|X-(?:Amz|Goog)-Security-Token|security-token|hdnea|hdnts|hdntl|token|access_token|id_token|code)=((?:[A-Za-z0-9+/_.~-]|%2[BbFfDd]|%3[Dd]|%7[Ee]){24,4000}={0,2})/gi,
    accepts: (value) =>
      isRandom(value, 3.2) && !/^(?:[a-z]{2,}[-_.])+[a-z0-9]+$/i.test(value) && !UUID.test(value),
  },
  {
    name: "signed-token",
    kind: "secret",
    anchors: ["mfa."],
    longest: 64,
    pattern: /(?<![\w.-])mfa\.[A-Za-z0-9_-]{60,100}(?![\w-])/g,
    accepts: (value) => isRandom(value, 3.5),
  },
  {
    name: "seed-phrase",
    kind: "secret",
    anchors: ["phrase", "Phrase", "PHRASE", "nemonic", "NEMONIC"],
    pattern:
      /(?:(?:seed|recovery|backup|secret|wallet) phrase|mnemonic)[^:=\n]{0,40}?(?:\bis\b|[:=]) {0,2}["']?((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})(?![A-Za-z])/gi,
    accepts: (value) => isSeed(value.split(/[ ,]+/)),
  },
];

/** The words of a seed are drawn from a list that has none of the small words of a sentence. */
const SMALL =
  /^(?:the|and|for|with|from|that|this|into|your|not|but|are|was|were|has|have|had|his|her|its|our|you|they|them|then|than|which|will|would|should|must|may|might|never|always|where|when)$/i;
const isSeed = (words: readonly string[]): boolean =>
  words.length % 3 === 0 && !words.some((word) => SMALL.test(word));

const isPassword = (value: string): boolean => !isPlaceholder(value) && !/^[{[(<$%]/.test(value);
const isStrong = (value: string): boolean => {
  const { lower, upper, digit, symbol } = makeOf(value);
  return isPassword(value) && digit && (lower || upper) && ((lower && upper) || symbol || value.length >= 12);
};

/** Capitals, small letters and digits, and no words with a number behind them. */
const isJumbled = (value: string): boolean => {
  const { lower, upper, digit } = makeOf(value);
  return lower && upper && digit && !/^[a-z]+\d+$|^v\d/i.test(value) && /\d[a-z]/i.test(value);
};

/** Names before a colon that introduce an address, not an account. */
const MAIL_WORDS = /^(?:mailto|to|cc|bcc|from|e?-?mail|contact|address|sip|xmpp|reply-to|user|author)$/i;

/** Secrets that tell by what stands around them. */
export const SHAPE_RULES: readonly Rule[] = [
  ...PRIVATE_KEY_RULES,
  ...WEB_RULES,
  {
    name: "jwt",
    kind: "secret",
    anchors: ["eyJ"],
    longest: 27,
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,4000}\.eyJ[A-Za-z0-9_-]{10,8000}/g,
  },
  {
    name: "jwt",
    kind: "secret",
    // Encoded once more.
    anchors: ["ZXlK"],
    longest: 64,
    pattern: /(?<![A-Za-z0-9])ZXlK[A-Za-z0-9+/]{60,8000}/g,
  },
  {
    name: "jwk",
    kind: "secret",
    anchors: ['"kty"'],
    pattern: /"[dk]"\s{0,4}:\s{0,4}"([A-Za-z0-9_-]{16,1000})"/g,
    accepts: (value) => !isPlaceholder(value),
  },
  {
    name: "url",
    kind: "secret",
    anchors: ["://"],
    pattern: /:\/\/[^\s:/@"'<>]{0,60}:([^\s@/"'<>]{3,100})@[A-Za-z0-9[]/g,
    accepts: isPassword,
  },
  {
    name: "account",
    kind: "password",
    anchors: ["@"],
    pattern: /(?<![\w/:.@-])([A-Za-z][\w.-]{1,30}):([^\s:@/"'<>]{6,64})@[A-Za-z]/g,
    accepts: (_, [, name, value]) => !MAIL_WORDS.test(name as string) && isStrong(value as string),
  },
  {
    name: "authorization",
    kind: "secret",
    anchors: ["earer ", "asic ", "oken ", "EARER ", "ASIC ", "SSWS ", "enieKey "],
    pattern: /(?<![A-Za-z])(?:Bearer|Basic|Token|SSWS|GenieKey) {1,4}([A-Za-z0-9._~+/-]{16,2000}={0,2})/gi,
    accepts: (value) => isRandom(value),
  },
  {
    name: "curl-user",
    kind: "password",
    anchors: ["-u ", "--user ", "-u=", "--user="],
    pattern:
      /(?<!\S)(?:-u|--user)[ =]{1,3}["'{]{0,3}([^\s:"'{}]{1,80})["'{}]{0,3}:["'{]{0,3}([^\s"'{}]{0,100})/g,
    accepts: (_, [, user, value]) => isStrong(value as string) || (value === "" && isStrong(user as string)),
  },
  {
    name: "mysql",
    kind: "password",
    anchors: ["mysql"],
    pattern: /(?<!\S)-p([^\s-]\S{5,60})/g,
    accepts: isStrong,
  },
  {
    name: "sql",
    kind: "password",
    anchors: ["dentified ", "DENTIFIED "],
    pattern:
      /identified (?:with [\w.]{1,40} )?by (?:password )?(?:['"]([^\s'";\\]{6,64})|([^\s'";\\]{6,64}))/gi,
    // "identified by experiment" is no statement of a database.
    accepts: (value, [, quoted]) => isPassword(value) && (quoted !== undefined || makeOf(value).digit),
  },
  {
    name: "in-a-name",
    kind: "password",
    anchors: [
      "ssword",
      "SSWORD",
      "sswort",
      "assphrase",
      "asswd",
      "pwd",
      "PWD",
      "ecret",
      "ECRET",
      "oken",
      "OKEN",
    ],
    // In names of agents, branches and files a hyphen stands where a sentence has a colon.
    pattern:
      /(?<![A-Za-z])(?:pass(?:word|wort|wd|phrase)|pwd|secret|token)[-_]{1,2} ?([A-Za-z0-9]{8,64})(?![\w-])/gi,
    accepts: (value) => isPassword(value) && isJumbled(value),
  },
  {
    name: "wifi",
    kind: "password",
    anchors: ["WIFI:"],
    pattern: /WIFI:(?:[TSHRE]:[^;\n]{0,64};){0,4}P:((?:\\.|[^;\\\n]){4,64});/g,
    accepts: isPassword,
  },
  {
    name: "pgpass",
    kind: "password",
    anchors: [":5432:", ":5433:", ":6432:", ":*:"],
    pattern:
      /(?<![^\s"'`])[\w.*-]{1,64}:(?:\d{4,5}|\*):[\w*-]{1,64}:[\w*-]{1,64}:([^\s:"'`]{6,100})(?![^\s"'`])/g,
    accepts: (value) => isStrong(value) || (isPassword(value) && isScrambled(value)),
  },
  {
    name: "one-time",
    kind: "secret",
    anchors: ["OTP", "2FA", "MFA", "uthenticator"],
    pattern:
      /(?:T?OTP|2FA|MFA|[aA]uthenticator)(?![a-z])[^\n]{0,32}?(?<![\w+/])([A-Z2-7]{16,64})(?![\w+/=])/g,
    accepts: (value) => (/\d/.test(value) || value.length >= 26) && !isPlaceholder(value),
  },
  {
    name: "recovery-codes",
    kind: "secret",
    anchors: ["ecovery code", "ackup code", "escue code", "cratch code", "ECOVERY CODE"],
    pattern:
      /(?:recovery|backup|rescue|scratch) codes?(?![a-z])[^:\n]{0,32}(?::[ \t]{0,2}\n?|\n)\s{0,4}((?:[-*] )?(?:[a-z0-9]{4,6}-[a-z0-9]{4,6}[\s,;|*-]{1,5}){1,19}[a-z0-9]{4,6}-[a-z0-9]{4,6})(?![\w-])/gi,
    accepts: (value) => value.split(/[\s,;|]+/).some((code) => /\d/.test(code)),
  },
  {
    name: "app-password",
    kind: "password",
    anchors: ["pp password", "pp-password", "pplication password", "pp Password"],
    pattern:
      /app(?:lication)?[- ]password(?![a-z])[^\n]{0,32}?(?<![A-Za-z])((?:[a-z]{4} ){3}[a-z]{4})(?![A-Za-z])/gi,
    // Words have vowels; of four groups that were drawn one mostly has none.
    accepts: (value) =>
      value.split(" ").some((group) => !/[aeiouy]/i.test(group)) ||
      value.replace(/[^jqxz]/gi, "").length >= 2,
  },
  {
    name: "passphrase",
    kind: "password",
    anchors: ["assphrase", "ASSPHRASE", "assword", "ASSWORD", "ennwort", "asswort"],
    pattern:
      /(?:pass ?phrase[^:="\n]{0,32}?(?:\bis\b|[:=]) {0,2}(?:["'`“])?|(?:pass(?:word|wort)|kennwort)[^:="\n]{0,32}?(?:\bis\b|[:=]) {0,2}["'`“])((?:[a-z]{3,12} ){3,7}[a-z]{3,12})(?=["'`”]|\s*(?:[.!;,)]|\n|$))/gi,
    accepts: (value) => isWords(value.split(" ")),
  },
  {
    name: "named-value",
    kind: "secret",
    anchors: ["alue", "ALUE", "efault"],
    // A list of settings names each and says its value beside it, as in Kubernetes, in XML and in Terraform.
    pattern:
      /(?:\b(?:name|key|id)["']?\s{0,2}[:=]|\bvariable)\s{0,2}["']?[\w.-]{0,48}(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key|private[_-]?key)["']?[\s,;{]{1,16}["']?(?:value|default)["']?\s{0,2}[:=]\s{0,2}["']?([^\s"'<>{}]{6,400})/gi,
    accepts: (value) => isStrong(value) && !isReference(value),
  },
  {
    name: "command",
    kind: "password",
    anchors: ["sshpass ", " login ", "mongo", "redis-cli ", "cqlsh ", "ldap", "openssl ", "sqlcmd "],
    pattern:
      /\b(?:sshpass|(?:docker|podman|buildah|skopeo|az|oc|cf|helm registry) login|mongo(?:sh|dump|restore)?|redis-cli|cqlsh|ldap(?:search|add|modify)|openssl|sqlcmd)(?=\s)[^\n|;&]{0,200}?\s(?:-[pawkP]|--pass(?:word)?) {0,2}=?["']?([^\s"'|;&$-][^\s"'|;&]{5,100})/g,
    accepts: (value, [command]) =>
      !isReference(value) && (isStrong(value) || (command.startsWith("sshpass") && isPassword(value))),
  },
  {
    name: "command",
    kind: "password",
    anchors: ["--password-stdin"],
    pattern: /(?:echo|printf) {1,2}(?:-n )?["']?([^\s"'|$]{6,100})["']? {0,2}\|[^\n]{0,80}--password-stdin/g,
    accepts: isPassword,
  },
  {
    name: "bundler",
    kind: "secret",
    anchors: ["BUNDLE_"],
    pattern: /BUNDLE_[A-Z_]{3,60} ?[=:] ?["']?([A-Za-z0-9]{6,40}:[A-Za-z0-9]{6,40})/g,
  },
];
