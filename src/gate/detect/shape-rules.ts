import { isWords } from "./chosen.js";
import { isPlaceholder, isRandom, isReference, isScrambled, makeOf } from "./plausible.js";
import { PRIVATE_KEY_RULES } from "./private-keys.js";
import type { Rule } from "./rule.js";
import { WEB_RULES } from "./web-rules.js";

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
