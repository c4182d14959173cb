import { entropy, isPlaceholder, isRandom, makeOf } from "./plausible.js";
import type { Rule } from "./rule.js";

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
export const WEB_RULES: readonly Rule[] = [
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
