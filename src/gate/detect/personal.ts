import { cardBrand, IBAN_LENGTH, isIban, isIpv4, isIpv6, isSsn } from "./checksums.js";
import type { Finding, Kind } from "./finding.js";
import { matchesOf } from "./matches.js";

type Finder = (text: string) => Finding[];

const before = (text: string, at: number, reach = 48): string => text.slice(Math.max(0, at - reach), at);

function finder(
  kind: Kind,
  rule: string,
  pattern: RegExp,
  accepts: (value: string, at: number, text: string) => boolean,
): Finder {
  return (text) => {
    const found: Finding[] = [];
    for (const match of matchesOf(text, pattern)) {
      const [value] = match;
      if (accepts(value, match.index, text))
        found.push({ kind, rule, start: match.index, end: match.index + value.length });
    }
    return found;
  };
}

const digitsOf = (text: string): string => text.replace(/\D/g, "");

const SSN_WORDS = /ssn|social security|\bsocial\b|tax ?payer/i;
const ssn = finder("ssn", "ssn", /(?<![\w.-])\d{3}([- ]?)\d{2}\1\d{4}(?![\w-]|\.\d)/g, (value, at, text) => {
  const hasContext = SSN_WORDS.test(before(text, at)) || SSN_WORDS.test(text.slice(at, at + 48));
  return isSsn(digitsOf(value)) && (value.includes("-") || hasContext);
});

const CARD_WORDS =
  /card|credit|visa|master|maestro|amex|express|debit|diners|discover|jcb|union ?pay|cvv|karte|tarjeta|carte|cartão|atm|\bcc\b|points|limit|charge|payment/i;
const card = finder(
  "card",
  "card",
  /(?<![\d.,+-])\d(?:[ -]?\d){11,18}(?![\d-]|[.,]\d)/g,
  (value, at, text) => {
    const groups = value.split(/[ -]/).map(({ length }) => length);
    const isGrouped =
      groups.length === 1 || (groups[0] === 4 && groups.length >= 3 && groups.every((n) => n >= 3 && n <= 6));
    const brand = isGrouped ? cardBrand(digitsOf(value)) : undefined;
    return brand === "sure" || (brand === "context" && CARD_WORDS.test(before(text, at, 64)));
  },
);

const COUNTRY = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?=[ A-Za-z0-9])/g;
/** Reads as many characters as the country's IBAN has, single blanks between them left out. */
const iban: Finder = (text) => {
  const found: Finding[] = [];
  for (const match of matchesOf(text, COUNTRY)) {
    const length = IBAN_LENGTH[match[0].slice(0, 2).toUpperCase()];
    if (length === undefined) continue;
    let compact = match[0];
    let at = match.index + 4;
    for (; compact.length < length; at++) {
      const character = text[at] ?? "";
      if (/[A-Za-z0-9]/.test(character)) compact += character;
      else if (character !== " " && character !== "-") break;
    }
    if (compact.length === length && !/[A-Za-z0-9]/.test(text[at] ?? "") && isIban(compact))
      found.push({ kind: "iban", rule: "iban", start: match.index, end: at });
  }
  return found;
};

/** Looked for around each "@", because a run of letters before one may be long. */
const email: Finder = (text) => {
  const found: Finding[] = [];
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    const local = /[\p{L}\p{N}._%+'-]{1,64}$/u.exec(before(text, at, 64))?.[0];
    const domain = /^(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}])/u.exec(
      text.slice(at + 1, at + 256),
    )?.[0];
    if (local === undefined || domain === undefined || local === "git") continue;
    const end = at + 1 + domain.length;
    found.push({ kind: "email", rule: "email", start: at - local.length, end });
  }
  return found;
};

const VERSION_WORDS = /(?:version|release|section|chapter|§|\bv|clause|build|part)[ .:]{0,2}$/i;
const ipv4 = finder(
  "ip",
  "ipv4",
  /(?<![\w.])\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?![\w]|\.\d)/g,
  (value, at, text) => isIpv4(value) && !VERSION_WORDS.test(before(text, at, 12)),
);
const ipv6 = finder(
  "ip",
  "ipv6",
  /(?<![\w:.])(?:[0-9A-Fa-f]{1,4}:{1,2}){2,7}[0-9A-Fa-f]{1,4}(?![\w:])/g,
  (value) => isIpv6(value) && /[0-9]/.test(value) && !/^\d\d?:\d\d:\d\d$/.test(value),
);

const PHONE_WORDS =
  /phone|\btel\b|telefon|teléfono|téléphone|mobil|\bcell\b|fax|\bcall\b|\bring\b|dial|reach|answering at|whatsapp|\bsms\b|text me|messages? to|registered|desk|handy|hotline|\bnumber\b[^\d]{0,6}$/i;
const PHONE_AFTER = /^[ -]{0,2}(?:office|fax|mobile|desk|home|cell)/i;
const NOT_PHONE =
  /(?:order|invoice|issue|ticket|version|build|port|room|extension|iso|rfc|isbn|part|zip|year|years|card|account|from|open|between|pages?)[ .:#№]{0,3}(?:no\.?|number)?\s{0,2}$/i;
const phone = finder(
  "phone",
  "phone",
  /(?<![\w.,/-])[+(]?\d[\d ().-]{4,22}\d(?: ?x\d{2,6})?(?![\w]|[.,:/]\d)/g,
  (value, at, text) => {
    const digits = digitsOf(value.replace(/x\d+$/, ""));
    if (digits.length < 6 || digits.length > (/^(?:\+|00)/.test(value) ? 15 : 13)) return false;
    if (/^\d{4}-\d{2}-\d{2}/.test(value) || /^(?:19|20)\d\d[ -]+(?:19|20)\d\d$/.test(value)) return false;
    if (NOT_PHONE.test(before(text, at, 24))) return false;
    if (/^\+[\d ().-]{7,}/.test(value) && digits.length >= 8) return true;
    if (/x\d{2,6}$/.test(value) && digits.length >= 10) return true;
    if (/^(?:(?:\+?1|001)[ .-])?(?:\(\d{3}\) ?|\d{3}[.-])\d{3}[.-]\d{4}/.test(value)) return true;
    return (
      PHONE_WORDS.test(before(text, at, 40)) ||
      PHONE_AFTER.test(text.slice(at + value.length, at + value.length + 10))
    );
  },
);

const NUMBERED: readonly Finder[] = [ssn, card, iban, ipv4, ipv6, phone];

/** Personal data with its own numbering or grammar. Whoever joins overlapping findings lets the graver kind stand. */
export function findPersonal(text: string): Finding[] {
  const addresses = text.includes("@") ? email(text) : [];
  return /\d/.test(text) ? [...addresses, ...NUMBERED.flatMap((find) => find(text))] : addresses;
}
