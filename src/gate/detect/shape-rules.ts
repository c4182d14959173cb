import { isPlaceholder, isRandom, makeOf } from "./plausible.js";
import { PRIVATE_KEY_RULES } from "./private-keys.js";
import type { Rule } from "./rule.js";
import { WEB_RULES } from "./web-rules.js";

const isPassword = (value: string): boolean => !isPlaceholder(value) && !/^[{[(<$%]/.test(value);
const isStrong = (value: string): boolean => {
  const { lower, upper, digit, symbol } = makeOf(value);
  return isPassword(value) && digit && (lower || upper) && ((lower && upper) || symbol || value.length >= 12);
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
    anchors: ["earer ", "asic ", "oken ", "EARER ", "ASIC "],
    pattern: /(?<![A-Za-z])(?:Bearer|Basic|Token) {1,4}([A-Za-z0-9._~+/-]{16,2000}={0,2})/gi,
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
    name: "bundler",
    kind: "secret",
    anchors: ["BUNDLE_"],
    pattern: /BUNDLE_[A-Z_]{3,60} ?[=:] ?["']?([A-Za-z0-9]{6,40}:[A-Za-z0-9]{6,40})/g,
  },
];
